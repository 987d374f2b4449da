#!/usr/bin/env bash
# Runs clang-tidy: scripts/tidy.sh [--all] [--most N] [--build DIR]
# By default on what changed since the branch left its upstream, or, where it has not, in the last
# commits; the work tree's own changes count too. A changed header is seen through one source that
# includes it. The latest changes come first; --most N looks at no more than N files.
# SEMEL_TIDY_BASE=COMMIT names another place to start from. --build DIR names another build's compile commands.
set -euo pipefail

readonly kRecentCommits=40
readonly kSources='^(src|include|tests|sim|bench|fuzz|examples)/.*\.(cpp|hpp)$'

cd "$(dirname "${BASH_SOURCE[0]}")/.."

all=false
most=()
build=
while (($# > 0)); do
    case $1 in
        --all) all=true ;;
        --most) most=(--most "$2") && shift ;;
        --build) build=$2 && shift ;;
        *) echo "tidy.sh: unknown argument: $1" >&2 && exit 2 ;;
    esac
    shift
done

# The preset compiles each source alone, not in batches, so that clang-tidy sees a source by its own name.
configure() {
    local log=$build/configure.log
    mkdir -p "$build"
    { cmake --preset tidy && cmake --build --preset tidy; } >"$log" 2>&1 || {
        cat "$log" >&2
        echo "tidy.sh: configuring $build failed" >&2
        exit 2
    }
}

# The commit that changes are counted from; nothing when everything is new.
base_commit() {
    if [[ -n ${SEMEL_TIDY_BASE:-} ]]; then
        git rev-parse --verify --quiet "$SEMEL_TIDY_BASE^{commit}" && return
        echo "tidy.sh: SEMEL_TIDY_BASE=$SEMEL_TIDY_BASE is not a commit" >&2 && exit 2
    fi
    local head upstream base
    head=$(git rev-parse --verify --quiet HEAD) || return 0
    for upstream in '@{upstream}' origin/main; do
        base=$(git merge-base HEAD "$upstream" 2>/dev/null) || continue
        [[ $base == "$head" ]] || { echo "$base" && return; }
    done
    git rev-parse --verify --quiet "HEAD~$kRecentCommits" || true
}

all_files() {
    git ls-files --cached --others --exclude-standard 2>/dev/null || find src include tests sim bench -type f
}

changed_files() {
    local base
    base=$(base_commit)
    if [[ -z $base ]]; then
        all_files
        return
    fi
    git ls-files --others --modified --exclude-standard
    git log --format= --name-only "$base..HEAD"
}

# A source through which a header is seen: its own, or else the first that includes it.
source_for() {
    local own=${1%.hpp}.cpp name=${1#src/}
    name=${name#include/}
    if [[ -f $own ]]; then
        echo "$own"
    else
        grep -rlF --include='*.cpp' -e "\"$name\"" -e "<$name>" src tests sim bench 2>/dev/null | sort | head -n 1 || true
    fi
}

sources() {
    local file
    while read -r file; do
        [[ -f $file ]] || continue
        case $file in
            *.hpp) source_for "$file" ;;
            *) echo "$file" ;;
        esac
    done < <(grep -E "$kSources" || true) | awk '!seen[$0]++'
}

if [[ -z $build ]]; then
    build=build/tidy
    configure
elif [[ ! -f $build/compile_commands.json ]]; then
    echo "tidy.sh: $build is not configured" >&2
    exit 2
fi
listed=$(if $all; then all_files; else changed_files; fi)
mapfile -t files < <(sources <<<"$listed")
if ((${#files[@]} == 0)); then
    echo "tidy: nothing changed"
    exit 0
fi
exec python3 scripts/clang_tidy.py "${most[@]}" "$build" "${files[@]}"
