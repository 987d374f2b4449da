#!/usr/bin/env python3
"""Cron in UTC against npm's croner: croner_oracle.py DRIVER --folder FOLDER [--triples N]

Installs croner into FOLDER if it is not there. Ends with 77 (skipped) only where there is no node or
npm, or npm cannot fetch the package.
"""
import argparse
import datetime
import pathlib
import random
import sys

import cron_expressions
import npm_packages

BEGIN_MS = 0
END_MS = 4_133_894_400_000  # 2101
TIMES_AN_EXPRESSION = 10


def made_triples(count: int, seed: int) -> list[tuple[cron_expressions.Expression, int]]:
    rng = random.Random(seed)
    triples = []
    while len(triples) < count:
        expression = cron_expressions.random_expression(rng)
        for _ in range(TIMES_AN_EXPRESSION):
            time = rng.randrange(BEGIN_MS, END_MS)
            # croner has whole seconds only.
            triples.append((expression, time - time % 1000))
    return triples


def is_known_fault(expression: cron_expressions.Expression, time: int, our: str, their: str) -> bool:
    """croner (8 to 11) goes from February to a day that February lacks, and so past the first days of March:
    one of the month's, or a weekday's date counted on beyond the 28th.

    Effect #6285 and croniter #178 tell of the same fault. Our answer must be a match all the same.
    """
    (our_next, our_last), (their_next, their_last) = our.split("\t"), their.split("\t")
    if our_last != their_last or "none" in (our_next, their_next) or int(our_next) >= int(their_next):
        return False
    month = datetime.datetime.fromtimestamp(time / 1000, datetime.timezone.utc).month
    run = datetime.datetime.fromtimestamp(int(our_next) / 1000, datetime.timezone.utc)
    return (month == 2 and run.month == 3 and (max(expression.fields[3]) > 28 or expression.either_day)
            and expression.matches_day(run.date()) and run.time() in expression.times())


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("driver")
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--triples", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    npm_packages.install(options.folder, ["croner@11"])

    triples = made_triples(options.triples, options.seed)
    ours = npm_packages.answers_of([options.driver], [f"{e.text}\tUTC\t{time}" for e, time in triples])
    script = pathlib.Path(__file__).parent / "croner_answers.mjs"
    theirs = npm_packages.answers_of(["node", str(script), str(options.folder.resolve())],
                                     [f"{e.text}\t{int(not e.either_day)}\t{time}" for e, time in triples])
    different = [(e, time, our, their) for (e, time), our, their in zip(triples, ours, theirs) if our != their]
    differences = [f"{e.text}\t{time}\n    croner {their}\n    semel  {our}"
                   for e, time, our, their in different if not is_known_fault(e, time, our, their)]
    print("\n".join([*differences[:10], f"{len(differences)} differences from croner in {len(triples)} triples, UTC; "
                     f"and {len(different) - len(differences)} by its fault at the end of February"]))
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
