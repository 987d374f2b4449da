#!/usr/bin/env python3
"""Cron in time zones against a plain enumeration: cron_oracle.py DRIVER [--triples N] [--control]

Python's zoneinfo reads the same tzdata. All runs around a moment are listed by walking over the wall
times of each day, one by one, and turning each into instants by the contract's sentences; the runs
next to a time are then looked up in that list. Nothing here knows how the C++ code searches.

--control gives the driver zone files without their last line, which holds after 2037: the comparison
must then find differences, or it could not find any.
"""
import argparse
import bisect
import collections
import datetime
import os
import random
import subprocess
import sys
import tempfile
import zoneinfo

import cron_expressions

ZONES = ["Australia/Lord_Howe", "Pacific/Apia", "Asia/Kathmandu", "Africa/Casablanca", "Antarctica/Troll",
         "Pacific/Chatham", "Europe/Dublin", "America/Nuuk", "America/St_Johns", "Asia/Tehran",
         "Pacific/Kiritimati", "Asia/Gaza", "Europe/Berlin", "America/New_York", "America/Santiago",
         "Africa/Monrovia", "Africa/Cairo", "Pacific/Kwajalein", "America/Caracas", "UTC"]
UTC = datetime.timezone.utc
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=UTC)
BEGIN = 0
END = int((datetime.datetime(2100, 12, 31, tzinfo=UTC) - EPOCH).total_seconds())
HOUR = 3_600
DAY = 86_400
TIMES_A_GROUP = 25
SHOWN_MAX = 10


def utc_second(moment: datetime.datetime) -> int:
    return (moment - EPOCH) // datetime.timedelta(seconds=1)


def at_second(second: int, zone: zoneinfo.ZoneInfo) -> datetime.datetime:
    return (EPOCH + datetime.timedelta(seconds=second)).astimezone(zone)


def offset_at(second: int, zone: zoneinfo.ZoneInfo) -> datetime.timedelta:
    return at_second(second, zone).utcoffset()


def first_change(low: int, high: int, zone: zoneinfo.ZoneInfo) -> int:
    """The first second in (low, high] with another offset than `low` has, if it changes once."""
    before = offset_at(low, zone)
    while high - low > 1:
        middle = (low + high) // 2
        if offset_at(middle, zone) == before:
            low = middle
        else:
            high = middle
    return high


class Place:
    """Wall times of a zone as instants."""

    def __init__(self, name: str):
        self.name = name
        self.zone = zoneinfo.ZoneInfo(name)
        self.changes = [first_change(second, second + DAY, self.zone) for second in range(BEGIN, END, DAY)
                        if offset_at(second, self.zone) != offset_at(second + DAY, self.zone)]

    def instants(self, wall: datetime.datetime) -> list[int]:
        """When the clock shows `wall`: both times in an overlap, none in a gap."""
        seconds = {utc_second(wall.replace(tzinfo=self.zone, fold=fold)) for fold in (0, 1)}
        return sorted(s for s in seconds if at_second(s, self.zone).replace(tzinfo=None, fold=0) == wall)

    def after_gap(self, wall: datetime.datetime) -> int:
        early, late = (utc_second(wall.replace(tzinfo=self.zone, fold=fold)) for fold in (1, 0))
        return first_change(early, late, self.zone)


class Runs:
    """The runs of an expression around a moment, day by day, and further where there are none."""

    def __init__(self, expression: cron_expressions.Expression, place: Place, middle: int):
        self.expression = expression
        self.place = place
        self.times = expression.times()
        self.around = 2 if len(self.times) > cron_expressions.DENSE else 4
        self.day = at_second(middle, place.zone).date()
        self.runs = sorted({run for shift in range(-self.around, self.around + 1)
                            for run in self.of_day(self.day + datetime.timedelta(days=shift))})
        self.later: list[int] | None = None
        self.earlier: list[int] | None = None

    def of_day(self, day: datetime.date) -> list[int]:
        if not self.expression.matches_day(day):
            return []
        runs: list[int] = []
        for time in self.times:
            wall = datetime.datetime.combine(day, time)
            instants = self.place.instants(wall)
            if self.expression.by_elapsed_time:
                runs += instants
            else:
                runs.append(instants[0] if instants else self.place.after_gap(wall))
        return runs

    def search(self, direction: int) -> list[int]:
        """The runs of the nearest day with some, beyond the days that are known, and of its neighbours."""
        day = self.day + datetime.timedelta(days=direction * (self.around + 1))
        while 1968 < day.year < 2200:  # west of Greenwich 1970 begins in 1969
            if self.expression.matches_day(day):
                near = [self.of_day(day + datetime.timedelta(days=direction * more)) for more in range(3)]
                if any(near):
                    return sorted({run for runs in near for run in runs})
            day += datetime.timedelta(days=direction)
        return []

    def next_after(self, second: int) -> int | None:
        index = bisect.bisect_right(self.runs, second)
        if index < len(self.runs):
            return self.runs[index]
        if self.later is None:
            self.later = self.search(1)
        return next((run for run in self.later if run > second), None)

    def last_to(self, second: int) -> int | None:
        index = bisect.bisect_right(self.runs, second)
        if index == 0 and self.earlier is None:
            self.earlier = self.search(-1)
        run = self.runs[index - 1] if index > 0 else \
            next((run for run in reversed(self.earlier or []) if run <= second), None)
        return run if run is not None and run >= BEGIN else None


