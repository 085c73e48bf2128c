#!/usr/bin/env python3
"""Runs two gpol programs over the same inputs and prints where they differ.

usage: tests/compare/compare.py OLD_GPOL NEW_GPOL [--jobs 2] [--only GLOB] [--allow FILE]

The inputs are those of this repository: every example, every golden with its `# args:`, every text of
tests/golden/slips.table, every bundle with its NAME.args, and every ```gpol and ```yaml block of docs/ and README.md.
Each is a case, run from the root of the repository in several modes, once by each program:

  a policy    given: the words of the golden; check, json: `check`, in each format;
              build: `build -o DIR`, with every byte that it writes; fmt: `fmt -`
  a slip      given, json
  manifests   given, json, markdown: `verify` with the words of NAME.args, in each format

Exit code, both streams and written files are compared byte for byte. --only takes cases whose name the GLOB matches
(`golden/proof/*`, `bundle/mig-*`, `docs/explain/GP1001.md/1`). --allow FILE lists intended differences, one
`GLOB | reason` a line, of `case` or `case mode`; `#` begins a comment. A row by which no case differs is stale.

exit code: 0 no difference, 1 a difference that nothing allows or a stale row, 2 could not run.
"""
import argparse
import concurrent.futures
import difflib
import fnmatch
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHOWN, SECONDS = 24, 600  # lines of one difference, seconds of one run


class Problem(Exception):
    """The comparison itself could not run."""


def policy_modes(path, text, args):
    """The commands of one policy: mode -> (arguments, standard input). `{out}` is where files are written."""
    target = path or "-"
    command, options = args[0], []
    words = iter(args[1:] if command in ("check", "build") else [])
    for word in words:
        if word in ("-o", "--format"):
            next(words)
        elif word.startswith("--allow-gap") or word.startswith("--as-of"):
            options += [word] if "=" in word else [word, next(words)]
        elif not word.startswith("-") and path and word != "{out}":
            target = word  # a folder named for the policy, say
    modes = {
        "given": args,
        "check": ["check", *options, target],
        "json": ["check", *options, target, "--format", "json"],
        "build": ["build", *options, target, "-o", "{out}"],
        "fmt": ["fmt", "-"],
    }
    return {mode: (command, text) for mode, command in modes.items() if mode == "given" or command != args}


def manifest_modes(args, text=b""):
    formats = {"given": [], "json": ["--format", "json"], "markdown": ["--format", "markdown"]}
    return {mode: (["verify", *args, *more], text) for mode, more in formats.items()}


def golden_args(policy, text):
    """The words of a golden, as tests/golden/golden.cpp makes them."""
    directive = re.match(rb"# args: ([^\n]*)", text)
    topic = policy.parent.name
    args = {"build": ["build", "{}", "-o", "{out}"], "fmt": ["fmt", "-"]}.get(topic, ["check", "{}"])
    if directive:
        args = directive[1].decode().split()
    path = policy.as_posix()
    return [word.replace("{}", path).replace("{stem}", path[: -len(".gpol")]) for word in args]


def slip_cases(table):
    """The texts of the table of slips, as tests/golden/slips.cpp reads them."""
    section, before, last, number = "", "", None, 0
    for line in table.read_text().splitlines():
        if line.startswith("## "):
            section, before, number = line[3:].replace(" ", "_"), "", 0
        elif line.startswith("> "):
            before += line[2:] + "\n"
        elif line and not line.startswith(("#", "    ")):
            text = re.sub("[⟦⟧]", "", line.split(" | ")[0]).replace("⏎", "\n").replace("\\|", "|")
            if text == last:
                continue
            last, number = text, number + 1
            modes = policy_modes(None, (before + text + "\n").encode(), ["check", "-"])
            yield f"slip/{section}/{number}", {mode: modes[mode] for mode in ("given", "json")}


def page_cases(page):
    """The blocks of a page, `{{cluster}}` replaced as tests/support/pages.h does."""
    preamble = pathlib.Path("docs/explain/preamble.gpol").read_bytes()
    blocks = re.findall(rb"^```(gpol|yaml)\n(.*?)^```", page.read_bytes(), re.M | re.S)
    for number, (language, text) in enumerate(blocks, 1):
        text = text.replace(b"{{cluster}}\n", preamble, 1)
        modes = policy_modes(None, text, ["check", "-"]) if language == b"gpol" else manifest_modes(["-"], text)
        yield f"{page.as_posix()}/{number}", modes


