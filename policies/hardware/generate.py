#!/usr/bin/env python3
"""Writes policies/hardware.gpol, the shipped hardware catalogue, from the facts beside this file.

    policies/hardware/generate.py > policies/hardware.gpol
    policies/hardware/generate.py --pci > compiler/policy/pci_ids.cpp

What the facts leave open (null) is left out, never guessed. A test compares the file with what this writes.
"""
import pathlib
import sys
import yaml

HERE = pathlib.Path(__file__).resolve().parent


def engines(counts):
    return "engines " + ", ".join(f"{count} {name}" for name, count in counts.items() if count)


def profile(made, budget):
    words = [f"compute {made['compute']}"]
    if made["memory_slices"] is not None:
        words.append(f"memory {made['memory_slices']}")
    if made["placements"]:
        words.append("starts at " + ", ".join(str(start) for start in made["placements"]))
    words.append(f"at most {made['max']}")
    # What instances share of a device: the engines where their number is known, else the one `me`.
    used = {name: made[name] for name in budget} if "me" not in budget else {"me": int("me" in made["attributes"])}
    if any(used.values()):
        words.append(engines(used))
    return f"  mig {made['name']} {{ {'; '.join(words)} }}"


def model(name, facts):
    lines = [f"hardware {name} {{", f"  memory {facts['memory_gib']} GiB"]
    sliced = facts["compute_slices"] is not None
    if sliced:
        lines.append(f"  slices {facts['compute_slices']} compute, {facts['memory_slices']} memory")
    budget = facts.get("engine_budget") or ({"me": 1} if any("me" in p["attributes"] for p in facts["profiles"]) else {})
    if budget:
        lines.append("  " + engines(budget))
    lines.append(f"  placements {facts['placements_basis']}")
    lines += [profile(made, budget) for made in facts["profiles"]]
    return "\n".join(lines + ["}"])


def whole(name, facts):
    memory = facts["memory_gib"]
    return f"hardware {name} {{ {f'memory {memory} GiB ' if memory is not None else ''}}}"


def main():
    cut = yaml.safe_load((HERE / "mig-profiles.yaml").read_text())["models"]
    uncut = yaml.safe_load((HERE / "whole-gpus.yaml").read_text())["models"]
    print("# The GPU models that gpol knows without a declaration: it carries this file inside, and a policy may declare\n"
          "# others, or its own of these names. Written by policies/hardware/generate.py from the facts in that folder, which\n"
          "# say where each comes from; what is not known is left out. `placements template`: sizes and numbers are known of\n"
          "# the model, the starts are those of the A100.\nlanguage 1\n")
    print("\n".join([model(*one) for one in cut.items()] + [whole(*one) for one in uncut.items()]))


def pci_ids():
    models = yaml.safe_load((HERE / "mig-profiles.yaml").read_text())["models"]
    rows = sorted((number.upper(), name) for name, facts in models.items() for number in facts["pci_device_ids"])
    print("// Written by policies/hardware/generate.py --pci: which device is of which model, as mig-parted's\n"
          "// `device-filter` names devices.\n"
          '#include <algorithm>\n#include <array>\n\n#include "compiler/policy/catalogue.h"\n\nnamespace gpol {\n\nnamespace {\n\n'
          "struct Row {\n  std::string_view id, model;\n};\n"
          f"constexpr std::array<Row, {len(rows)}> kRows = {{{{")
    for number, name in rows:
        print(f'    {{"{number}", "{name}"}},')
    print("}};\n\n}  // namespace\n\n"
          "std::string_view model_of_pci_id(std::string_view id) {\n"
          "  const auto upper = [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; };\n"
          "  const auto same = [&](const Row& row) {\n"
          "    return std::equal(row.id.begin(), row.id.end(), id.begin(), id.end(),\n"
          "                      [&](char a, char b) { return a == upper(b); });\n"
          "  };\n"
          "  const auto found = std::find_if(kRows.begin(), kRows.end(), same);\n"
          '  return found == kRows.end() ? std::string_view() : found->model;\n}\n\n}  // namespace gpol')


pci_ids() if "--pci" in sys.argv else main()
