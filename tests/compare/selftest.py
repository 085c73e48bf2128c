#!/usr/bin/env python3
"""Does compare.py notice what differs, and only that? Does texts.py show what became of a hash?

usage: tests/compare/selftest.py GPOL

GPOL is compared with itself, then with wrappers of it that each change one thing of it, over a few cases.
"""
import hashlib
import os
import pathlib
import shutil
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


def texts_of_a_repository(scratch):
    """What texts.py says where one hash became another: with both texts, then without the old one."""
    root = pathlib.Path(scratch, "repository")
    index, kept = root / "examples/one/output/.gpol-owned", root / "build/release/tests/texts"
    for folder in (index.parent, kept, root / "tests/compare"):
        folder.mkdir(parents=True)
    shutil.copy(HERE / "texts.py", root / "tests/compare")
    names = []
    for text in ("old\nsame\n", "new\nsame\n"):
        names.append(hashlib.sha256(text.encode()).hexdigest())
        (kept / names[-1]).write_text(text)
    index.write_text(f"gpol-owned 1 one\n{names[0]}  base/guards.yaml\n")
    for command in (["init", "-q"], ["add", index], ["commit", "-qm", "one"]):
        subprocess.run(["git", "-C", root, "-c", "user.name=a", "-c", "user.email=a@example.com", *command], check=True)
    index.write_text(f"gpol-owned 1 one\n{names[1]}  base/guards.yaml\n")
    said = []
    for gone in (None, kept / names[0]):
        if gone:
            gone.unlink()
        ran = subprocess.run([sys.executable, root / "tests/compare/texts.py"], capture_output=True, text=True)
        said.append((ran.returncode, ran.stdout + ran.stderr))
    return said


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
        (shown, diff), (lost, words) = texts_of_a_repository(scratch)
        check("the difference of two texts", shown == 0 and "\n-old\n+new\n same\n" in diff, diff)
        check("a text that is nowhere", lost == 1 and "is in no folder of texts" in words, words)
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
