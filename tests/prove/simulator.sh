#!/usr/bin/env bash
# 100 000 seeds of the simulator, and 20 000 about the gateway: every invariant holds, and every rare path was taken
# builds: sim
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."

readonly kSeeds=100000 kFirstOfGateway=1000001 kOfGateway=20000
readonly kAtOnce=10000 kSimulator=build/sim/semel_sim kControl=no_token_check_in_complete

# In parts: a process that crashes in a run frees nothing, which all the seeds together would feel.
ranges() {
    local first=$1 count=$2 from
    for ((from = first; from < first + count; from += kAtOnce)); do echo "$from..$((from + kAtOnce - 1))"; done
}
{ ranges 1 $kSeeds && ranges $kFirstOfGateway $kOfGateway; } | xargs --max-procs="$(nproc)" --replace=RANGE "$kSimulator" --seeds RANGE --sometimes

found=$("${kSimulator}_bugged" --seeds 1..1000 --mutation $kControl 2>/dev/null | sed -n 's/^seed \([0-9]*\) broke .*/\1/p') || true
[[ -n $found ]] || { echo "simulator.sh: the control found nothing" >&2 && exit 1; }

cat >"${SEMEL_PROOF_ROW:-/dev/null}" <<TEXT
figure=violations 0
n=$kSeeds seeds, and $kOfGateway of the gateway
control=without the token check in complete: found by seed $found
TEXT
