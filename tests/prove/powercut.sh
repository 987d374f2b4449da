#!/usr/bin/env bash
# the power cut 10 000 times at random moments: nothing acknowledged is lost, nothing half-done stays
# builds: dev
set -euo pipefail
top=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../..
# shellcheck source=../support/proof.sh
source "$top/tests/support/proof.sh"
cuts=${SEMEL_POWER_CUTS:-10000}
run() {
    SEMEL_POWER_CUTS=$cuts "$top/build/dev/power_cut_test" --gtest_filter="$1" | aloud |
        sed -n 's/^power cuts //p'
}
# Each answers with its count, `acknowledged`, commands, `losses` and their number.
read -r count _ acknowledged _ losses <<<"$(run 'PowerCut.LosesNothingThatWasAcknowledged')"
read -r control _ _ _ control_losses <<<"$(run 'PowerCutControl.*')"
[[ $losses == 0 && $control_losses -gt 0 ]]
{
    echo "figure=0 acknowledged lost, of $acknowledged commands"
    echo "n=$count cuts (forgotten, torn, mixed, kept)"
    echo "control=synchronous=NORMAL: $control_losses of $control stores lost some"
} | proof_row
