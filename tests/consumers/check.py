"""Runs check-jsonschema's command, without starting a process for each schema.

Reads a file of one job a line, {schema, values} with paths of files, and prints one answer a line:
{verdicts} or {error}.
"""

import contextlib
import io
import json
import sys

from check_jsonschema import main


def answer(job):
    out, errors = io.StringIO(), io.StringIO()
    arguments = ["--schemafile", job["schema"], "--output-format", "json", *job["values"]]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        main(arguments, standalone_mode=False)
    try:
        report = json.loads(out.getvalue())
    except json.JSONDecodeError:
        return {"error": out.getvalue() + errors.getvalue()}
    if report.get("parse_errors"):
        return {"error": json.dumps(report["parse_errors"])}
    refused = {error["filename"] for error in report.get("errors", [])}
    return {"verdicts": [path not in refused for path in job["values"]]}


with open(sys.argv[1], encoding="utf-8") as jobs:
    for line in jobs:
        print(json.dumps(answer(json.loads(line))), flush=True)
