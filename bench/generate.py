#!/usr/bin/env python3
"""Writes one benchmark policy to standard output.

usage: generate.py TENANTS [--distinct]

A tree of four levels (root, 20 divisions, 25 departments each or fewer, tenants) over four pools; limits on queues and on
cohorts; one tenant in five is class B and lends to a batch tenant of its department through an allow; about one queue in
a hundred is of class B and lends without limit, so its claim is refuted. At most 100 distinct quota tuples; with
--distinct every tenant has its own. A class B tenant becomes one ClusterQueue per pool, a batch tenant one ClusterQueue
over four flavors, and every (queue, flavor) has four resources (cpu, memory, GPUs, pods). No randomness beyond a fixed
congruence.
"""
import sys

POOLS = ["h100", "a100", "l40s", "h200"]


def pick(i, k, lo, hi):
    x = (i * 1103515245 + k * 12345 + 777) & 0x7FFFFFFF
    x = (x * 1103515245 + 12345) & 0x7FFFFFFF
    return lo + (x >> 8) % (hi - lo + 1)


def main():
    tenants = int(sys.argv[1])
    distinct = "--distinct" in sys.argv[2:]
    out = []
    per_department = 20
    departments = max(1, tenants // per_department)
    divisions = max(1, departments // 25)
    # Enough nodes for every quota: the benchmark is about queues, not about a full cluster. They are small in memory, so that all
    # of a pool for 100,000 tenants stays below the 2^58 bytes that gpol counts to (GP0207).
    nodes = 2 + tenants * (6 if not distinct else 20)
    out.append("language 1\ncluster bench {\n  scheduler kueue 0.19.2 { round within 5s; release within 5s }")
    for pool in POOLS:
        out.append(f"  nodes n-{pool} {{ count {nodes}; each 8 gpus, 192 cpu, 128 GiB, 110 pods; "
                   "daemons take 8 cpu, 8 GiB, 10 pods; tolerate 1 lost }")
        out.append(f"  pool {pool} on n-{pool}")
    out.append("}\ncohort root")
    for d in range(divisions):
        limits = "; ".join(f"borrow at most 64 gpus of {p}; lend at most 64 gpus, 1000000000 pods of {p}" for p in POOLS)
        out.append(f"cohort division-{d} in root {{ {limits} }}")
    for d in range(departments):
        limits = "; ".join(f"borrow at most 32 gpus of {p}; lend at most 48 gpus, 1000000000 pods of {p}" for p in POOLS)
        out.append(f"cohort department-{d} in division-{d % divisions} {{ {limits} }}")
    out.append("class standard : B { ready within 7d; grace 30s; kill margin 5s }")
    out.append("class batch : C { runs Job; grace 60s (saved in 45s); kill margin 5s }")
    allows = []
    for i in range(tenants):
        name, department = f"t{i:06d}", i // per_department % departments
        sizes = [8 + i // 32**k % 32 if distinct else 1 + pick(i % 100, k, 1, 8) for k in range(4)]
        serving = i % 5 == 0
        if serving:
            refuted = i % 250 == 0
            lines = "; ".join(f"reserve {s + 8} gpus of {p}" for s, p in zip(sizes, POOLS))
            lend = " lend without limit;" if refuted else ""
            out.append(f"tenant {name} {{ namespace {name}; class standard; {lines}; replica 8 gpus; "
                       "start schedule 5s, image 20s, weights 40s, load 25s, warm 20s (measured 2026-10); "
                       f"queue {{ cohort department-{department};{lend} }} }}")
            if not refuted and i + 1 < tenants:
                for s, p in zip(sizes, POOLS):
                    allows.append(f"allow t{i + 1:06d} to borrow up to {min(4, s)} gpus of {p} from {name}")
        else:
            lines = "; ".join(f"quota {s} gpus, {12 * s} pods of {p}" for s, p in zip(sizes, POOLS))
            # Its pods it lends all: else Kueue could evict nobody for want of pods (docs/decisions/0006).
            lend = "; ".join(f"lend at most {s // 2} gpus, {12 * s} pods of {p}" for s, p in zip(sizes, POOLS))
            shapes = "; ".join(f"shape 1 gpu of {p}" for p in POOLS)
            out.append(f"tenant {name} {{ namespace {name}; class batch; {lines}; {shapes}; "
                       f"queue {{ cohort department-{department}; {lend} }} }}")
    out.extend(allows)
    for premise in ("admission-only", "objects-unchanged", "nodes-as-declared", "times-hold", "batch-runs-on", "requests-as-declared",
                    "batch-leaves", "priorities-pinned", "controller-as-emitted", "pods-do-not-preempt", "shapes-kept"):
        out.append(f'trust {premise} because "benchmark" by @bench')
    print("\n".join(out))


main()
