#!/usr/bin/env python3
"""Does compare.py notice what differs, and only that?

usage: tests/compare/selftest.py GPOL

GPOL is compared with itself, then with wrappers of it that each change one thing of it, over a few cases.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ONLY = "golden/build/two_*"  # a policy whose `build` writes files
CASE = "golden/build/two_classes_one_loan"

# what the wrapper changes -> (what it does in sh after gpol ran with "$@", the modes that must differ)
CHANGES = {
    "the exit code": ('[ "$1" != fmt ] || code=9', ["fmt"]),
    "one byte of the output": ('[ "$*" = "${*%json}" ] || printf " "', ["json"]),
    "standard error": ('[ "$1" != check ] || [ "$*" != "${*%json}" ] || echo warning >&2', ["check"]),
    "one written byte": ('[ "$1" != build ] || echo >> $(find "${*##* }" -name "*.yaml" | sort | head -1)', ["given"]),
    "one more file": ('[ "$1" != build ] || : > "${*##* }/more"', ["given"]),
    "nothing": (":", []),
}


def compare(old, new, *more):
    command = [sys.executable, HERE / "compare.py", old, new, "--only", ONLY, *more]
    ran = subprocess.run(command, capture_output=True, text=True)
    heads = [line.split() for line in ran.stdout.splitlines() if line.startswith("== ")]
    return ran.returncode, ran.stdout, [head[2].rstrip(":") for head in heads]


def main():
    gpol = str(pathlib.Path(sys.argv[1]).resolve(strict=True))
    failed = 0

    def check(what, holds, said=""):
        nonlocal failed
        if not holds:
            failed += 1
            print(f"FAILED: {what}\n{said}")

    with tempfile.TemporaryDirectory() as scratch:
        other = os.path.join(scratch, "gpol")
        allow = pathlib.Path(scratch, "allow")
        for what, (shell, modes) in CHANGES.items():
            pathlib.Path(other).write_text(f'#!/bin/sh\n{gpol} "$@"\ncode=$?\n{shell}\nexit $code\n')
            os.chmod(other, 0o755)
            for programs in ((gpol, other), (other, gpol)) if what == "one more file" else ((gpol, other),):
                code, said, found = compare(*programs)
                check(f"{what}: modes {modes} differ", (code, found) == (bool(modes), modes), said)
            if what != "one byte of the output":
                continue
            for row, code in ((f"{CASE} | on purpose", 0), (f"{CASE} json | on purpose", 0),
                              (f"{CASE} fmt | another mode", 1), (f"{CASE} | on purpose\n{CASE} fmt | stale", 1)):
                allow.write_text(f"# intended\n{row}\n")
                check(f"--allow `{row}`", compare(gpol, other, "--allow", allow)[0] == code)
        allow.write_text(CASE + "\n")
        check("a row without a reason", compare(gpol, gpol, "--allow", allow)[0] == 2)
        check("a program that is not there", compare(gpol, other + "-gone")[0] == 2)
        check("no such case", compare(gpol, gpol, "--only", "no/such")[0] == 2)
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