def cases():
    """Every case below the current directory: name -> {mode: (arguments, standard input)}."""
    found = {}
    for policy in sorted(pathlib.Path("tests/golden").glob("*/*.gpol")):
        text = policy.read_bytes()
        name = f"golden/{policy.parent.name}/{policy.stem}"
        found[name] = policy_modes(policy.as_posix(), text, golden_args(policy, text))
    for policy in sorted([*pathlib.Path("examples").glob("*/*.gpol"), *pathlib.Path("policies").glob("*.gpol")]):
        path = policy.as_posix()
        found[path[: -len(".gpol")]] = policy_modes(path, policy.read_bytes(), ["check", path])
    for bundle in sorted(p for p in pathlib.Path("tests/bundles").iterdir() if p.is_dir()):
        words = bundle.with_name(bundle.name + ".args")
        told = words.read_text().split() if words.exists() else []
        found[f"bundle/{bundle.name}"] = manifest_modes([bundle.as_posix(), *told])
    found.update(slip_cases(pathlib.Path("tests/golden/slips.table")))
    for page in sorted([*pathlib.Path("docs").rglob("*.md"), pathlib.Path("README.md")]):
        found.update(page_cases(page))
    return found


def run(program, args, text):
    """What a program does: part -> bytes."""
    with tempfile.TemporaryDirectory(prefix="compare-") as scratch:
        out = os.path.join(scratch, "out")
        command = [program, *(word.replace("{out}", out) for word in args)]
        try:
            ran = subprocess.run(command, input=text, capture_output=True, timeout=SECONDS)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Problem(f"{program} {' '.join(args)}: {error}") from error
        parts = {"exit code": b"%d\n" % ran.returncode, "stdout": ran.stdout, "stderr": ran.stderr}
        parts = {part: found.replace(out.encode(), b"<out>") for part, found in parts.items()}
        for file in pathlib.Path(out).rglob("*"):
            if file.is_file():
                parts[f"written {file.relative_to(out).as_posix()}"] = file.read_bytes()
        return parts


def difference(old, new):
    """The parts that differ, as a short unified diff; empty where none does."""
    lines = []
    for part in sorted(old.keys() | new.keys()):
        a, b = old.get(part), new.get(part)
        if a == b:
            continue
        sides = [(x or b"").decode(errors="backslashreplace").splitlines(keepends=True) for x in (a, b)]
        diff = [line.rstrip("\n") for line in difflib.unified_diff(*sides, f"old {part}", f"new {part}", n=1)]
        lines += diff[:SHOWN] + ([f"... {len(diff) - SHOWN} more lines"] if len(diff) > SHOWN else [])
        if a is None or b is None:
            lines.append(f"only the {'new' if a is None else 'old'} program has it: {part}")
    return lines


def allowed_rows(path):
    rows = []
    for line in pathlib.Path(path).read_text().splitlines():
        glob, bar, reason = (part.strip() for part in line.partition("|"))
        if not glob or glob.startswith("#"):
            continue
        if not reason:
            raise Problem(f"{path}: no `| reason` after `{glob}`")
        rows.append(glob)
    return rows


def compare(old, new, jobs, only, rows):
    """Prints every difference. Out: how many runs differed that nothing allows, and how many rows are stale."""
    chosen = {name: modes for name, modes in cases().items() if fnmatch.fnmatchcase(name, only)}
    if not chosen:
        raise Problem(f"no case is named {only}")
    work = [(name, mode, *told) for name, modes in chosen.items() for mode, told in modes.items()]
    used, differ, allowed = set(), 0, 0

    def judge(item):
        name, mode, args, text = item
        return difference(run(old, args, text), run(new, args, text))

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for (name, mode, args, _), lines in zip(work, pool.map(judge, work)):
            if not lines:
                continue
            here = [row for row in rows if fnmatch.fnmatchcase(name, row) or fnmatch.fnmatchcase(f"{name} {mode}", row)]
            used.update(here)
            allowed += bool(here)
            differ += not here
            if not here:
                print("\n".join([f"== {name} {mode}: gpol {' '.join(args)}", *lines]), flush=True)
    names = [name for case in work for name in (case[0], f"{case[0]} {case[1]}")]
    stale = [row for row in rows if row not in used and (only == "*" or fnmatch.filter(names, row))]
    for row in stale:
        print(f"stale: no case differs by `{row}`")
    print(f"{len(chosen)} cases, {len(work)} runs of each program: {differ} differ, {allowed} more as allowed, "
          f"{len(stale)} stale rows")
    return differ + len(stale)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, more in {"old": {}, "new": {}, "--jobs": {"type": int, "default": 2}, "--only": {"default": "*"},
                       "--allow": {"metavar": "FILE"}}.items():
        parser.add_argument(name, **more)
    told = parser.parse_args()
    try:
        rows = allowed_rows(told.allow) if told.allow else []
        old, new = (str(pathlib.Path(program).resolve(strict=True)) for program in (told.old, told.new))
        os.chdir(ROOT)
        return 1 if compare(old, new, told.jobs, told.only, rows) else 0
    except (Problem, OSError) as problem:
        print(f"compare: {problem}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
