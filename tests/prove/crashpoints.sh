#!/usr/bin/env bash
# a crash at every crash point, at its 1st, 2nd and 10th pass: all reached, nothing lost, nothing twice
# builds: dev
set -euo pipefail
top=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../..
# shellcheck source=../support/proof.sh
source "$top/tests/support/proof.sh"
run() { python3 "$top/tests/crash/crash_point_test.py" "$1" "$top/build/dev/handler_host" "${@:2}"; }
said=$(SEMEL_PROOF_ROW='' run "$top/build/dev/semel_bugged" --control | sed -n 's/^control: //p')
run "$top/build/dev/semel" --hits 1,2,10
echo "control=answers before the commit: ${said%%,*}" | proof_row
