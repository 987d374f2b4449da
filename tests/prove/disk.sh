#!/usr/bin/env bash
# a disk that fails to sync or is full, 10 times each: nothing acknowledged is lost, reads stay up
# builds: dev
set -euo pipefail
top=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../..
# shellcheck source=../support/proof.sh
source "$top/tests/support/proof.sh"
rounds=10
counts=$(mktemp)
trap 'rm -f "$counts"' EXIT
figure=''
run() { SEMEL_DISK_COUNTS=$counts python3 "$top/tests/crash/disk_test.py" "$@"; }
run "$top/build/dev/semel_bugged" broken --control
for what in broken passing full; do
    run "$top/build/dev/semel" $what --rounds $rounds
    read -r _ acknowledged refused <"$counts"
    figure+="$what: $acknowledged acknowledged, $refused refused, 0 lost; "
done
{
    echo "figure=${figure%; }"
    echo "n=$rounds disks of each kind"
    echo "control=answers before the commit: acknowledged actions lost"
} | proof_row
