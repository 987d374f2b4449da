#!/usr/bin/env bash
# SIGKILL under load, 200 times: nothing lost, nothing twice, no older token accepted
# builds: release
set -euo pipefail
top=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../..
SEMEL_PROOF_ROW='' python3 "$top/tests/crash/kill_test.py" "$top/build/release/semel" --kills 10 --control
python3 "$top/tests/crash/kill_test.py" "$top/build/release/semel" --kills 200
