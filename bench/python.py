#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Figures of the Python package: what two simulations on two threads of Python compute compared
with one, and how much memory a view of a million particles takes.

    PYTHONPATH=build/release/python bench/python.py [REPEATS]
"""
import sys
import threading
import time

import firn

STEPS = 100


def ball(cell):
    scene = firn.Scene(mpm={"cell": cell, "integrator": "explicit"})
    scene.add_snow(firn.sphere((0, 1, 0), 0.2))
    return scene


def rate(count, scene):
    """Steps per second of `count` simulations, each on a thread of Python and of firn."""
    sims = [firn.Simulation(scene, threads=1) for _ in range(count)]
    for sim in sims:
        sim.step(10)  # warm-up
    threads = [threading.Thread(target=sim.step, args=(STEPS,)) for sim in sims]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return count * STEPS / (time.perf_counter() - start)


def resident():
    """[bytes] of memory that this process has now."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


def main():
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    scene, ratios = ball(0.02), []
    for _ in range(repeats):  # in turn: other work on the machine meets both alike
        one, two = rate(1, scene), rate(2, scene)
        ratios.append(two / one)
        print(f"one {one:7.1f} steps/s, two on two threads {two:7.1f}: {two / one:.2f} times")
    print(f"best of {repeats}: {max(ratios):.2f} times; median {sorted(ratios)[repeats // 2]:.2f}")

    sim = firn.Simulation(ball(0.0064), threads=0)
    import numpy as np
    np.asarray(sim["mass"])  # whatever numpy allocates once
    before = resident()
    views = [np.asarray(sim[name]) for name in sim.fields]
    print(f"views of all {len(views)} fields of {len(sim):,} particles, "
          f"{sum(v.nbytes for v in views) / 1e6:.0f} MB: the process grew by "
          f"{(resident() - before) / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
