# SPDX-License-Identifier: MIT
"""Eight letters and three snowballs become many chunks, and little of them dust; some letters still
stand."""
import json
import subprocess

from measures.run import Claim

SCENE = "siggraph"


def measure(run, *options):
    """What `firn measure` says of the run's frames, one dict each."""
    text = subprocess.run([run.firn, "measure", run.folder, "--json", *options], check=True,
                          text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE).stdout
    return [json.loads(line) for line in text.splitlines()]


def claims(open_run):
    run = open_run()
    rows = measure(run)
    start, end = rows[0], rows[-1]
    yield Claim("bodies at the start, at least", start["fragments"], "at least", 11, "")
    yield Claim("bodies at the start, at most", start["fragments"], "at most", 11, "")
    yield Claim("fragments at the end", end["fragments"], "at least", 22, "")
    yield Claim("largest fragment's share of the mass at the end", end["largest"] / end["mass"],
                "below", 0.3, "")
    yield Claim("share of dust at the end", end["dust"], "below", 0.15, "")
    yield Claim("kinetic energy left at the end", end["kinetic"] / start["kinetic"], "below", 0.05,
                "")
    last = run.frame(run.last())
    standing = (last["x"][:, 1] > 0.27) & (last["x"][:, 2] < 0.06)
    yield Claim("mass of letters' tops still up", last["mass"][standing].sum(), "above", 0.2, "kg")
