#!/usr/bin/env bash
# 20 promotions of a synchronous standby under load: nothing acknowledged is lost; an asynchronous one loses, as /readyz says
# builds: release
set -euo pipefail
top=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../..
test=$top/tests/crash/pg_failover_test.py
SEMEL_PROOF_ROW='' python3 "$test" "$top/build/release/semel" --promotions 3 --control
python3 "$test" "$top/build/release/semel" --promotions 20
