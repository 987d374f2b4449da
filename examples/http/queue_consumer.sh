#!/usr/bin/env bash
# A queue consumer: the queue delivers at least once, and is told of a message's end only after the seal.
#   SEMEL_URL=http://127.0.0.1:7363 examples/http/queue_consumer.sh
set -euo pipefail
api=${SEMEL_URL:-http://127.0.0.1:7363}
queue=(m1 m2)
acknowledged=0
mails=0

ask() { curl --silent --show-error --max-time 90 "$api$1" -H 'Content-Type: application/json' --data "$2"; }
# A member of a JSON answer, once; use a JSON tool that you have.
member() { sed -nE "s/.*\"$1\":\"?([^,\"}]*).*/\1/p"; }

# The first acknowledgement gets lost: the queue delivers its message again.
acknowledge() {
    acknowledged=$((acknowledged + 1))
    ((acknowledged == 1)) || queue=("${queue[@]:1}")
}

# handle MESSAGE: fails where the message is not done with; the queue keeps it then.
handle() {
    local claim
    claim=$(ask /v1/fences/claim "{\"key\":\"mail:$1\",\"waitMs\":30000}")
    case $(member decision <<<"$claim") in
        new)
            mails=$((mails + 1)) # what must happen once
            ask "/v1/fences/mail:$1/seal" "{\"token\":$(member token <<<"$claim"),\"effectId\":\"mail-$mails\"}" >/dev/null
            echo "$1: sent as mail-$mails"
            ;;
        duplicate) echo "$1: had been sent as $(member effectId <<<"$claim")" ;;
        *) return 1 ;;
    esac
}

while ((${#queue[@]} > 0)); do
    if handle "${queue[0]}"; then acknowledge; fi
done
echo "mails: $mails"
