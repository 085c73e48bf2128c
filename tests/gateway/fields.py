"""The fields of a BackendTrafficPolicy that gpol knows (checker/observe/schema/tables_gateway.h) against Envoy Gateway's
CRD: every path with fields of its own, and every field below it.

  fields.py TABLE CRD            exit 0: the same; 1: what differs is printed

Needs no YAML library: the CRD is read by its indentation, as controller-gen writes it.
"""
import re
import sys


def tree(lines):
    """Mappings of a file that controller-gen wrote: nested dicts of keys; texts and lists are left out."""
    root = {}
    stack = [(-1, root)]
    skip = None
    for line in lines:
        match = re.match(r"^( *)(- )?([^\s:#]+):( .*)?$", line.rstrip("\n"))
        indent = len(line) - len(line.lstrip(" "))
        if skip is not None and (not line.strip() or indent > skip):
            continue
        skip = None
        if not match or match[2]:
            continue
        while stack[-1][0] >= indent:
            stack.pop()
        value = (match[4] or "").strip()
        node = {}
        stack[-1][1][match[3]] = node
        if value in ("|-", "|", ">-", ">"):
            skip = indent
        stack.append((indent, node))
    return root


def paths(schema, path, found):
    while "items" in schema and "properties" not in schema:
        schema, path = schema["items"], path + "[]"
    properties = schema.get("properties")
    if not properties or "x-kubernetes-preserve-unknown-fields" in schema:
        return
    found[path] = " ".join(sorted(properties))
    for name, below in properties.items():
        paths(below, path + "." + name, found)


def of_crd(file):
    with open(file, encoding="utf-8") as text:
        lines = text.readlines()
    start = next(i for i, line in enumerate(lines) if re.match(r"^ +openAPIV3Schema:", line))
    schema = tree(lines[start:])["openAPIV3Schema"]
    found = {}
    paths(schema["properties"]["spec"], "spec", found)
    return found


def of_table(file):
    with open(file, encoding="utf-8") as text:
        body = text.read().split("kTrafficPolicyFields =", 1)[1].split(";", 1)[0]
    words = re.findall(r"\w+|[{}\[\]]", "".join(re.findall(r'"([^"]*)"', body)))
    found = {}

    def read(path):
        names = []
        while words and words[0] not in "}]":
            names.append(words.pop(0))
            if words and words[0] in "{[":
                read(path + "." + names[-1] + ("[]" if words.pop(0) == "[" else ""))
                words.pop(0)
        found[path] = " ".join(sorted(names))

    read("spec")
    return found


def main(arguments):
    table, crd = of_table(arguments[0]), of_crd(arguments[1])
    wrong = 0
    for path in sorted(table.keys() | crd.keys()):
        if table.get(path) != crd.get(path):
            wrong += 1
            print(f"gateway: FAILED: fields below {path}: table {table.get(path)}, CRD {crd.get(path)}")
    print(f"gateway: {len(crd)} paths of BackendTrafficPolicy are those of the CRD" if not wrong else f"gateway: {wrong} differ")
    return 1 if wrong or len(crd) < 100 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
