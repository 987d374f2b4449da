"""Random JSON documents, and texts that say them in many spellings."""
import decimal
import math
import random

CHARACTERS = "abAB01/~ \"\\'\b\f\n\r\t\x00\x1f\x7f\x80\xf6\u20ac\u2028\ud7ff\ue000\ufb33\uffff\U00010000\U0001f600\U0010ffff"
NAMED = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


class Number(str):
    """Its digits, as they stand in the text."""


def random_number(rng: random.Random) -> Number:
    kind = rng.random()
    if kind < 0.3:
        return Number(rng.randint(-1000, 1000))
    if kind < 0.45:
        return Number(repr(rng.uniform(-1, 1) * 10.0 ** rng.randint(-30, 30)))
    if kind < 0.6:
        return Number(f"{rng.randint(-10**6, 10**6)}{rng.choice(['.0', '.50', 'e2', 'E+3', 'e-7', '.25e1'])}")
    if kind < 0.8:  # around what a double can hold
        return Number(rng.choice([2**53, 2**63, 10**21, 10**16]) + rng.randint(-3, 3))
    if kind < 0.9:
        return Number(f"{rng.randint(1, 9)}.{rng.randint(0, 10**18):018}e{rng.randint(-330, 310)}")
    return Number(rng.choice(["-0", "0.0", "-0e5", "5e-324", "1e308", "1.7976931348623157e308", "1e-400", "1e400"]))


def random_string(rng: random.Random) -> str:
    return "".join(rng.choice(CHARACTERS) for _ in range(rng.choice([0, 1, 1, 2, 3, 8])))


def random_value(rng: random.Random, depth: int, number=random_number):
    kind = rng.random()
    if depth > 0 and kind < 0.3:
        return {random_string(rng): random_value(rng, depth - 1, number) for _ in range(rng.randrange(5))}
    if depth > 0 and kind < 0.5:
        return [random_value(rng, depth - 1, number) for _ in range(rng.randrange(5))]
    if kind < 0.75:
        return number(rng)
    return random_string(rng) if kind < 0.9 else rng.choice([None, True, False])


def edited(rng: random.Random, value, number=random_number):
    """The same with something else in it."""
    if isinstance(value, dict) and value and rng.random() < 0.8:
        other = dict(value)
        name = rng.choice(list(other))
        if rng.random() < 0.3:
            del other[name]
        else:
            other[rng.choice([name, random_string(rng)])] = edited(rng, value[name], number)
        return other
    if isinstance(value, list) and value and rng.random() < 0.8:
        other, place = list(value), rng.randrange(len(value))
        change = rng.random()
        if change < 0.3:
            del other[place]
        elif change < 0.6:
            other.insert(place, random_value(rng, 1, number))
        else:
            other[place] = edited(rng, value[place], number)
        return other
    return random_value(rng, 2, number)


def spelled_character(rng: random.Random, character: str) -> str:
    if ord(character) < 0x20 or character in '"\\' or rng.random() < 0.3:
        if character in NAMED and rng.random() < 0.5:
            return NAMED[character]
        units = character.encode("utf-16-be")
        return "".join(f"\\u{units[i]:02x}{units[i + 1]:02X}" for i in range(0, len(units), 2))
    return "\\/" if character == "/" and rng.random() < 0.3 else character


def spelled(rng: random.Random, value) -> str:
    """A text of it, without raw tabs and newlines."""
    space = rng.choice(["", "", " "])
    match value:
        case Number():
            return value
        case str():
            return '"' + "".join(spelled_character(rng, character) for character in value) + '"'
        case dict():
            members = [f"{spelled(rng, name)}{space}:{space}{spelled(rng, inner)}" for name, inner in value.items()]
            rng.shuffle(members)
            return "{" + space + f"{space},".join(members) + "}"
        case list():
            return "[" + f",{space}".join(spelled(rng, inner) for inner in value) + space + "]"
        case None:
            return "null"
        case _:
            return "true" if value else "false"


def numbers_of(value) -> list[Number]:
    match value:
        case Number():
            return [value]
        case dict():
            return [number for inner in value.values() for number in numbers_of(inner)]
        case list():
            return [number for inner in value for number in numbers_of(inner)]
        case _:
            return []


def fits(value) -> bool:
    """Whether no number is larger than a double can be."""
    return all(math.isfinite(float(number)) for number in numbers_of(value))


def survives(value) -> bool:
    """Whether every number is the decimal that its double, printed shortest, denotes."""
    return all(decimal.Decimal(number) == decimal.Decimal(repr(float(number))) for number in numbers_of(value))
