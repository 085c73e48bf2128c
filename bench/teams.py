#!/usr/bin/env python3
"""Writes the same team quotas as policies of gpol, as Jsonnet and as Kueue's YAML, to compare formatters and readers.

usage: teams.py DIR TEAMS     DIR/gpol/team-00000.gpol ... DIR/jsonnet/team-00000.jsonnet ... DIR/yaml/...

A team has one file: its cohort, and of four pools what it owns, may borrow and lends of three resources. The first two
are in the style of their formatters. No randomness beyond a fixed congruence.
"""
import os
import sys

POOLS = ["h100", "a100", "l40s", "h200"]


def pick(i, k, lo, hi):
    x = (i * 1103515245 + k * 12345 + 777) & 0x7FFFFFFF
    x = (x * 1103515245 + 12345) & 0x7FFFFFFF
    return lo + (x >> 8) % (hi - lo + 1)


def amounts(i):
    """Of each pool: its name, and (gpus, cpus, GiB) owned, borrowed and lent."""
    for k, pool in enumerate(POOLS):
        own, borrow, lend = pick(i, k, 8, 64), pick(i, k + 4, 1, 8), pick(i, k + 8, 1, 8)
        yield pool, [(n, 24 * n, 200 * n) for n in (own, borrow, lend)]


def gpol(i):
    def of(amount, pool):
        return "%d gpus, %d cpu, %d GiB of %s" % (*amount, pool)

    lines = [f"tenant team-{i:05d} {{", f"  namespace team-{i:05d}", "  class batch"]
    lines += [f"  quota {of(own, pool)}" for pool, (own, _, _) in amounts(i)]
    lines += ["  queue {", f"    cohort cohort-{i // 10:03d}"]
    for pool, (_, borrow, lend) in amounts(i):
        lines += [f"    borrow at most {of(borrow, pool)}", f"    lend at most {of(lend, pool)}"]
    return "\n".join(lines + ["  }", "}", ""])


def jsonnet(i):
    lines = ["local q = import '../queue.libsonnet';", "q.team({", f"  name: 'team-{i:05d}',", f"  cohort: 'cohort-{i // 10:03d}',",
             "  class: 'batch',", "  quota: {"]
    for pool, (own, borrow, lend) in amounts(i):
        lines.append(f"    {pool}: {{")
        for k, (name, unit) in enumerate([("gpus", ""), ("cpu", ""), ("memory", "Gi")]):
            nominal, most, lent = (f"'{n}{unit}'" if unit else str(n) for n in (own[k], borrow[k], lend[k]))
            lines.append(f"      {name}: {{ nominal: {nominal}, borrow: {most}, lend: {lent} }},")
        lines.append("    },")
    return "\n".join(lines + ["  },", "})", ""])


def yaml(i):
    lines = ["apiVersion: kueue.x-k8s.io/v1beta2", "kind: ClusterQueue", "metadata:", f"  name: team-{i:05d}", "spec:",
             f"  cohortName: cohort-{i // 10:03d}", "  resourceGroups:", "    - coveredResources: [nvidia.com/gpu, cpu, memory]", "      flavors:"]
    for pool, (own, borrow, lend) in amounts(i):
        lines += [f"        - name: {pool}", "          resources:"]
        for k, (name, unit) in enumerate([("nvidia.com/gpu", ""), ("cpu", ""), ("memory", "Gi")]):
            lines += [f"            - name: {name}", f'              nominalQuota: "{own[k]}{unit}"',
                      f'              borrowingLimit: "{borrow[k]}{unit}"', f'              lendingLimit: "{lend[k]}{unit}"']
    return "\n".join(lines + [""])


def main():
    folder, teams = sys.argv[1], int(sys.argv[2])
    for language, text in (("gpol", gpol), ("jsonnet", jsonnet), ("yaml", yaml)):
        os.makedirs(f"{folder}/{language}", exist_ok=True)
        for i in range(teams):
            with open(f"{folder}/{language}/team-{i:05d}.{language}", "w") as file:
                file.write(text(i))


main()
