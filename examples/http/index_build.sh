#!/usr/bin/env bash
# An index that is built once for each hash of what goes into it. Builders race; readers ask for the sealed one only, and
# neither build nor wait.
#   SEMEL_URL=http://127.0.0.1:7363 examples/http/index_build.sh
set -euo pipefail
api=${SEMEL_URL:-http://127.0.0.1:7363}

ask() { curl --silent --show-error --max-time 90 "$api$1" -H 'Content-Type: application/json' --data "$2"; }
# A member of a JSON answer, once; use a JSON tool that you have.
member() { sed -nE "s/.*\"$1\":\"?([^,\"}]*).*/\1/p"; }

# build HASH: one that finds another at work waits for it.
build() {
    local claim
    claim=$(ask /v1/fences/claim "{\"key\":\"index:$1\",\"class\":\"batch\",\"waitMs\":60000}")
    if [[ $(member decision <<<"$claim") == new ]]; then
        echo "building $1" # what must happen once; heartbeat where it takes longer than the lease
        ask "/v1/fences/index:$1/seal" \
            "{\"token\":$(member token <<<"$claim"),\"effectId\":\"index-of-$1\",\"receipt\":{\"documents\":3}}" >/dev/null
    else
        echo "there is $(member effectId <<<"$claim")"
    fi
}

# read_index HASH: claims nothing. 404 means that nothing is sealed under this key.
read_index() {
    local sealed
    sealed=$(curl --silent --show-error "$api/v1/fences/index:$1?sealed=true")
    if [[ -n $(member effectId <<<"$sealed") ]]; then
        echo "reader: $(member effectId <<<"$sealed")"
    else
        echo "reader: no index of $1 yet, the one before serves"
    fi
}

read_index 9f2c
build 9f2c &
build 9f2c &
build 9f2c &
wait
read_index 9f2c
