#!/usr/bin/env bash
# Document ingest: a document in one version of its content is cut into snippets once; whoever asks gets their ids.
#   SEMEL_URL=http://127.0.0.1:7363 examples/http/document_ingest.sh
set -euo pipefail
api=${SEMEL_URL:-http://127.0.0.1:7363}
snippets=0

ask() { curl --silent --show-error --max-time 90 "$api$1" -H 'Content-Type: application/json' --data "$2"; }
# A member of a JSON answer, once; use a JSON tool that you have.
member() { sed -nE "s/.*\"$1\":\"?([^,\"}]*).*/\1/p"; }
receipt() { sed -nE 's/.*"receipt":(\[[^]]*\]).*/\1/p'; }

# cut TEXT: a snippet for each sentence; leaves their ids, as JSON, in $ids.
cut_up() {
    local sentence
    ids=
    while read -rd . sentence; do
        snippets=$((snippets + 1)) # $sentence goes into the index under this id
        ids+="${ids:+,}\"s$snippets\""
    done <<<"$1."
    ids="[$ids]"
}

# ingest NAME TEXT. The hash is a part of the key: another content is another claim, and no conflict.
ingest() {
    local hash claim key
    hash=$(sha256sum <<<"$2" | cut -c 1-64)
    claim=$(ask /v1/fences/claim "{\"parts\":{\"sourceType\":\"doc\",\"sourceId\":\"$1\",\"revision\":\"$hash\",
        \"action\":\"ingest\"},\"class\":\"batch\",\"waitMs\":30000}")
    key=$(member key <<<"$claim")
    if [[ $(member decision <<<"$claim") == new ]]; then
        cut_up "$2"
        ask "/v1/fences/$key/seal" "{\"token\":$(member token <<<"$claim"),\"effectId\":\"ingest:$hash\",\"receipt\":$ids}" \
            >/dev/null
        echo "$1 cut into $ids"
    else
        echo "$1 is $(receipt <<<"$claim")"
    fi
}

ingest manual 'Plug it in.Turn it on'
ingest manual 'Plug it in.Turn it on'
ingest manual 'Plug it in.Turn it on.Wait'
ingest manual 'Plug it in.Turn it on'
echo "snippets: $snippets"
