#!/usr/bin/env bash
# 5 000 times two blockers complete at a barrier, on SQLite, PostgreSQL and two nodes: nobody stranded, early or twice
# builds: dev
set -euo pipefail
top=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../..
# shellcheck source=../support/proof.sh
source "$top/tests/support/proof.sh"
cluster=$top/build/dev/cluster_test
rounds=5000
expected=$(printf "barrier %s: rounds $rounds stranded 0 early 0 twice 0\n" sqlite postgres "two nodes")
said=$(SEMEL_BARRIER_ROUNDS=$rounds "$cluster" --gtest_filter='SeedDefects.N02_*' | aloud | grep '^barrier ')
[[ $said == "$expected" ]]
control=$("${cluster%_test}_control_test" --gtest_filter='SeedDefectsControl.N02_*' | aloud)
stranded=$(sed -n 's/^barrier sqlite: rounds 20 stranded \([0-9]*\) .*/\1/p' <<<"$control")
early=$(sed -n 's/^barrier sqlite: rounds 100 .* early \([0-9]*\) .*/\1/p' <<<"$control")
proof_row <<TEXT
figure=stranded 0, released too early 0, released twice 0
n=$rounds rounds each on SQLite, PostgreSQL and two nodes
control=a last blocker that releases nobody: $stranded of 20 stranded; one that counts twice: $early of 100 too early
TEXT
