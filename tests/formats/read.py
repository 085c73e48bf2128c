"""Reads what gpol prints for other programs. In: gpol, the schema of SARIF, the repository. Exit 1 at the first fault."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import jsonschema
from junitparser import JUnitXml

gpol, schema_path, root = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
validator = jsonschema.Draft7Validator(json.loads(pathlib.Path(schema_path).read_text()))
HOSTILE = "`x`|<b>&\"'@team\u200b%0A::error::"


def run(*args, codes=(0, 1, 3)):
    done = subprocess.run([gpol, *args], capture_output=True, text=True, check=False, cwd=work)
    assert done.returncode in codes, (args, done.returncode, done.stderr)
    assert "\u200b" not in done.stdout + done.stderr, (args, "a character without width")
    return done


def queue(name, quota, note=""):
    return f"""apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {{name: {name}}}
spec:{note}
  cohortName: all
  namespaceSelector: {{matchLabels: {{kubernetes.io/metadata.name: {name}}}}}
  resourceGroups:
  - coveredResources: [nvidia.com/gpu]
    flavors:
    - name: h100
      resources:
      - {{name: nvidia.com/gpu, {quota}}}
---
"""


def sarif(*args):
    log = json.loads(run(*args, "--format", "sarif").stdout)
    errors = sorted(validator.iter_errors(log), key=str)
    assert not errors, (args, errors[0])
    results = log["runs"][0]["results"]
    for result in results:
        rule = log["runs"][0]["tool"]["driver"]["rules"][result["ruleIndex"]]
        assert rule["id"] == result["ruleId"] and len(rule["help"]["text"]) > 20
        for location in result.get("locations", []):
            place = location["physicalLocation"]
            lines = (work / place["artifactLocation"]["uri"]).read_text().split("\n")
            region = place.get("region")
            if region:
                assert 1 <= region["startLine"] <= len(lines)
                assert 1 <= region["startColumn"] <= len(lines[region["startLine"] - 1]) + 1
                assert region.get("endLine", region["startLine"]) <= len(lines)
        for fix in result.get("fixes", []):
            for changed in fix["artifactChanges"]:
                assert (work / changed["artifactLocation"]["uri"]).exists() and changed["replacements"]
    return results


def junit(*args):
    done = run(*args, "--format", "junit")
    xml = JUnitXml.fromstring(done.stdout.encode())
    cases = [case for suite in xml for case in suite]
    assert xml.tests == len(cases) and xml.failures == sum(1 for c in cases for r in c.result if r._tag == "failure")
    assert (xml.failures > 0) == (done.returncode == 1), (args, done.stdout)
    return cases


def github(*args):
    lines = run(*args, "--format", "github").stdout.rstrip("\n").split("\n")
    commands = [line for line in lines if line.startswith("::")]
    assert len(lines) == len(commands) + 1, lines  # and the headline
    for command in commands:
        found = re.fullmatch(r"::(error|warning) ((?:\w+=[^,:\r\n]*,?)*)::(.*)", command)
        assert found, command
        assert "\u200b" not in command
    for word in ("error", "warning"):
        assert sum(1 for c in commands if c.startswith(f"::{word} ")) <= 10
    return commands


with tempfile.TemporaryDirectory() as made:
    work = pathlib.Path(made)
    for side, limit in (("old", 0), ("new", 3)):
        (work / side).mkdir()
        (work / side / "queues.yaml").write_text(queue("chat", f"nominalQuota: 8, lendingLimit: {limit}") +
                                                 queue("train", "nominalQuota: 8"))
        (work / side / "gpol.yaml").write_text("queues: {chat: {role: serving}}\n")
    for example in ("morning-ramp", "three-tiers"):
        for policy in sorted((root / "examples" / example).glob("*.gpol")):
            (work / policy.name).write_text(policy.read_text())
    refuted = sarif("verify", "new")
    assert [r["ruleId"] for r in refuted][0] == "GP1001" and refuted[0]["level"] == "error"
    # The same finding has the same fingerprint wherever its lines are.
    text = (work / "new/queues.yaml").read_text()
    (work / "new/queues.yaml").write_text("# one\n# two\n" + text)
    moved = sarif("verify", "new")
    assert moved[0]["partialFingerprints"] == refuted[0]["partialFingerprints"]
    assert moved[0]["locations"] != refuted[0]["locations"]
    def fails(cases):
        return any(r._tag == "failure" for c in cases for r in c.result)
    assert fails(junit("verify", "new")) and not fails(junit("verify", "old"))
    assert github("verify", "new")[0].startswith("::error file=new/queues.yaml,line=")
    changes = sarif("diff", "old", "new")
    assert any(r.get("baselineState") == "new" for r in changes)
    junit("diff", "old", "new"), github("diff", "old", "new")
    for policy in sorted(work.glob("*.gpol")):
        sarif("check", policy.name), junit("check", policy.name), github("check", policy.name)
    sarif("build", "morning-ramp.gpol", "-o", "out"), junit("build", "morning-ramp.gpol", "-o", "out")
    # Mistakes, and names that would be markup elsewhere.
    (work / "bad").mkdir()
    (work / "bad/queues.yaml").write_text(queue("chat", "nominalQuota: -1") + f"kind: {json.dumps(HOSTILE)}\nmetadata: {{name: x}}\n")
    for words in (sarif, junit, github):
        words("verify", "bad", "--serving", "chat")
    markdown = run("verify", "bad", "--serving", "chat", "--format", "markdown").stdout
    assert "<b>" not in markdown and "\u200b" not in markdown
    # Many: within the limits of each.
    (work / "many").mkdir()
    (work / "many/queues.yaml").write_text("".join(queue(f"q{i}", "nominalQuota: 8") for i in range(40)) + queue("train", "nominalQuota: 8"))
    (work / "many/gpol.yaml").write_text("queues: {" + ", ".join(f"q{i}: {{role: serving}}" for i in range(40)) + "}\n")
    many = github("verify", "many")
    assert "and 31 more" in many[9], many
    assert len(sarif("verify", "many")) >= 40
print("formats: SARIF, JUnit and GitHub's commands are read")
