#!/usr/bin/env python3
"""Shows what became of the expected output of which only the SHA-256 is committed.

usage: tests/compare/texts.py [REVISION] [--texts DIR]...

Of every such hash that is another one in the work tree than in REVISION (HEAD) it prints how the two texts differ. Tests
keep each text that they make under its hash in `texts/` beside their program; looked at are those below build/ and each
DIR. Where nobody has run the tests of REVISION here, its texts are made so:

  git worktree add /tmp/before REVISION && cd /tmp/before && cmake --preset release
  cmake --build --preset release --target golden mutation
  build/release/tests/golden; build/release/tests/mutation
  cd - && tests/compare/texts.py REVISION --texts /tmp/before/build/release/tests/texts

exit code: 0 all differences were shown, 1 a text is nowhere, 2 could not run.
"""
import argparse
import difflib
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
HASH = re.compile(r"\b[0-9a-f]{64}\b")


def hashes(text):
    """What a file says of hashes: the line without it -> the hash."""
    return {HASH.sub("", line): found[0] for line in text.splitlines() if (found := HASH.search(line))}


def git(*args):
    return subprocess.run(["git", "-C", ROOT, *args], check=True, capture_output=True, text=True).stdout


def changed(revision):
    """Every hash that is another one: file, what the hash is of, before and now; None where there is none."""
    for name in git("diff", "--name-only", revision, "--", "examples", "tests").splitlines():
        file = ROOT / name
        if not (name.endswith((".gpol-owned", ".table")) or name.startswith("tests/mutation/outcomes")):
            continue
        known = git("ls-tree", "--name-only", revision, "--", name)
        before = hashes(git("show", f"{revision}:{name}") if known else "")
        now = hashes(file.read_text() if file.exists() else "")
        for of in sorted(before.keys() | now.keys()):
            # What is committed in full `git diff` shows.
            in_full = name.endswith(".gpol-owned") and (file.parent / of.strip()).exists()
            if before.get(of) != now.get(of) and not in_full:
                yield name, of.strip(" :#"), before.get(of), now.get(of)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("revision", nargs="?", default="HEAD")
    parser.add_argument("--texts", action="append", default=[], metavar="DIR")
    told = parser.parse_args()
    kept = {}
    for folder in [*(ROOT / "build").glob("*/tests/texts"), *map(pathlib.Path, told.texts)]:
        kept.update((path.name, path) for path in folder.iterdir())
    missing = 0
    for name, of, before, now in changed(told.revision):
        print(f"== {name}: {of}")
        nowhere = [f"{hash} is in no folder of texts (--help)" for hash in (before, now) if hash and hash not in kept]
        missing += len(nowhere)
        sides = [kept[hash].read_text().splitlines() if hash in kept else [] for hash in (before, now)]
        print("\n".join(nowhere or difflib.unified_diff(*sides, before or "nothing", now or "nothing", lineterm="")))
    return 1 if missing else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"texts: {error}", file=sys.stderr)
        sys.exit(2)