def random_moment(rng: random.Random, place: Place) -> tuple[int, list[int]]:
    """A second, half of the time near a change of the clock; then also the hours it shows around that."""
    if not place.changes or rng.random() < 0.5:
        return rng.randint(BEGIN, END), []
    change = rng.choice(place.changes)
    near = rng.choice([HOUR, DAY])
    hours = sorted({at_second(change + shift, place.zone).hour for shift in (-HOUR, -1, 0, HOUR - 1)})
    return min(max(change + rng.randint(-near, near), BEGIN), END), rng.sample(hours, len(hours))


def random_times(rng: random.Random, runs: Runs, middle: int) -> list[int]:
    """Milliseconds: anywhere near, and on the very edges of the runs there."""
    near = [run for run in runs.runs if abs(run - middle) <= DAY]
    times = []
    for kind in rng.choices(["edge", "hour", "day"], [2, 2, 1], k=TIMES_A_GROUP):
        if near and kind == "edge":
            times.append(rng.choice(near) * 1000 + rng.choice([-1000, -1, 0, 1, 999, 1000]))
        else:
            spread = 2 * HOUR if kind == "hour" else DAY
            times.append((middle + rng.randint(-spread, spread)) * 1000 + rng.randint(0, 999))
    return [min(max(time, BEGIN), END * 1000) for time in times]


def made_triples(count: int, seed: int):
    """(line for the driver, the answer it must give)"""
    rng = random.Random(seed)
    places = [Place(name) for name in ZONES]
    made = 0
    while made < count:
        place = places[made // TIMES_A_GROUP % len(places)]
        middle, hours = random_moment(rng, place)
        expression = cron_expressions.random_expression(rng, hours)
        runs = Runs(expression, place, middle)
        for time in random_times(rng, runs, middle):
            next_run, last_run = runs.next_after(time // 1000), runs.last_to(time // 1000)
            answer = "\t".join("none" if run is None else str(run * 1000) for run in (next_run, last_run))
            yield f"{expression.text}\t{place.name}\t{time}", answer
            made += 1


def compare(driver: str, count: int, seed: int, arguments: list[str]) -> tuple[int, int, list[str], collections.Counter]:
    """(triples, differences, the first of them, differences by year)"""
    with tempfile.TemporaryFile("w+") as lines:
        expected = []
        for line, answer in made_triples(count, seed):
            lines.write(line + "\n")
            expected.append(answer)
        lines.seek(0)
        answers = subprocess.run([driver, *arguments], stdin=lines, capture_output=True, text=True,
                                 check=True).stdout.splitlines()
        lines.seek(0)
        if len(answers) != len(expected):
            sys.exit(f"cron_oracle: {len(expected)} triples, but {len(answers)} answers")
        shown, years = [], collections.Counter()
        for line, wanted, got in zip(lines, expected, answers):
            if wanted != got:
                years[at_second(int(line.split("\t")[2]) // 1000, UTC).year] += 1
                if len(shown) < SHOWN_MAX:
                    shown.append(f"{line.strip()}\n    oracle {wanted}\n    semel  {got}")
    return len(expected), sum(years.values()), shown, years


def write_row(n: int, differences: int, control: str) -> None:
    if row := os.environ.get("SEMEL_PROOF_ROW"):
        with open(row, "w", encoding="utf-8") as file:
            file.write(f"figure={differences} differences from the oracle\nn={n} (expression, zone, time)\n"
                       f"control={control}\n")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("driver")
    parser.add_argument("--triples", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--control", action="store_true")
    parser.add_argument("--control-said", default="", help="what the control did, for the row of the proof")
    options = parser.parse_args()
    arguments = ["--without-rule"] if options.control else []
    n, differences, shown, years = compare(options.driver, options.triples, options.seed, arguments)
    if options.control:
        late = sum(count for year, count in years.items() if year >= 2037)
        print(f"control: {differences} differences in {n} triples, {late} of them from 2037 on")
        return 0 if differences == late > 0 else 1
    print("\n".join([*shown, f"{differences} differences in {n} triples, {len(ZONES)} zones, 1970-2100"]))
    if differences == 0:
        write_row(n, differences, options.control_said or "not run")
    return 0 if differences == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
