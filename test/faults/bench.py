# SPDX-License-Identifier: MIT
"""The bench of tools/faults: runs firn with one fault in a copy of a folder, judges the result."""
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from scenarios import CUDA, ERRORS, GRAINS, KILLED, REASONS, SCENES, TRANSPARENT

TIMEOUT = 60  # [s] against a hang
ENVIRONMENT = {"ASAN_OPTIONS": "verify_asan_link_order=0"}


@dataclass(frozen=True)
class Case:
    """One fault: the n-th call of a kind and what happens to it.

    Kind "any" counts calls of all kinds, a file name (with a dot) all calls on that file.
    """

    scenario: str
    solver: str
    kind: str
    number: int
    action: str
    forever: bool = False

    def __str__(self):
        return (f"{self.scenario}/{self.solver}/{self.kind}/{self.number}/{self.action}"
                + ("+" if self.forever else ""))

    @staticmethod
    def parse(text):
        scenario, solver, kind, number, action = text.split("/")
        return Case(scenario, solver, kind, int(number), action.rstrip("+"), action.endswith("+"))


@dataclass
class Outcome:
    code: int  # negative: the signal; None: it hung
    out: str
    err: str
    struck: str = ""  # the call with the fault, empty if there was none


def fingerprint(root):
    """Every file below a folder, with a hash of its contents. Times in stats.csv are left out."""
    files = {}
    for path in sorted(Path(root).rglob("*")):
        name = str(path.relative_to(root))
        if path.is_dir():
            files[name] = "folder"
            continue
        data = path.read_bytes()
        if path.name == "stats.csv":
            rows = data.split(b"\n")
            columns = rows[0].split(b",seconds_")[0].count(b",") + 1
            data = b"\n".join(b",".join(row.split(b",")[:columns]) for row in rows)
        elif path.name == "scene.yaml":
            data = data.replace(os.fsencode(root), b"")  # of absolute paths in the copy
        files[name] = hashlib.sha256(data).hexdigest()
    return files


def differences(have, want):
    names = sorted(n for n in have.keys() | want.keys() if have.get(n) != want.get(n))
    return [("stray " if n not in want else "missing " if n not in have else "other contents: ") + n
            for n in names]


