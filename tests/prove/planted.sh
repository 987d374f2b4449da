#!/usr/bin/env bash
# each planted bug is found by the simulator within 20 000 seeds; writes docs/planted_bugs.md
# builds: sim
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."

readonly kSeedsMax=20000 kControlSeeds=2000 kFirstOfGateway=1000001
readonly kSimulator=build/sim/semel_sim_bugged kPage=docs/planted_bugs.md

nice "$kSimulator" --seeds "1..$kControlSeeds"
nice "$kSimulator" --seeds "$kFirstOfGateway..$((kFirstOfGateway + kControlSeeds - 1))"

# The row of one bug; fails where no seed finds it.
row_of() {
    local name=$1 what=$2 first=1 report seed invariant
    [[ $name != pass_* ]] || first=$kFirstOfGateway # bugs of the gateway's requests
    if report=$("$kSimulator" --seeds "$first..$((first + kSeedsMax - 1))" --mutation "$name" 2>/dev/null); then
        echo "planted.sh: $name was not found in $kSeedsMax seeds" >&2
        return 1
    fi
    seed=$(sed -n 's/^seed \([0-9]*\) broke .*/\1/p' <<<"$report")
    invariant=$(sed -n 's/^seed [0-9]* broke //p' <<<"$report")
    echo "| \`$name\` | $what | $seed | $invariant |"
}

rows=()
slowest=0
while read -r name what; do
    row=$(row_of "$name" "$what")
    echo "$row"
    rows+=("$row")
    seed=$(awk -F'|' '{ gsub(/ /, "", $4); print $4 }' <<<"$row")
    needed=$((seed < kFirstOfGateway ? seed : seed - kFirstOfGateway + 1))
    slowest=$((needed > slowest ? needed : slowest))
done < <("$kSimulator" --list-mutations)

{
    cat <<'TEXT'
# Planted bugs

`semel_sim_bugged` has a switch for each of these bugs, at the place where the mistake would be made. Patches of product
sources ([sim/bugs](../sim/bugs/README.md)) and the simulated database contain the switches. The
[simulator](../sim/README.md) must find every bug: the table names the first seed that does so, counted from 1, or for the
gateway's bugs (`pass_…`) from 1000001, and the invariant that it broke. `./dev prove planted` makes this page. CI replays its
seeds.

| bug | what it does | seeds needed | caught by invariant |
|---|---|---|---|
TEXT
    printf '%s\n' "${rows[@]}"
} >"$kPage"

cat >"${SEMEL_PROOF_ROW:-/dev/null}" <<TEXT
figure=${#rows[@]} of ${#rows[@]} planted bugs found; the hardest needed $slowest seeds
n=up to $kSeedsMax seeds each
control=no bug: $kControlSeeds seeds hold
TEXT
