#!/usr/bin/env bash
# three nodes on PostgreSQL, SIGKILL under load, 100 times: nothing lost, nothing twice, no older token accepted
# builds: release
set -euo pipefail
top=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../..
test=$top/tests/crash/pg_kill_test.py
SEMEL_PROOF_ROW='' python3 "$test" "$top/build/release/semel" --kills 10 --control
python3 "$test" "$top/build/release/semel" --kills 100
