#!/usr/bin/env bash
# every fuzz target for 3 minutes of one core, with address and undefined sanitizers: nothing found
# builds: fuzz
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."

readonly kSeconds=${SEMEL_FUZZ_SECONDS:-180} kControlSeconds=300 kControl=group_freed_twice
readonly kPrograms=build/fuzz kFound=build/fuzz/found

# fuzz NAME FOLDER SECONDS [PROGRAM]: what it learns and what it finds goes to FOLDER; its log is FOLDER.log.
fuzz() {
    local name=$1 folder=$2 seconds=$3 program=${4:-$1}
    mkdir -p "$folder"
    nice "$kPrograms/$program" -max_total_time="$seconds" -max_len=4096 -timeout=20 -rss_limit_mb=2048 \
        -print_final_stats=1 -artifact_prefix="$folder-" "$folder" "fuzz/corpus/$name" >"$folder.log" 2>&1
}

executions=0
targets=0
for folder in fuzz/corpus/*/; do
    name=$(basename "$folder")
    fuzz "$name" "$kFound/$name" "$kSeconds" || {
        tail -60 "$kFound/$name.log" >&2
        echo "fuzz.sh: $name found something; the input is beside $kFound/$name.log" >&2
        exit 1
    }
    count=$(sed -n 's/^stat::number_of_executed_units: *//p' "$kFound/$name.log")
    echo "$name: $count executions"
    executions=$((executions + count))
    targets=$((targets + 1))
done

# A bug in the decisions must be found by the sequences of commands.
rm -rf "$kFound/control"
begin=$SECONDS
if SEMEL_MUTATION=$kControl fuzz command_fuzz "$kFound/control" "$kControlSeconds" command_fuzz_bugged; then
    echo "fuzz.sh: the control found nothing in $kControlSeconds s" >&2
    exit 1
fi
grep --quiet 'broken:\|assertion' "$kFound/control.log" || { tail -40 "$kFound/control.log" >&2 && exit 1; }

cat >"${SEMEL_PROOF_ROW:-/dev/null}" <<TEXT
figure=findings 0
n=$executions executions of $targets targets, $kSeconds s each
control=planted bug $kControl: command_fuzz finds it in $((SECONDS - begin)) s
TEXT
