# SPDX-License-Identifier: MIT
"""Allocations that fail, one at a time, in firn and in its libraries (fail_alloc.c).

After each, firn must have ended with 0, or with 6 and a sentence; never by a signal, in silence or
with the code of another error. A run that ended with 6 can be resumed to the same state.

    alloc.py [--most N]      N failures of each command, evenly spread (60); 0: all of them
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SOURCE = Path(os.environ["FIRN_SOURCE_DIR"])
FIRN = os.environ["FIRN"]
LIBRARY = Path(os.environ["FIRN_BUILD_DIR"]) / "lib/libfail_alloc.so"
TINY = str(SOURCE / "test/cli/tiny.yaml")
RUN = ["--frames", "1", "--threads", "2", "--set", "output.film=false", "--set", "time.fps=500"]
COARSE = ["--set", "sph.spacing=0.02", "--set", "grains.radius=0.01"]
TIMEOUT = 200  # [s] against a hang
AT_EXIT = 24  # allocations

# OUT: a folder of its own; DONE: the folder of a finished run.
COMMANDS = {
    "check": ["check", TINY],
    "run": ["run", TINY, "-o", "OUT", *RUN],
    "run-sph": ["run", TINY, "-o", "OUT", "--solver", "sph", *RUN, *COARSE],
    "run-grains": ["run", TINY, "-o", "OUT", "--solver", "grains", *RUN, *COARSE],
    "info": ["info", "DONE", "--verify"],
    "measure": ["measure", "DONE"],
    "export": ["export", "DONE", "--to", "ply,vtp,heights", "--samples", "64", "-o", "OUT"],
    "render": ["render", "DONE", "--samples", "1", "--frames", "0", "--size", "64x48",
               "--threads", "2", "-o", "OUT"],
}


def firn(arguments, faults=None):
    environment = dict(os.environ)
    if faults:
        environment.update(LD_PRELOAD=str(LIBRARY), FAIL_ALLOC=faults)
    return subprocess.run([FIRN, *arguments], env=environment, capture_output=True, text=True,
                          errors="replace", timeout=TIMEOUT)


def state_hash(folder):
    return json.loads(firn(["info", str(folder), "--json"]).stdout)["state_hash"]


class Bench:
    def __init__(self, work):
        self.work = Path(work)
        self.done = self.work / "done"
        made = firn(["run", TINY, "-o", str(self.done), "-q", *RUN])
        if made.returncode != 0:
            raise SystemExit(f"alloc.py: no run to start from:\n{made.stderr}")
        self.hash = state_hash(self.done)

    def arguments(self, name, number):
        out = str(self.work / f"{name}-{number}")
        return [a.replace("OUT", out).replace("DONE", str(self.done)) for a in COMMANDS[name]]

    def count(self, name):
        log = self.work / f"{name}.log"
        whole = firn(self.arguments(name, 0), f"at=0;log={log}")
        if whole.returncode != 0:
            raise SystemExit(f"alloc.py: {name} fails without a fault:\n{whole.stderr}")
        return int(log.read_text().split()[1])

    def judge(self, name, number):
        """Exit code, and what is wrong; "" for nothing."""
        arguments = self.arguments(name, number)
        try:
            end = firn(arguments, f"at={number}")
        except subprocess.TimeoutExpired:
            return "hang", "no end"
        code = end.returncode
        if code == -6 and "OMP: Error" in end.stderr:
            return code, ""
        if code not in (0, 6) or (code == 6 and "memory" not in end.stderr):
            return code, f"code {code}: {end.stderr.strip()[-200:] or 'silence'}"
        if name == "run" and number % 16 == 1:
            again = firn([*arguments, "--resume", "-q"])
            same = again.returncode == 0 and state_hash(arguments[3]) == self.hash
            return code, "" if same else f"--resume: {again.stderr.strip()[-200:]}"
        return code, ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=60)
    most = parser.parse_args().most
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="firn-alloc-") as work, ThreadPoolExecutor(
            os.cpu_count()) as pool:
        bench = Bench(work)
        for name in COMMANDS:
            count = bench.count(name)
            step = max(1, count // most) if most else 1
            # the last ones of a run: libraries tidy up when main has returned
            end = count - (AT_EXIT if name == "run" else 0)
            numbers = [*range(1, end, step), *range(end, count + 1)]
            ends = list(pool.map(lambda n, name=name: bench.judge(name, n), numbers))
            codes = ", ".join(f"{n} x {c}" for c, n in Counter(c for c, _ in ends).items())
            print(f"{name}: {len(ends)} of {count} allocations failed: exit codes {codes}")
            for number, (_, trouble) in zip(numbers, ends):
                if trouble:
                    wrong += 1
                    print(f"  {name}/{number}: {trouble}")
    print(f"{wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
