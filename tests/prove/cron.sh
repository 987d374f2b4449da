#!/usr/bin/env bash
# cron in time zones, 1 000 000 times against an independent oracle, 1970 to 2100: no difference
# builds: release
set -euo pipefail
top=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../..
cd "$top"
cmake --preset release -DSEMEL_TESTS=ON >/dev/null
cmake --build --preset release --parallel "$(nproc)" --target cron_driver
driver=$top/build/release/cron_driver
oracle=$top/tests/oracle/cron_oracle.py
# Without the zone files' last line, which holds after 2037, the oracle must find differences.
said=$(SEMEL_PROOF_ROW='' python3 "$oracle" "$driver" --triples 20000 --seed 7 --control)
echo "$said"
SEMEL_PROOF_ROW='' python3 "$top/tests/oracle/croner_oracle.py" "$driver" \
    --folder "$top/build/release/croner" --triples 100000 || [[ $? == 77 ]]
python3 "$oracle" "$driver" --triples 1000000 --seed 2 --control-said "zone files without their last line: ${said#control: }"
