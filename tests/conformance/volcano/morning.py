"""Mornings for the real scheduler, of what `gpol build` wrote.

morning.py DIRECTORY CONF   histories for `volcano-judge play` on stdout: the emitted queues and configuration, and the
                            configuration that Volcano is installed with (CONF) with no queue but its own
morning.py --judge FILE     reads what the judge printed of them; exit 1 where a morning ends otherwise than it must
Batch floods first; then chat asks for all of its reserve, in pods of one GPU. Ten arrival orders of batch.
"""
import json
import pathlib
import random
import sys

import yaml

NODES, GPUS = 3, 8  # of each pool, as the example says; one node of `live` is lost
SHARE = {"cpu": "23", "memory": "248Gi"}  # of one GPU


def documents(path):
    return [d for d in yaml.safe_load_all(path.read_text()) if d]


def pod(name, pool):
    of_pool = {"nodeSelector": pool["labels"], "tolerations": [
        {"key": t["key"], "operator": "Equal", "value": t["value"], "effect": t["effect"]} for t in pool["taints"]
    ]} if pool else {}
    return {"name": name, "requests": {"nvidia.com/gpu": "1", **SHARE}, **of_pool}


def job(namespace, name, queue, count, pool):
    pods = [pod(f"{name}-{i}", pool) for i in range(count)]
    return {"do": "job", "namespace": namespace, "name": name, "queue": queue, "minMember": 1, "pods": pods}


def morning(name, conf, queues, pools, flood, queue_of_chat):
    steps = []
    for pool, (count, marks) in pools.items():
        for i in range(count):
            steps.append({"do": "node", "name": f"{pool}-{i}", "labels": marks["labels"], "taints": marks["taints"],
                          "allocatable": {"cpu": "184", "memory": "1984Gi", "pods": "100", "nvidia.com/gpu": str(GPUS)}})
    steps += [{"do": "queue", "object": queue} for queue in queues]
    for one in flood:
        steps += [one, {"do": "session"}]
    steps += [job("chat-prod", "chat", queue_of_chat, 16, pools["live"][1] if queues else None), {"do": "session"},
              {"do": "session"}]
    return {"name": name, "conf": conf, "repeats": 3, "steps": steps}


def main(directory, conf):
    directory = pathlib.Path(directory)
    queues = documents(directory / "base/queues.yaml")
    emitted = documents(directory / "scheduler/volcano-scheduler-configmap.yaml")[0]["data"]["volcano-scheduler.conf"]
    pools = {}
    for name, count in (("live", NODES - 1), ("train", NODES)):
        patch = yaml.safe_load((directory / f"nodes/{name}.yaml").read_text())
        pools[name] = (count, {"labels": patch["metadata"]["labels"], "taints": patch["spec"]["taints"]})
    bare = {name: (count, {"labels": {}, "taints": []}) for name, (count, _) in pools.items()}
    for order in range(10):
        draw = random.Random(order)
        flood = [("ml-train", "finetune"), ("ml-sweep", "sweep")] * 20
        draw.shuffle(flood)
        marked = [job(ns, f"{queue}-{i}", queue, 1 + draw.randrange(4), pools["train"][1]) for i, (ns, queue) in enumerate(flood)]
        print(json.dumps(morning(f"emitted {order}", emitted, queues, pools, marked, "chat")))
        plain = [job(ns, f"{queue}-{i}", "default", 4, None) for i, (ns, queue) in enumerate(flood)]
        print(json.dumps(morning(f"installed {order}", pathlib.Path(conf).read_text(), [], bare, plain, "default")))


def judge(path):
    bad = 0
    counts = {"emitted": 0, "installed": 0}
    for line in pathlib.Path(path).read_text().splitlines():
        history = json.loads(line)
        kind = history["name"].split()[0]
        if history["error"]:
            print(f"volcano: {history['name']}: {history['error']}")
            bad += 1
        for run in history["runs"]:
            counts[kind] += 1
            bound = {name for session in run["sessions"] for name in session["bound"] if name.startswith("chat-prod/")}
            at_once = [name for name in run["sessions"][-2]["bound"] if name.startswith("chat-prod/")]
            evicted = [name for session in run["sessions"] for name in session["evicted"]]
            if kind == "emitted" and (len(at_once) != 16 or evicted):
                print(f"volcano: {history['name']}: chat has {len(at_once)} of 16 GPUs at once; evicted: {evicted}")
                bad += 1
            if kind == "installed" and bound:
                print(f"volcano: {history['name']}: chat has {len(bound)} GPUs with the installed configuration: the flood is none")
                bad += 1
    print(f"volcano: {counts['emitted']} mornings with what is emitted: chat has 16 of 16 GPUs at once; "
          f"{counts['installed']} as Volcano is installed: 0 of 16; {bad} otherwise")
    return 1 if bad or not all(counts.values()) else 0


if __name__ == "__main__":
    if sys.argv[1] == "--judge":
        sys.exit(judge(sys.argv[2]))
    main(sys.argv[1], sys.argv[2])
