#!/usr/bin/env bash
# The benchmarks, one after another; prints a line a measure. ./dev bench builds first.
#   bench/run.sh [SECONDS per measure, default 5]
#   bench/run.sh growth [KEYS…, default 10000 1000000 10000000]   on one file that grows
#   bench/run.sh postgres [SECONDS] [SECONDS a transaction is held open]          bench/postgres.py
#   bench/run.sh chains [SECONDS] [--rounds N]                    bench/chains.py, SQLite and PostgreSQL
#   bench/run.sh fences [SECONDS] [--rounds N] [--keys N…]         bench/fences.py, SQLite and PostgreSQL
#   bench/run.sh gateway [SECONDS] [--rounds N]                    bench/gateway.py, beside nginx as a bare proxy
#   bench/run.sh peers [SECONDS] [--rounds N] [--measures PART,…]  bench/peers.py, beside other systems
# Files are made in TMPDIR; what lies there decides the disk.
set -euo pipefail

top=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/..
build=$top/build/release

case ${1:-} in
    chains | fences | gateway | peers | postgres) exec python3 "$top/bench/$1.py" "${@:2}" ;;
esac

folder=$(mktemp -d)
server=

stop_server() {
    [[ -z $server ]] || { kill -TERM "$server" && wait "$server"; } || true
    server=
}
trap 'stop_server; rm -rf "$folder"' EXIT

# A fresh server on a fresh store; its port goes to $port.
start_server() {
    "$build/semel" serve --store "$folder/$1.db" --listen 127.0.0.1:0 >"$folder/out" 2>"$folder/err" &
    server=$!
    until port=$(grep -oE 'http://127\.0\.0\.1:[0-9]+' "$folder/out" | head -n 1 | grep -oE '[0-9]+$'); do
        kill -0 "$server" || { cat "$folder/err" >&2 && exit 1; }
        read -rt 0.05 <> <(:) || true # waits: for the banner
    done
}

say_machine() { echo "# $("$build/semel" version), $(nproc) cores, $(uname -r), $(date --utc +%F)"; }

speed() {
    local seconds=$1 duplicates
    "$build/semel_store_bench" "$folder/store.db" "$seconds"
    TMPDIR=$folder "$build/semel" bench --duration "${seconds}s" --callers 512
    for duplicates in 0 50 99; do
        start_server "http-$duplicates"
        printf 'HTTP schedule, 64 connections, %s %% duplicates: ' "$duplicates"
        SEMEL_DUPLICATES=$duplicates wrk -t2 -c64 -d"${seconds}s" --latency -s "$top/bench/schedule.lua" \
            "http://127.0.0.1:$port" | tail -n 1
        stop_server
    done
}

# One line a size; the percentage is of the first size's rate.
growth() {
    local keys line first=
    echo "# 50 % duplicates of recent keys, 512 callers; start-up with nothing of the file in the page cache"
    for keys in "$@"; do
        "$build/semel_growth_bench" fill "$folder/growth.db" "$keys"
        line=$("$build/semel_growth_bench" measure "$folder/growth.db" "$keys" 5)
        first=${first:-$(cut -d ' ' -f 2 <<<"$line")}
        awk -v first="$first" '{
            printf "%9d keys: %6d decisions/s (%.0f %%), %.0f us CPU each, p99 %.1f ms, ", $1, $2, 100 * $2 / first, $3, $4
            printf "start-up %d ms, memory %.0f MB, file %.0f MB\n", $5, $6 / 1e6, $7 / 1e6 }' <<<"$line"
    done
}

say_machine
if [[ ${1:-} == growth ]]; then
    shift
    (($# > 0)) || set -- 10000 1000000 10000000
    growth "$@"
else
    speed "${1:-5}"
fi
