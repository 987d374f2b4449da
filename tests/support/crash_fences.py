"""The fences of the crashed world: owners that claim, make their effect and seal, through every crash of the server.

Some die between effect and seal, and another takes over. What was sealed must be told for ever, byte for byte; each key has one
effect. They are remembered for longer than the world ages what has ended.
"""
import json
import random

CLIENTS = 1
LEASE_MS = 500
WAIT_MS = 2000
TTL_SECONDS = 30 * 86_400


def client(world, number: int) -> None:
    rng = random.Random(world.seed * 4000 + number)
    effects = world.ledger.connect().makefile("rw")
    sequence = 0
    while world.scheduling:
        sequence += 1
        key = f"fence-{number}-{sequence}"
        if rng.random() < 0.05:
            own(world, effects, key, dies=True)
        while not own(world, effects, key):
            pass


def claim(world, key: str) -> dict:
    status, answer = world.ask("POST", "/v1/fences/claim", {"key": key, "content": {"of": key}, "leaseMs": LEASE_MS,
                                                            "ttlSeconds": TTL_SECONDS, "waitMs": WAIT_MS})
    if status != 200:
        world.violate(f"fence_claim_{status}_{answer.get('code')}")
    return answer


def own(world, effects, key: str, dies: bool = False) -> bool:
    """Whether there is nothing left to do for the key."""
    answer = claim(world, key)
    world.count(f"fence_{answer.get('decision')}")
    if answer.get("decision") == "duplicate":
        remember(world, key, answer)  # the answer to its seal was lost, or never asked for
    if answer.get("decision") != "new":
        return answer.get("decision") != "in_flight"
    effects.write(json.dumps({"key": key, "token": answer["token"], "attempt": 1, "worker": "fence", "hash": key}) + "\n")
    effects.flush()
    effects.readline()
    if dies:
        world.count("fence_owner_died")
        return False
    status, sealed = world.ask("POST", f"/v1/fences/{key}/seal",
                               {"token": answer["token"], "effectId": key, "receipt": {"token": answer["token"]}})
    if status == 200:
        remember(world, key, sealed)
    elif sealed.get("code") == "stale_token":
        world.count("fence_late_refused")
        return False
    else:
        world.violate(f"fence_seal_{status}_{sealed.get('code')}")
    return True


def told_of(answer: dict) -> tuple:
    return tuple(json.dumps(answer.get(name)) for name in ("effectId", "receipt", "sealedAt", "expiresAt"))


def remember(world, key: str, answer: dict) -> None:
    if world.fences.setdefault(key, told_of(answer)) != told_of(answer):
        world.violate("fence_receipt_diverged")


def check(world, effects: list[dict]) -> None:
    """Of everything that was told to be sealed."""
    happened = {effect["key"] for effect in effects if effect["answer"] == "ok"}
    for key in world.fences:
        answer = claim(world, key)
        if answer.get("decision") != "duplicate":
            world.violate(f"fence_{answer.get('decision')}_not_sealed")
        else:
            remember(world, key, answer)
        world.violations["fence_without_effect"] += key not in happened
