#!/usr/bin/env bash
# fences: 10 000 claims at once, 500 owners killed and 500 late, versions in any order: one effect each, none too late
# builds: release
set -euo pipefail
shopt -s inherit_errexit # one place that fails ends the proof
top=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../..
# shellcheck source=../support/proof.sh
source "$top/tests/support/proof.sh"
semel=$top/build/release/semel

# run SCRIPT ARGUMENT…: says what it saw; ends the proof if that is wrong.
run() { python3 "$top/tests/fences/$1_test.py" "$semel" "${@:2}" | aloud; }
control() { run "$@" --control | sed -n 's/^control: //p'; }

places=(SQLite PostgreSQL)
[[ ! -f $top/tests/support/redis_server.py ]] || places+=(Redis)
everywhere() {
    local place
    for place in "${places[@]}"; do run "$@" --place "$place"; done
}

storm_control=$(control storm --claims 1000)
owners_control=$(control owners --kills 16 --stops 0)
versions_control=$(control versions --sources 3 --versions 40 --kills 0)
everywhere storm --claims 10000 --connections 256 --rounds 3 >/dev/null
owners=$(everywhere owners --kills 500 --stops 500)
versions=$(everywhere versions --sources 1000 --versions 100 --kills 50)

late=$(sed -n 's/.*late calls refused \([0-9]*\);.*/\1/p' <<<"$owners" | awk '{ sum += $1 } END { print sum }')
killed=$(sed -n 's/.* \([0-9]*\) servers killed.*/\1/p' <<<"$versions" | awk '{ sum += $1 } END { print sum }')
proof_row <<TEXT
figure=of identical claims one new and all receipts equal, 5xx 0; one effect for each key, $late late calls refused, 0 accepted; lower versions after a higher one 0
n=each on ${places[*]} (PostgreSQL with two nodes): 3 x 10000 claims over 256 connections; 500 owners killed, 500 stopped past their lease; versions 1 to 100 of 1000 sources ($killed servers killed)
control=keys that hold the number of their connection: $storm_control; effects without the token check: $owners_control; $versions_control
TEXT
