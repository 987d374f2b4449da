#!/usr/bin/env bash
# A webhook consumer: the provider repeats its events, each is taken in once.
#   SEMEL_URL=http://127.0.0.1:7363 examples/http/webhook_consumer.sh
set -euo pipefail
api=${SEMEL_URL:-http://127.0.0.1:7363}
credits=0

ask() { curl --silent --show-error --max-time 90 "$api$1" -H 'Content-Type: application/json' --data "$2"; }
# A member of a JSON answer, once; use a JSON tool that you have.
member() { sed -nE "s/.*\"$1\":\"?([^,\"}]*).*/\1/p"; }

# receive ID BODY: prints the status for the provider. Only a 2xx ends its repeats, and it is said after the seal: a crash in
# between means one more delivery, never a lost one.
receive() {
    local claim
    claim=$(ask /v1/fences/claim "{\"key\":\"provider:$1\",\"class\":\"webhook\",\"content\":$2,\"waitMs\":30000}")
    case $(member decision <<<"$claim") in
        new)
            credits=$((credits + 1)) # what must happen once
            echo "crediting $2"
            ask "/v1/fences/provider:$1/seal" \
                "{\"token\":$(member token <<<"$claim"),\"effectId\":\"credit-$credits\"}" >/dev/null
            echo "$1: credit-$credits, answer 200"
            ;;
        duplicate) echo "$1: $(member effectId <<<"$claim"), as before, answer 200" ;;
        conflict) echo "$1: not what it was, $(grep -o '"diff":\[[^]]*\]' <<<"$claim"), answer 409" ;;
        *) echo "$1: somebody is at it, answer 503" ;; # the provider comes again
    esac
}

receive evt_1 '{"cents":250}'
receive evt_2 '{"cents":90}'
receive evt_1 '{ "cents": 250.0 }' # delivered again
receive evt_1 '{"cents":999}'
echo "credits: $credits"
