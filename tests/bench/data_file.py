"""The data files of RESULTS.md, for the scripts of this folder that measure something. Only Python's own library is needed."""
import datetime
import json
import os
import re
import subprocess


def program_version(folder):
    """What `gantry-cli --version` says; gantry-cli stands in `folder` or in ../bin beside it."""
    beside = os.path.join(folder, "..", "bin", "gantry-cli")
    program = beside if os.path.exists(beside) else os.path.join(folder, "gantry-cli")
    return subprocess.run([program, "--version"], capture_output=True, text=True).stdout.strip()


def add_run(path, version, command, device, figures):
    """Adds a run of today to the data file at `path`, tests/bench/data/MACHINE/COMMIT.json, which is made if there is none.

    A run of the same command on the same device that the file holds is replaced. For what a figure holds see render_results.
    """
    commit = re.search(r"commit (\w+)", version)
    report = {"commit": commit[1] if commit else "unknown", "program": version, "runs": []}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
    report["runs"] = [run for run in report["runs"] if (run["command"], run["device"]) != (command, device)]
    report["runs"].append({"command": command, "date": datetime.date.today().isoformat(), "device": device,
                           "figures": figures})
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(report, file, indent=1)
        file.write("\n")
    os.replace(path + ".new", path)
