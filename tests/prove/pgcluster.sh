#!/usr/bin/env bash
# 8 nodes start together 50 times: one occurrence per slot; 2 000 actions of one lock group on 3 nodes: one at a time, in order
# builds: dev
set -euo pipefail
top=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../..
# shellcheck source=../support/proof.sh
source "$top/tests/support/proof.sh"
cluster=$top/build/dev/cluster_test
starts=$(SEMEL_START_ROUNDS=50 "$cluster" --gtest_filter='ClusterSchedules.*' | aloud | sed -n 's/^starts //p')
group=$(SEMEL_GROUP_ACTIONS=2000 "$cluster" --gtest_filter='ClusterWork.ALockGroup*' | aloud |
    sed -n 's/^group actions //p')
"${cluster%_test}_control_test" --gtest_filter='ClusterWorkControl.*'
[[ $starts == "50 occurrences "* && $group == "2000 overlaps 0 in order" ]]
proof_row <<TEXT
figure=${starts#50 }, none twice; overlaps 0, in order
n=50 starts of 8 nodes; 2000 actions on 3 nodes
control=a group that is not held: overlaps or disorder found
TEXT
