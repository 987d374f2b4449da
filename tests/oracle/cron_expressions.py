"""Random cron expressions, and what their fields mean, in plain sets.

Written from the contract's sentences alone, for oracles that check the C++ code.
"""
import dataclasses
import datetime
import random

MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split()
WEEKDAYS = "SUN MON TUE WED THU FRI SAT".split()
RANGES = [(0, 59), (0, 59), (0, 23), (1, 31), (1, 12), (0, 6)]
DENSE = 2000  # times a day


@dataclasses.dataclass
class Expression:
    text: str
    fields: list[set[int]]  # second, minute, hour, day, month, weekday (0 is Sunday)
    either_day: bool  # day or weekday suffices
    by_elapsed_time: bool  # the hour is `*` or has a step

    def times(self) -> list[datetime.time]:
        return [datetime.time(hour, minute, second) for hour in sorted(self.fields[2])
                for minute in sorted(self.fields[1]) for second in sorted(self.fields[0])]

    def matches_day(self, day: datetime.date) -> bool:
        if day.month not in self.fields[4]:
            return False
        in_month = day.day in self.fields[3]
        in_week = day.isoweekday() % 7 in self.fields[5]
        return in_month or in_week if self.either_day else in_month and in_week


def named(rng: random.Random, field: int, value: int) -> str:
    names = {4: MONTHS, 5: WEEKDAYS}.get(field)
    if names and rng.random() < 0.4:
        name = names[value - RANGES[field][0]]
        return rng.choice([name, name.lower(), name.capitalize()])
    if field == 5 and value == 0 and rng.random() < 0.5:
        return "7"
    return str(value)


def random_item(rng: random.Random, field: int) -> tuple[str, set[int]]:
    low, high = RANGES[field]
    kind = rng.random()
    if kind < 0.55:
        value = rng.randint(low, high)
        return named(rng, field, value), {value}
    if kind < 0.75:
        first, last = sorted((rng.randint(low, high), rng.randint(low, high)))
        step = rng.randint(1, high - low + 1) if rng.random() < 0.4 else None
        begin = str(first) if field == 5 else named(rng, field, first)
        text = f"{begin}-{str(last) if field == 5 else named(rng, field, last)}"
        return (text, set(range(first, last + 1))) if step is None else \
            (f"{text}/{step}", set(range(first, last + 1, step)))
    if kind < 0.95:
        step = rng.randint(1, high - low + 1)
        return f"*/{step}", set(range(low, high + 1, step))
    return "*", set(range(low, high + 1))


def random_field(rng: random.Random, field: int, star: float) -> tuple[str, set[int]]:
    low, high = RANGES[field]
    if rng.random() < star:
        return "*", set(range(low, high + 1))
    items = [random_item(rng, field) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
    return ",".join(text for text, _ in items), set().union(*(values for _, values in items))


def has_a_day(fields: list[set[int]], either_day: bool) -> bool:
    longest = {2: 29, 4: 30, 6: 30, 9: 30, 11: 30}
    return either_day or any(day <= longest.get(month, 31) for month in fields[4] for day in fields[3])


def random_hours(rng: random.Random, hours: list[int]) -> tuple[str, set[int]]:
    """A fixed hour, or a range or list of them, out of these."""
    first, last = min(hours), max(hours)
    some = set(rng.sample(hours, rng.randint(1, len(hours))))
    return rng.choice([(str(hours[0]), {hours[0]}), (f"{first}-{last}", set(range(first, last + 1))),
                       (",".join(map(str, some)), some)])


def random_expression(rng: random.Random, hours: list[int] | None = None) -> Expression:
    """Mostly sparse ones; one in a hundred may be dense. `hours`: where the clock changes nearby.

    Half of those near a change have their hour there, on every day: they are what it can go wrong for.
    """
    while True:
        with_seconds = rng.random() < 0.3
        stars = [0.1, 0.2, 0.3, rng.choice([0.3, 0.9]), rng.choice([0.4, 0.95]), rng.choice([0.4, 0.95])]
        made = [random_field(rng, field, stars[field]) for field in range(6)]
        if rng.random() < 0.4:
            hour = rng.choice([0, 0, 1, 2, 2, 3, 23])
            made[2] = (str(hour), {hour})
        if hours and rng.random() < 0.5:
            made[2] = random_hours(rng, hours)
            made[3:] = [("*", set(range(low, high + 1))) for low, high in RANGES[3:]]
        if not with_seconds:
            made[0] = ("", {0})
        texts = [text for text, _ in made]
        fields = [values for _, values in made]
        either_day = not texts[3].startswith("*") and not texts[5].startswith("*")
        times = len(fields[0]) * len(fields[1]) * len(fields[2])
        if has_a_day(fields, either_day) and (times <= DENSE or rng.random() < 0.01):
            by_elapsed_time = "*" in texts[2] or "/" in texts[2]
            return Expression(" ".join(text for text in texts if text), fields, either_day, by_elapsed_time)
