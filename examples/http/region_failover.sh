#!/usr/bin/env bash
# Region failover: one region dies between its effect and the seal; the other takes over when the lease ends, looks whether
# the effect has happened, and seals what it finds. What the first says after that is refused.
#   SEMEL_URL=http://west:7363 SEMEL_URL_EAST=http://east:7363 examples/http/region_failover.sh
# Two nodes on one PostgreSQL that fails over with them; without SEMEL_URL_EAST one node stands for both.
set -euo pipefail
west=${SEMEL_URL:-http://127.0.0.1:7363}
east=${SEMEL_URL_EAST:-$west}
bank=$(mktemp) # it outlives both, and can say what it has done for a key
trap 'rm -f "$bank"' EXIT

ask() { curl --silent --show-error --max-time 90 "$1" -H 'Content-Type: application/json' --data "$2"; }
# A member of a JSON answer, once; use a JSON tool that you have.
member() { sed -nE "s/.*\"$1\":\"?([^,\"}]*).*/\1/p"; }

claim=$(ask "$west/v1/fences/claim" '{"key":"failover-17","leaseMs":1000}')
old=$(member token <<<"$claim")
echo failover-17 >>"$bank"
echo "west: $(member decision <<<"$claim"), charged, dies"

claim=$(ask "$east/v1/fences/claim" '{"key":"failover-17","waitMs":30000}')
echo "east: $(member decision <<<"$claim"), takeover $(member takeover <<<"$claim")"
if grep --quiet --line-regexp failover-17 "$bank"; then
    echo "east: the bank has it already"
else
    echo failover-17 >>"$bank"
fi
ask "$east/v1/fences/failover-17/seal" "{\"token\":$(member token <<<"$claim"),\"effectId\":\"ch_9\"}" >/dev/null

late=$(ask "$west/v1/fences/failover-17/seal" "{\"token\":$old,\"effectId\":\"ch_8\"}")
echo "west: $(member code <<<"$late")"
claim=$(ask "$west/v1/fences/claim" '{"key":"failover-17"}')
echo "west: $(member decision <<<"$claim") $(member effectId <<<"$claim")"
echo "charges: $(wc -l <"$bank")"
