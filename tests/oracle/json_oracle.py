#!/usr/bin/env python3
"""RFC 8785 and RFC 6902 against npm: json_oracle.py DRIVER --folder FOLDER [--cases N] [--control]

The canonical form is held against npm's canonicalize, for the RFC's own samples and for generated texts. A diff is applied by
npm's fast-json-patch and must lead to the second document: for the documents of json-patch-test-suite, with which the applier
itself is tried first, and for generated pairs. Ends with 77 (skipped) only where there is no node or npm, or npm cannot fetch
the packages. --control has the driver answer wrongly, which must be found.
"""
import argparse
import json
import pathlib
import random
import sys

import json_texts
import npm_packages

PACKAGES = ["canonicalize@4", "fast-json-patch@3", "json-patch-test-suite@1"]
SHOWN_MAX = 10
SUITE_MIN = 50  # so many of its cases are valid at least; fewer means that they were not read

# RFC 8785: the sample of section 3.2.2 (whose first number a double does not hold, so that there is none for us), the names of
# 3.2.3, and the numbers of appendix B as ECMAScript prints them.
SAMPLES = [
    (r'{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],'
     r'"string":"\u20ac$\u000F\u000aA' "'" r'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}', "none"),
    (r'{"numbers":[333333333.3333333,1E30,4.50,2e-3,0.000000000000000000000000001],'
     r'"string":"\u20ac$\u000F\u000aA' "'" r'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}',
     r'{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
     '"string":"\u20ac$' + r'\u000f\nA' + "'" + r'B\"\\\\\"/"}'),
    (r'{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One",'
     r'"\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}',
     r'{"\r":"Carriage Return","1":"One",' + '"\x80":"Control","\xf6":"Latin Small Letter O With Diaeresis",'
     '"\u20ac":"Euro Sign","\U0001f600":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}'),
    *((text, text) for text in (
        "0", "5e-324", "-5e-324", "1.7976931348623157e+308", "-1.7976931348623157e+308", "9007199254740992",
        "-9007199254740992", "295147905179352830000", "9.999999999999997e+22", "1e+23", "1.0000000000000001e+23",
        "999999999999999700000", "999999999999999900000", "1e+21", "9.999999999999997e-7", "0.000001",
        "333333333.3333332", "333333333.33333325", "333333333.3333333", "333333333.3333334", "333333333.33333343",
        "-0.0000033333333333333333", "1424953923781206.2")),
    ("-0", "0"),
]


def json_number(rng: random.Random) -> json_texts.Number:
    """One that JavaScript holds exactly: an applier there must not lose any."""
    return json_texts.Number(rng.choice([rng.randint(-1000, 1000), repr(rng.uniform(-1000, 1000))]))


class Oracle:
    def __init__(self, driver: str, folder: pathlib.Path, control: bool) -> None:
        self.ours = [driver] + (["--unsorted"] if control else [])
        script = pathlib.Path(__file__).parent / "json_answers.mjs"
        self.theirs = ["node", str(script), str(folder.resolve())]
        self.differences: list[str] = []
        self.compared = 0

    def hold(self, question: str, wanted: str, got: str) -> None:
        self.compared += 1
        if wanted != got:
            self.differences.append(f"{question}\n    oracle {wanted}\n    semel  {got}")

    def compare_samples(self) -> None:
        texts = [text for text, _ in SAMPLES]
        ours = npm_packages.answers_of(self.ours, [f"canonical\t{text}" for text in texts])
        for (text, wanted), got in zip(SAMPLES, ours):
            self.hold(text, wanted, got)

    def compare_canonical(self, cases: int, rng: random.Random) -> int:
        """How many have a canonical form."""
        values = [json_texts.random_value(rng, 3) for _ in range(cases)]
        lines = [f"canonical\t{json_texts.spelled(rng, value)}" for value in values]
        ours = npm_packages.answers_of(self.ours, lines)
        theirs = npm_packages.answers_of(self.theirs, lines)
        survived = 0
        for value, line, our, their in zip(values, lines, ours, theirs):
            if not json_texts.fits(value):
                self.hold(line, "error", our.split("\t")[0])  # refused when it is read
                continue
            survives = json_texts.survives(value)
            survived += survives
            self.hold(line, their if survives else "none", our)
        return survived

    def compare_diffs(self, pairs: list[tuple[str, str]]) -> None:
        patches = npm_packages.answers_of(self.ours, [f"diff\t{first}\t{second}" for first, second in pairs])
        lines = [f"apply\t{first}\t{patch}\t{second}" for (first, second), patch in zip(pairs, patches)]
        for line, reached in zip(lines, npm_packages.answers_of(self.theirs, lines)):
            self.hold(line, "same", reached)

    def suite(self) -> list[tuple[str, str]]:
        """Its pairs of documents; the applier must do what the suite says of its patches."""
        cases = [{name: json.dumps(part) for name, part in case.items()}
                 for case in json.loads(npm_packages.answers_of(self.theirs, ["suite"])[0])]
        lines = [f"apply\t{case['doc']}\t{case['patch']}\t{case['expected']}" for case in cases]
        wrong = [line for line, reached in zip(lines, npm_packages.answers_of(self.theirs, lines)) if reached != "same"]
        if wrong or len(cases) < SUITE_MIN:
            sys.exit(f"json_oracle: of {len(cases)} cases of the suite the applier gets {len(wrong)} wrong: {wrong[:3]}")
        return [(case["doc"], case["expected"]) for case in cases]


def made_pairs(cases: int, rng: random.Random) -> list[tuple[str, str]]:
    pairs = []
    for _ in range(cases):
        first = json_texts.random_value(rng, 3, json_number)
        second = (json_texts.random_value(rng, 3, json_number) if rng.random() < 0.2
                  else json_texts.edited(rng, first, json_number))
        pairs.append((json_texts.spelled(rng, first), json_texts.spelled(rng, second)))
    return pairs


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("driver")
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--control", action="store_true")
    options = parser.parse_args()
    npm_packages.install(options.folder, PACKAGES)
    rng = random.Random(options.seed)
    oracle = Oracle(options.driver, options.folder, options.control)
    oracle.compare_samples()
    survived = oracle.compare_canonical(options.cases, rng)
    suite = oracle.suite()
    oracle.compare_diffs(suite)
    oracle.compare_diffs(made_pairs(options.cases, rng))
    found = len(oracle.differences)
    if options.control:
        print(f"control: {found} differences in {oracle.compared} cases")
        return 0 if found else 1
    print("\n".join([*oracle.differences[:SHOWN_MAX],
                     f"{found} differences from npm in {oracle.compared} cases: {len(SAMPLES)} of RFC 8785, {options.cases} "
                     f"texts ({survived} with a canonical form), {len(suite)} documents of json-patch-test-suite, "
                     f"{options.cases} pairs"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
