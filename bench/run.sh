#!/usr/bin/env bash
# The benchmarks, one after another; prints a line a measure. ./dev bench builds first.
#   bench/run.sh [SECONDS per measure, default 5]
set -euo pipefail

top=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/..
build=$top/build/release
seconds=${1:-5}
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

echo "# $("$build/semel" version), $(nproc) cores, $(uname -r), $(date --utc +%F)"
"$build/semel_store_bench" "$folder/store.db" "$seconds"
"$build/semel_library_bench" "$folder" "$seconds"
for duplicates in 0 50 99; do
    start_server "http-$duplicates"
    printf 'HTTP schedule, 64 connections, %s %% duplicates: ' "$duplicates"
    SEMEL_DUPLICATES=$duplicates wrk -t2 -c64 -d"${seconds}s" --latency -s "$top/bench/schedule.lua" \
        "http://127.0.0.1:$port" | tail -n 1
    stop_server
done
