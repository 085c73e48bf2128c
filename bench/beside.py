#!/usr/bin/env python3
"""Times commands beside each other: in turns, so that what else the machine does falls on all of them alike.

usage: beside.py ROUNDS NAME=COMMAND...

After a first round that does not count, the least processor time of each (user and system), its least wall time, its
largest memory, and its processor time as a multiple of the first command's. Commands go to a shell; exit codes do not matter.
"""
import os
import subprocess
import sys
import time


def run(command):
    began = time.perf_counter()
    process = subprocess.Popen(["sh", "-c", "exec " + command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, used = os.wait4(process.pid, 0)
    process.returncode = 0
    return used.ru_utime + used.ru_stime, time.perf_counter() - began, used.ru_maxrss / 1024


def main():
    rounds, commands = int(sys.argv[1]), [word.split("=", 1) for word in sys.argv[2:]]
    runs = {name: [] for name, _ in commands}
    for k in range(rounds + 1):
        for name, command in commands:
            result = run(command)
            if k > 0:
                runs[name].append(result)
    first = min(cpu for cpu, _, _ in runs[commands[0][0]])
    for name, results in runs.items():
        cpu = min(cpu for cpu, _, _ in results)
        print(f"{name:<52} {cpu * 1e3:7.1f} ms cpu {min(wall for _, wall, _ in results) * 1e3:7.1f} ms wall "
              f"{max(memory for _, _, memory in results):5.0f} MiB {cpu / first:6.2f} x")


main()
