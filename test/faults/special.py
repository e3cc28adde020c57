# SPDX-License-Identifier: MIT
"""Faults of tools/faults that are not single I/O calls: two writers, full disks, no more inodes.

A case is named KIND/SOLVER/NUMBER/MODE; `CASES` gives the numbers and modes of each kind.
"""
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from bench import ENVIRONMENT, TIMEOUT, Bench, Outcome, differences, fingerprint
from scenarios import RUN, SCENARIOS

PAGE = 4096  # [bytes] a tmpfs grows by pages
ENOUGH = 64  # pages and inodes that a run of these scenes fits into
MODES = ("new", "resume", "overwrite")


def sentence(outcome):
    return re.search(r"error: .{12,}", outcome.err) is not None


def judge_end(bench, folder, outcome, allowed):
    """After a fault: exit code and message; what is there is valid; --resume ends with the rest."""
    if outcome.code not in allowed:
        yield f"exit code {outcome.code}: {outcome.err.strip()}"
    elif outcome.code != 0 and not sentence(outcome):
        yield f"exit code {outcome.code} without an error message"
    if (folder / "out/manifest.json").exists():
        verified = bench.firn("info out --verify", folder)
        if verified.code != 0:
            yield f"then firn info --verify: exit code {verified.code}: {verified.err.strip()}"
    repaired = bench.firn(RUN + " --resume", folder)
    if repaired.code != 0:
        yield f"then --resume: exit code {repaired.code}: {repaired.err.strip()}"
    for text in differences(fingerprint(folder), bench.want):
        yield f"after --resume: {text}"


# Two writers: the first is stopped before its n-th call, the second runs, the first continues.
def writers(bench, number, mode, folder):
    environment = dict(os.environ, **ENVIRONMENT, LD_PRELOAD=str(bench.tools.library),
                       FAULTS=f"root={folder};at={number};do=stop")
    logs = [folder.parent / "first.out", folder.parent / "first.err"]
    with open(logs[0], "w") as out, open(logs[1], "w") as err:
        first = subprocess.Popen([bench.tools.firn, *RUN.split()], cwd=folder, env=environment,
                                 stdin=subprocess.DEVNULL, stdout=out, stderr=err)
    _, status = os.waitpid(first.pid, os.WUNTRACED)
    if not os.WIFSTOPPED(status):
        first.returncode = os.waitstatus_to_exitcode(status)
        return "", []
    second = bench.firn(RUN + ("" if mode == "new" else f" --{mode}"), folder)
    first.send_signal(signal.SIGCONT)
    code = first.wait(TIMEOUT)
    one = Outcome(code, logs[0].read_text(), logs[1].read_text())
    return (f"stopped before call {number}",
            list(judge_writers(holds_lock(bench.calls, number), folder, one, second, bench)))


def holds_lock(calls, number):
    """Before this call the folder is locked. It is unlocked when it is closed the last time."""
    taken = [i for i, (kind, _) in enumerate(calls, 1) if kind == "lock"]
    closed = [i for i, call in enumerate(calls, 1) if call == ("close", "out")]
    return taken[0] < number <= closed[-1]


def judge_writers(locked, folder, first, second, bench):
    if locked and first.code != 0:
        yield f"the first one has the lock, but ends with {first.code}: {first.err.strip()}"
    if locked and second.code not in (2, 4):  # 2: there is a run already
        yield f"the second one ends with {second.code} while the first one has the lock"
    if second.code not in (0, 2, 4) or (second.code != 0 and not sentence(second)):
        yield f"the second one ends with {second.code}: {second.err.strip()}"
    yield from judge_end(bench, folder, first, (0, 2, 4))


def struck(outcome, text):
    """There was room for everything if firn succeeded."""
    return "" if outcome.code == 0 else text


# Full disks: a tmpfs of n pages (bytes) or n inodes; else files of at most n pages.
def mounted(bench, option, folder):
    out = folder / "out"
    out.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", option, "none", str(out)]
    if subprocess.run(command, capture_output=True).returncode != 0:
        return None, []  # no permission
    try:
        outcome = bench.firn(RUN, folder)
        roomy = folder.parent / "roomy"
        shutil.copytree(folder, roomy)
    finally:
        subprocess.run(["umount", str(out)], check=True)
    return struck(outcome, option), list(judge_end(bench, roomy, outcome, (0, 4)))


def disk(bench, number, mode, folder):
    if mode == "bytes":
        return mounted(bench, f"size={number * PAGE}", folder)
    if mode == "inodes":
        return mounted(bench, f"nr_inodes={number}", folder)
    limit = number * PAGE // 4
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    process = subprocess.Popen(
        [bench.tools.firn, *RUN.split()], cwd=folder, env=dict(os.environ, **ENVIRONMENT),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1])))
    out, err = process.communicate(timeout=TIMEOUT)
    outcome = Outcome(process.returncode, out, err)
    complaints = list(judge_end(bench, folder, outcome, (0, 4)))
    return struck(outcome, f"files of at most {limit} bytes"), complaints


# ThreadSanitizer itself needs large files.
DISKS = ("bytes", "inodes") + (("file",) if os.environ.get("FIRN_SANITIZE") != "thread" else ())
KINDS = {"writers": (writers, MODES), "disk": (disk, DISKS)}


def is_special(name):
    return name.split("/")[0] in KINDS


def numbers(kind, bench, quick):
    last = len(bench.calls) if kind == "writers" else ENOUGH
    if not quick:
        return range(1, last + 1)
    # the first one has seen that there is no manifest, and waits
    looked = [n for n, (_, path) in enumerate(bench.calls, 1) if path.endswith("manifest.json")]
    return [looked[0] + 1] * (kind == "writers") + [last // 8, last // 6]


def run_case(bench, kind, number, mode):
    folder = Path(tempfile.mkdtemp(dir=bench.root)) / "w"
    shutil.copytree(bench.start, folder)
    struck, complaints = KINDS[kind][0](bench, number, mode, folder)
    if struck is not None and not complaints:
        shutil.rmtree(folder.parent)
    return struck, complaints


def start(tools, solver):
    return Bench(tools, next(s for s in SCENARIOS if s.name == "run"), solver)


def replay(tools, name):
    kind, solver, number, mode = name.split("/")
    return run_case(start(tools, solver), kind, int(number), mode)[1]


def run(tools, options, report, pool):
    if not any(options.only in kind + "/mpm" for kind in KINDS):
        return
    bench = start(tools, "mpm")
    for kind, (_, modes) in KINDS.items():
        if options.only not in kind + "/mpm":
            continue
        cases = [(n, mode) for n in numbers(kind, bench, options.quick) for mode in modes]
        part, parts = options.shard
        cases = cases[::2] if options.quick else cases[:: options.stride][part::parts]
        refused = set()
        results = pool.map(lambda case: run_case(bench, kind, *case), cases)
        for (number, mode), (struck, complaints) in zip(cases, results):
            if struck is None:
                refused.add(mode)
            else:
                report.add(f"{kind}/{mode}", f"{kind}/mpm/{number}/{mode}", struck, complaints)
        for mode in sorted(refused):
            print(f"{kind}/{mode} is left out: no permission to mount a tmpfs")
