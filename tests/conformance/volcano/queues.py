#!/usr/bin/env python3
"""Random trees of Queues: `gpol verify` refuses the very first one of each that Volcano's webhook refuses, or none.

queues.py GPOL JUDGE SEED VALID INVALID   so many trees of each kind, as the webhook says it
"""
import json
import os
import random
import subprocess
import sys
import tempfile

GPU, CPU, MEMORY, SLICE = "nvidia.com/gpu", "cpu", "memory", "nvidia.com/mig-1g.10gb"


def tree(rng):
    """A tree that the webhook takes: parents first, sums and limits kept."""
    queues = []

    def grow(parent, depth, capability, deserved, guarantee):
        for _ in range(rng.randint(1, 3)):
            queue = {"name": f"q{len(queues)}", "parent": parent, "capability": {}, "deserved": {}, "guarantee": {}}
            for resource in (GPU, CPU, MEMORY, SLICE):
                if rng.random() < 0.4:
                    continue
                limit = capability.get(resource)
                own = rng.randint(0, 20 if limit is None else limit)
                if rng.random() < 0.8:
                    queue["capability"][resource] = own
                top = own if resource in queue["capability"] else 20
                if parent != "root":
                    top = min(top, deserved.get(resource, 0))
                if rng.random() < 0.7 and (parent == "root" or resource in deserved or resource in (CPU, MEMORY)):
                    queue["deserved"][resource] = rng.randint(0, max(0, top))
                    if parent != "root":
                        deserved[resource] = deserved.get(resource, 0) - queue["deserved"][resource]
                    most = queue["deserved"][resource]
                    if parent != "root":
                        most = min(most, guarantee.get(resource, 0))
                    if rng.random() < 0.6 and (parent == "root" or resource in guarantee or resource in (CPU, MEMORY)):
                        queue["guarantee"][resource] = rng.randint(0, max(0, most))
                        if parent != "root":
                            guarantee[resource] = guarantee.get(resource, 0) - queue["guarantee"][resource]
            queues.append(queue)
            if depth < 4 and rng.random() < 0.5:
                above = dict(capability)
                above.update({r: v for r, v in queue["capability"].items() if v > 0})
                grow(queue["name"], depth + 1, above, dict(queue["deserved"]), dict(queue["guarantee"]))

    grow("root", 1, {}, {}, {})
    return queues


def spoil(rng, queues):
    """One change, which may leave the tree as good as it was."""
    queue = rng.choice(queues)
    part = rng.choice(["capability", "deserved", "guarantee"])
    resource = rng.choice([GPU, CPU, MEMORY, SLICE])
    change = rng.randrange(11)
    if change == 0:
        queue[part][resource] = rng.choice([-1, "1.5", "500m", "1e3", "many", "12Gi", 40])
    elif change == 1:
        queue[part].pop(resource, None)
    elif change == 2:
        queue[part][resource] = queue[part].get(resource, 0) if isinstance(queue[part].get(resource, 0), str) else (
            queue[part].get(resource, 0) + rng.choice([-3, -1, 1, 2, 9]))
    elif change == 3:
        rng.shuffle(queues)
    elif change == 4:
        queue["parent"] = rng.choice(queues)["name"]
    elif change == 5:
        queue["more"] = {"weight": rng.choice([0, 1, 65535, 65536, "1"])}
    elif change == 6:
        queue["more"] = {"priority": rng.choice([0, -1, 7, 2**31])}
    elif change == 7:
        queue["more"] = {"dequeueStrategy": rng.choice(["fifo", "traverse", "FIFO"]), "reclaimable": rng.choice([True, "yes"])}
    elif change == 8:
        paths = rng.choice([("root/a", "1/2"), ("root/a", "1"), ("root", "0"), ("root/a/b", "1/x/2"), ("root/a", "1/0.5")])
        queue["annotations"] = {"volcano.sh/hierarchy": paths[0], "volcano.sh/hierarchy-weights": paths[1]}
    elif change == 9:
        queue["name"] = rng.choice(["Upper", "two words", "a.b", "x" * 64, queue["name"]])
    else:
        at = queues.index(queue)  # a chain below it
        for level in range(rng.randint(1, 6)):
            queues.insert(at + 1 + level, {"name": f"deep{level}", "parent": queues[at + level]["name"], "capability": {},
                                           "deserved": {}, "guarantee": {}})


def documents(queues):
    for queue in queues:
        spec = {"parent": queue["parent"], **queue.get("more", {})}
        for part in ("capability", "deserved"):
            if queue[part]:
                spec[part] = queue[part]
        if queue["guarantee"]:
            spec["guarantee"] = {"resource": queue["guarantee"]}
        metadata = {"name": queue["name"]}
        if "annotations" in queue:
            metadata["annotations"] = queue["annotations"]
        yield json.dumps({"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "Queue", "metadata": metadata, "spec": spec})


def first_of_webhook(judge, text):
    out = subprocess.run([judge, "accept"], input=text, capture_output=True, text=True, check=True).stdout
    for at, line in enumerate(out.splitlines()):
        verdict = json.loads(line)
        if not verdict["allowed"]:
            return at, verdict["message"]
    return None, ""


def first_of_gpol(gpol, path):
    run = subprocess.run([gpol, "verify", path, "--format", "json"], capture_output=True, text=True)
    report = json.loads(run.stdout)
    errors = [d for d in report["diagnostics"] if d["severity"] == "error" and d["location"]]
    if not errors:
        return None, ""
    first = min(errors, key=lambda d: d["location"]["document"])
    return first["location"]["document"], first["message"]


def main(gpol, judge, seed, valid, invalid):
    rng = random.Random(int(seed))
    counts = {True: 0, False: 0}
    wanted = {True: int(valid), False: int(invalid)}
    wrong = 0
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "queues.yaml")
        while any(counts[kind] < wanted[kind] for kind in counts):
            queues = tree(rng)
            if rng.random() < 0.5:
                spoil(rng, queues)
            names = {queue["name"] for queue in queues}
            if len(names) < len(queues) or any(queue["parent"] not in names | {"root"} for queue in queues):
                continue  # a parent that was not read may be there already
            text = "\n---\n".join(documents(queues)) + "\n"
            real, why = first_of_webhook(judge, text)
            if counts[real is None] >= wanted[real is None]:
                continue
            counts[real is None] += 1
            with open(path, "w") as out:
                out.write(text)
            said, what = first_of_gpol(gpol, path)
            if said != real:
                wrong += 1
                print(f"volcano: the webhook refuses {real} ({why}), gpol {said} ({what}) of:\n{text}")
    print(f"volcano: {counts[True]} trees of Queues that the webhook takes and {counts[False]} that it refuses, "
          f"{wrong} judged otherwise by `gpol verify` (seed {seed})")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