class Bench:
    """A scenario with one solver: its folder before the command, and the result without faults."""

    def __init__(self, tools, scenario, solver):
        self.tools, self.scenario, self.solver = tools, scenario, solver
        self.root = Path(tempfile.mkdtemp(prefix=f"{scenario.name}-{solver}-", dir=tools.work))
        self.start = self.root / "start"
        self.start.mkdir()
        (self.start / "scene.yaml").write_text(SCENES[solver.removesuffix("-cuda")])
        (self.start / "grains.ply").write_text(GRAINS)
        self.prepare()
        self.want_start = fingerprint(self.start)
        self.done = self.newest_checkpoint(self.start)
        result = self.root / "result"
        self.clean, self.calls = self.count(scenario.command, result)
        if (self.clean.code != 0) != scenario.refused:
            raise SystemExit(f"faults: {scenario.name}/{solver} without a fault: exit code "
                             f"{self.clean.code}\n{self.clean.err}")
        self.want = fingerprint(result)

    def prepare(self):
        share = None
        for command in self.scenario.setup:
            if command == KILLED:
                share = float(command.split(":")[1])
            elif share is None:
                self.firn(command, self.start)
            else:
                _, calls = self.count(command, self.root / "counted")
                at = int(share * len(calls))
                self.firn(command, self.start, f"at={at};do=kill")
                share = None

    @staticmethod
    def newest_checkpoint(folder):
        try:
            entries = json.loads((folder / "out/manifest.json").read_text())["entries"]
        except FileNotFoundError:
            return -1
        return max((e["frame"] for e in entries if e["kind"] == "checkpoint"), default=-1)

    def count(self, command, folder):
        """Runs without a fault in a copy of the start; also lists the calls: (kind, path)."""
        shutil.copytree(self.start, folder)
        log = self.root / (folder.name + ".calls")
        outcome = self.firn(command, folder, "at=0", log)
        lines = log.read_text().splitlines() if log.exists() else []
        if outcome.code == 0 and len(lines) < 20:
            raise SystemExit(f"faults: only {len(lines)} I/O calls seen in: firn {command}")
        return outcome, [tuple(line.split(" ", 2)[1:]) for line in lines]

    def firn(self, command, folder, fault="", log=None):
        arguments = [str(self.tools.firn), *command.split()]
        if command.startswith("run") and self.solver.endswith("-cuda"):
            arguments += ["--backend", "cuda"]
        environment = dict(os.environ, **ENVIRONMENT)
        if fault:
            environment["LD_PRELOAD"] = str(self.tools.library)
            environment["FAULTS"] = f"root={folder};{fault}" + (f";log={log}" if log else "")
        try:
            done = subprocess.run(arguments, cwd=folder, env=environment, timeout=TIMEOUT,
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  errors="replace")
        except subprocess.TimeoutExpired:
            return Outcome(None, "", "")
        return Outcome(done.returncode, done.stdout, done.stderr)

    def cases(self):
        """All faults of this bench: every call with every error that it can give, and kills.

        Solvers differ in what they write, not in how: the first one gets every error.
        """
        seen = {}
        name = (self.scenario.name, self.solver)
        for number, (kind, _) in enumerate(self.calls, 1):
            seen[kind] = seen.get(kind, 0) + 1
            yield Case(*name, "any", number, "kill")
            yield Case(*name, "any", number, "EIO", True)
            yield Case(*name, kind, seen[kind], ERRORS[kind][0])
            if self.solver != self.scenario.solvers[0]:
                continue
            yield Case(*name, kind, seen[kind], ERRORS[kind][0], True)
            for error in ERRORS[kind][1:]:
                yield Case(*name, kind, seen[kind], error)
        for kind in ("read", "write"):
            if kind in seen:
                yield Case(*name, kind, 1, "short", True)
        yield from self.cases_of_manifest()

    def cases_of_manifest(self):
        """A manifest that cannot be read is not a folder without a run."""
        for number in range(1, 1 + sum(p.endswith("manifest.json") for _, p in self.calls)):
            for error in ("EIO", "EACCES"):
                for forever in (True, False):
                    yield Case(self.scenario.name, self.solver, "manifest.json", number, error,
                               forever)

    def run(self, case, keep=False):
        """Runs a case. Returns whether the fault came about, and what is wrong with the result."""
        folder = Path(tempfile.mkdtemp(dir=self.root)) / "w"
        shutil.copytree(self.start, folder)
        log = folder.with_suffix(".log")
        fault = f"at={case.number};do={case.action}"
        chooser = "match" if "." in case.kind else "calls"
        fault += f";{chooser}={case.kind}" if case.kind != "any" else ""
        fault += ";forever" if case.forever else ""
        outcome = self.firn(self.scenario.command, folder, fault, log)
        struck = log.read_text().splitlines() if log.exists() else []
        outcome.struck = " ".join(struck[0].split()[1:]) if struck else ""
        complaints = list(self.judge(case, outcome, folder))
        if keep:
            print(f"{case}: {outcome.struck or 'no such call'}: exit code {outcome.code}\n"
                  f"{outcome.err}folder: {folder}")
        else:
            shutil.rmtree(folder.parent)
        return outcome, complaints

    def judge(self, case, outcome, folder):
        """What is wrong after a fault: sentences."""
        scenario = self.scenario
        have = fingerprint(folder)
        yield from self.judge_code(case, outcome, have)
        for name, value in self.want_start.items():
            if name.split("/")[0] in scenario.kept and have.get(name) != value:
                yield f"{name} was changed or deleted"
        yield from self.judge_frames(outcome, have)
        drafts = any("/.firn-" in name for name in have)
        if scenario.refused or outcome.code is None or (outcome.code == 0 and not drafts):
            return
        if (folder / "out/manifest.json").exists() and not scenario.kept:
            verified = self.firn("info out --verify", folder)
            if verified.code != 0 and scenario.name != "overwrite":
                yield f"then firn info --verify: exit code {verified.code}: {verified.err.strip()}"
        repaired = self.firn(scenario.repair, folder)
        if repaired.code != 0:
            yield f"then firn {scenario.repair}: exit code {repaired.code}: {repaired.err.strip()}"
            return
        yield from self.judge_frames(repaired, have)
        for text in differences(fingerprint(folder), self.want):
            yield f"after firn {scenario.repair}: {text}"

    def judge_code(self, case, outcome, have):
        code = outcome.code
        if not outcome.struck:
            if code != self.clean.code:
                yield f"exit code {code} without a fault: {outcome.err.strip()}"
        elif code is None:
            yield f"hung for {TIMEOUT} s"
        elif case.action == "kill":
            if code != -9:
                yield f"exit code {code} instead of SIGKILL"
        elif code not in (0, 3, 4, self.clean.code):
            yield f"exit code {code}: {outcome.err.strip()}"
        elif code == 3 and REASONS.get(case.action, "?") not in outcome.err:
            yield f"exit code 3 without the reason: {outcome.err.strip()}"
        elif code != 0 and not re.search(r"error: .{12,}", outcome.err):
            yield f"exit code {code} without an error message"
        elif case.action in TRANSPARENT and code != self.clean.code:
            yield f"exit code {code} after a short read or write: {outcome.err.strip()}"
        elif code == 0 and self.scenario.refused:
            yield "exit code 0 instead of a refusal"
        elif code == 0:
            yield from self.judge_success(case, outcome, have)

    def judge_success(self, case, outcome, have):
        """Exit code 0 in spite of a fault: the result must be the one without it."""
        warned = "warning: " in outcome.err or '"level":"warning"' in outcome.out
        for text in differences(have, self.want):
            name = text.split()[-1]
            if warned and name in self.scenario.ignorable:
                continue
            if "/.firn-" in name:
                continue  # a draft that could not be removed: the next command does, see judge
            yield f"exit code 0, but {text}"
        if self.scenario.command.startswith(("info", "measure")) and outcome.out != self.clean.out:
            yield "exit code 0, but another output"
        told = warned and self.scenario.ignorable
        if outcome.struck.startswith("sync") and case.action != "EINTR" and not told:
            yield f"exit code 0, but a failed {outcome.struck} was ignored"

    def judge_frames(self, outcome, have):
        """Frames that were reported are on disk, and a resumed run did not start over."""
        if not self.scenario.command.startswith("run"):
            return
        for line in outcome.out.splitlines():
            event = json.loads(line) if line.endswith("}") else {}
            if event.get("event") != "frame":
                continue
            name = f"out/frames/scene.{event['frame']:04}.hdf"
            if outcome.struck and have.get(name) != self.want.get(name):
                yield f"frame {event['frame']} was reported, but {name} is missing or differs"
            if self.scenario.first_frame and event["frame"] <= self.done:
                yield f"--resume started over: frame {event['frame']} was there"


def cuda_solvers(firn):
    version = subprocess.run([firn, "version", "--json"], capture_output=True, text=True)
    found = json.loads(version.stdout)["devices"]
    return tuple(f"{solver}-cuda" for solver in CUDA) if found else ()
