# SPDX-License-Identifier: MIT
"""tools/faults that is interrupted more than once still prints its report."""
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

FAULTS = Path(os.environ["FIRN_SOURCE_DIR"]) / "tools/faults"


def workers_busy(process):
    """A thread besides the first one has started firn: a case is running."""
    tasks = Path(f"/proc/{process.pid}/task")
    return any(task.name != str(process.pid) and (task / "children").read_text()
               for task in tasks.iterdir())


def main():
    process = subprocess.Popen([sys.executable, FAULTS, "--only", "run/mpm", "--jobs", "8"],
                               stdout=subprocess.PIPE, text=True,
                               env=dict(os.environ, PYTHONUNBUFFERED="1"))
    while process.poll() is None and not workers_busy(process):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    line = process.stdout.readline()
    while line and not line.startswith("interrupted"):
        line = process.stdout.readline()
    # now it waits for the cases that are running
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGTERM)
    rest = process.stdout.read()
    code = process.wait()
    if "faults injected" not in rest or code != 130:
        sys.exit(f"exit status {code}, and no report, but: {line}{rest}")


if __name__ == "__main__":
    main()
