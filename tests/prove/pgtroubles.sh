#!/usr/bin/env bash
# PostgreSQL crashes every 5 to 20 s for 5 minutes; 500 commits are cut off from their answer: nothing lost, twice or stuck
# builds: dev release
set -euo pipefail
top=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../..
# shellcheck source=../support/proof.sh
source "$top/tests/support/proof.sh"
cuts=500
test=$top/tests/crash/pg_restart_test.py
cluster=$top/build/dev/cluster_test
row=$(mktemp)
trap 'rm -f "$row"' EXIT

SEMEL_COMMIT_CUTS=$cuts "$cluster" --gtest_filter='ClusterTroubles.ACommitWhoseAnswerIsLostIsFoundOut' | aloud |
    grep --quiet "^commit cuts $cuts actions $cuts\$"
"${cluster%_test}_control_test" --gtest_filter='ClusterTroublesControl.*'
said=$(SEMEL_PROOF_ROW='' python3 "$test" "$top/build/release/semel" --seconds 10 --control | aloud |
    sed -n 's/^control: \(lost [0-9]*\).*/\1/p')
SEMEL_PROOF_ROW=$row python3 "$test" "$top/build/release/semel" --seconds 300 --every 5 20
{
    sed -n 's/^figure=\(.*\)/figure=\1; of the cut commits 0 lost, 0 twice/p' "$row"
    sed -n "s/^n=\(.*\)/n=\1, $cuts cut commits/p" "$row"
    echo "control=synchronous_commit = off: $said; a commit made again blindly: twice"
} | proof_row
