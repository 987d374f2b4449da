"""The chains of the crashed world: what clients start, what a worker does with a step, what must hold in the end.

A chain of type `step` says in its input how many steps are left, and each completion continues it with one less. Some
wait for two chains that are started with them. Some of those are doomed: their worker fails them for good, so that
whoever waits for them, and whoever waits for these, must fail and never run.
"""
import collections
import random
import time

CLIENTS = 2
STEPS_MAX = 4
WAIT_MS = 2000
STUCK_SECONDS = 120
# Chains go before the actions, of which there are always more than workers can do.
OPTIONS = {"priority": 10, "maxRetries": 1000, "backoff": {"kind": "fixed", "delayMs": 0}}


class Promised:
    """One chain, by its key: how many steps it has, and whether it has to fail instead."""

    def __init__(self, key: str, steps: int, fails: bool = False) -> None:
        self.key = key
        self.steps = steps
        self.fails = fails
        self.parts: list[Promised] = []  # started with it, and waited for
        self.id = ""

    def names(self) -> set[str]:
        return set() if self.fails else {f"{self.key}:{index}" for index in range(self.steps)}


def step(chain: Promised, doomed: bool = False) -> dict:
    return {"type": "step", "input": {"key": chain.key, "left": chain.steps - 1, "doomed": doomed}, **OPTIONS}


def request(chain: Promised, blockers: list) -> dict:
    return {**step(chain), "blockers": blockers, "deduplication": {"key": chain.key, "scope": "any"}}


# ---- workers ------------------------------------------------------------------------------------


def is_doomed(job: dict) -> bool:
    return bool(job["input"].get("doomed"))


def name_of(job: dict) -> str:
    """What a job's effect is called, whichever row of the store led to it."""
    key = job["input"]["key"]
    return f"{key}:{job['chainIndex']}" if job["type"] == "step" else key


def outcome(job: dict, worker: int) -> dict:
    left = job["input"].get("left", 0)
    if left == 0:
        return {"output": {"by": worker}}
    return {"continueWith": {"type": "step", "input": {**job["input"], "left": left - 1}}}


# ---- clients ------------------------------------------------------------------------------------


def client(world, number: int) -> None:
    rng = random.Random(world.seed * 4000 + number)
    sequence = 0
    while world.scheduling:
        sequence += 1
        ageings = world.ageings
        key = f"chain-{number}-{sequence}"
        fails = rng.random() < 0.3
        chain = Promised(key, rng.randrange(1, STEPS_MAX), fails)
        chain.parts = [Promised(f"{key}-{n}", rng.randrange(1, STEPS_MAX), fails and n == 0) for n in range(2)]
        blockers = [step(part, doomed=part.fails) for part in chain.parts]
        if not start(world, chain, request(chain, blockers), ageings, in_batch=rng.random() < 0.3):
            continue
        behind = Promised(f"{key}-behind", 1, fails)
        start(world, behind, request(behind, [chain.id]), ageings, in_batch=False)
        wait(world, chain.id)


def start(world, chain: Promised, body: dict, ageings: int, in_batch: bool) -> bool:
    """Twice: the second is a duplicate of the first, whatever became of its answer."""
    for _ in range(2):
        if in_batch:
            _, answers = world.ask("POST", "/v1/chains/batch", {"items": [body, body]})
            results = answers.get("results", [answers])
        else:
            results = [world.ask("POST", "/v1/chains", body)[1]]
        for answer in results:
            if "chain" not in answer and ageings != world.ageings:
                return False  # retention took the chain that it was to wait for
            if not acknowledge(world, chain, answer):
                return False
    world.count("chains")
    return True


def acknowledge(world, chain: Promised, answer: dict) -> bool:
    if "chain" not in answer:
        world.violate(f"start_{answer.get('code') or answer}")
        return False
    with world.lock:
        known = world.chains.setdefault(chain.key, chain)
        known.id = known.id or answer["chain"]["id"]
        world.told_new[chain.key] += not answer["deduplicated"]
    if known.id != answer["chain"]["id"]:
        world.violate("two_chains_for_one_key")
    return True


def wait(world, chain_id: str) -> None:
    while world.scheduling:
        status, _ = world.ask("GET", f"/v1/chains/{chain_id}/wait?timeoutMs={WAIT_MS}")
        if status != 408:
            return


# ---- in the end ---------------------------------------------------------------------------------


def drain(world) -> None:
    """Until every chain has ended; one that does not is stuck."""
    for chain in list(world.chains.values()):
        deadline, done = time.monotonic() + STUCK_SECONDS, len(world.completed_by)
        while world.ask("GET", f"/v1/chains/{chain.id}/wait?timeoutMs={WAIT_MS}")[0] == 408:
            if done < len(world.completed_by):  # others go on, and this one's turn comes
                deadline, done = time.monotonic() + STUCK_SECONDS, len(world.completed_by)
            elif time.monotonic() > deadline:
                world.violate("chain_stuck")
                return


def check(world, effects: list[dict]) -> None:
    check_steps(world, effects)
    for chain in world.chains.values():
        check_chain(world, chain)


def check_steps(world, effects: list[dict]) -> None:
    """Each step of each chain by one job, in order, none of a chain that had to fail, and no other."""
    jobs, at = collections.defaultdict(set), {}
    for effect in effects:
        if effect["answer"] == "ok" and str(effect["hash"]).startswith("chain-"):
            jobs[effect["hash"]].add(effect["key"])
            at.setdefault(effect["hash"], effect["at"])
    promised = set()
    for chain in world.chains.values():
        promised |= chain.names().union(*(part.names() for part in chain.parts))
        world.violations["step_out_of_order"] += not is_in_order(chain, at)
    world.violations["step_lost"] += len(promised - jobs.keys())
    world.violations["step_unexpected"] += len(jobs.keys() - promised)
    world.violations["step_doubled"] += sum(1 for ids in jobs.values() if len(ids) > 1)


def is_in_order(chain: Promised, at: dict[str, float]) -> bool:
    """Its first step after the last of each that it waited for, and its steps one after another."""
    def times(one: Promised) -> list[float]:
        return [at[name] for name in (f"{one.key}:{index}" for index in range(one.steps)) if name in at]
    own = times(chain)
    before = [time for part in chain.parts for time in times(part)]
    return own == sorted(own) and (not own or not before or max(before) <= own[0])


def check_chain(world, chain: Promised) -> None:
    wanted = "failed" if chain.fails else "completed"
    status, shown = world.ask("GET", f"/v1/chains/{chain.id}")
    if status == 404 and world.ageings:
        check_purged(world, chain, wanted)
        return
    if status != 200:
        world.violate("chain_lost")
        return
    if shown["chain"]["status"] != wanted:
        world.violate(f"chain_{shown['chain']['status']}_not_{wanted}")
        world.evidence.append(str(shown))
    _, page = world.ask("GET", f"/v1/chains/{chain.id}/jobs")
    indexes = [job["chainIndex"] for job in page.get("items", [])]
    if indexes != list(range(1 if chain.fails else chain.steps)):
        world.violate("chain_with_other_steps")
        world.evidence.append(f"{chain.id}: {indexes}")


def check_purged(world, chain: Promised, wanted: str) -> None:
    """What the key remembers of a chain that retention has deleted."""
    _, answer = world.ask("POST", "/v1/chains", request(chain, []))
    found = answer.get("chain", {})
    if found.get("id") != chain.id or found.get("status") != wanted:
        world.violate("chain_forgotten")
