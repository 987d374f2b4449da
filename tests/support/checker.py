"""What a world that was crashed must hold in the end, read from the client log, the effect ledger and the store."""
import collections
import datetime
import json
import random

import crash_chains
import crash_fences
import crash_world

HISTORIES_CHECKED = 300
SECOND = datetime.timedelta(seconds=1)


def check(world: crash_world.World, effects: list[dict]) -> None:
    """Counts what is broken in `world.violations`."""
    stored = {action["id"]: action for action in all_actions(world, "work")}
    check_keys(world, stored)
    check_effects(world, effects)
    crash_chains.check(world, effects)
    crash_fences.check(world, effects)
    ticks = all_actions(world, "tick")
    check_slots(world, ticks)
    done = [id for id, action in stored.items() if action["status"] == "completed"]
    done += [tick["id"] for tick in ticks if tick["status"] == "completed"]
    for action_id in random.Random(1).sample(sorted(done), min(HISTORIES_CHECKED, len(done))):
        check_history(world, action_id)


def all_actions(world: crash_world.World, kind: str) -> list[dict]:
    found, cursor = [], ""
    while True:
        _, page = world.ask("GET", f"/v1/actions?type={kind}&limit=500{cursor}")
        found += page["items"]
        if not page.get("nextCursor"):
            return found
        cursor = f"&cursor={page['nextCursor']}"


def check_keys(world: crash_world.World, stored: dict[str, dict]) -> None:
    by_key = collections.Counter(action["payload"]["key"] for action in stored.values())
    world.violations["dup_action"] += sum(1 for n in by_key.values() if n > 1)
    world.violations["two_new"] += sum(1 for n in world.told_new.values() if n > 1)
    for key, action_id in world.acknowledged.items():
        found = stored.get(action_id) or purged(world, key, action_id)
        if found is None:
            world.violate("lost")
        elif found["status"] != "completed":
            world.violate(f"ended_{found['status']}")
            _, shown = world.ask("GET", f"/v1/actions/{action_id}")
            world.evidence.append(json.dumps(shown))


def purged(world: crash_world.World, key: str, action_id: str) -> dict | None:
    """What the key remembers of an action that retention has deleted."""
    if not world.ageings:
        return None
    _, answer = world.ask("POST", "/v1/actions", crash_world.action(key))
    return answer if answer.get("purged") and answer["id"] == action_id else None


def check_effects(world: crash_world.World, effects: list[dict]) -> None:
    happened = collections.Counter(e["key"] for e in effects if e["answer"] == "ok")
    world.violations["dup_effect"] += sum(1 for n in happened.values() if n > 1)
    world.violations["no_effect"] += sum(1 for i in world.acknowledged.values() if not happened[i])
    world.violations["late_accepted"] += sum(1 for t in world.completed_by.values() if len(t) > 1)


def check_slots(world: crash_world.World, ticks: list[dict]) -> None:
    """Each slot once, none left out. What is pruned was the earliest."""
    slots = collections.defaultdict(list)
    for tick in ticks:
        slots[tick["scheduleName"]].append(datetime.datetime.fromisoformat(tick["slot"]))
        if tick["status"] not in ("completed", "cancelled"):
            world.violate(f"tick_{tick['status']}")
    for times in slots.values():
        times.sort()
        steps = [later - earlier for earlier, later in zip(times, times[1:])]
        world.violations["slot_double"] += sum(1 for step in steps if step < SECOND)
        world.violations["slot_missing"] += sum(1 for step in steps if step > SECOND)


def check_history(world: crash_world.World, action_id: str) -> None:
    _, shown = world.ask("GET", f"/v1/actions/{action_id}")
    ends = [entry["outcome"] for entry in shown["history"]]
    if ends.count("completed") != 1:
        world.violate("completed_twice")
    tokens = [entry["token"] for entry in shown["history"]]
    if tokens != sorted(set(tokens)):
        world.violate("token_reused")
