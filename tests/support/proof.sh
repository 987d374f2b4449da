# What the scripts of tests/prove share; they source it. /dev/stderr and /dev/stdout are not used: as a name they are opened
# anew, which a socket or a closed descriptor does not allow, and a file is cut off by it.
# shellcheck shell=bash

# aloud: hands on what it reads, and shows it on the standard error, as far as anybody is there. It reads to the end,
# whoever has stopped listening.
aloud() {
    local line
    trap '' PIPE
    while IFS= read -r line || [[ -n $line ]]; do
        printf '%s\n' "$line" >&2 || true
        printf '%s\n' "$line" || true
    done
}

# proof_row: adds what it reads to the row for docs/proof.md, or shows it where nobody wants one.
proof_row() {
    if [[ -n ${SEMEL_PROOF_ROW:-} ]]; then
        cat >>"$SEMEL_PROOF_ROW"
    else
        cat
    fi
}
