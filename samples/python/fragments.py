#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sweeps the critical stretch: at which stretch does snow break, and into how many fragments?

Two snowballs collide at 20 m/s, a little off their centres, without gravity. Snow with a small
critical stretch becomes dust, snow with a large one sticks together; between the two it breaks into
fragments. Each simulation runs on one thread, several at a time: steps release Python's lock.

    samples/python/fragments.py [--quick] [-o fragments.png]
"""
import argparse
import os
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import firn

RADIUS, SPEED = 0.1, 10.0  # [m], [m/s] of each ball


def balls(stretch, cell):
    """Two snowballs just before they meet, with this critical stretch."""
    scene = firn.Scene(mpm={"cell": cell, "integrator": "explicit"}, gravity=(0, 0, 0),
                       time={"frames": 6, "fps": 60}, output={"preview": False, "film": False})
    scene.add_material("ball", critical_stretch=stretch)
    for side in (-1, 1):
        scene.add_snow(firn.sphere((1.15 * side * RADIUS, 0.3 * side * RADIUS, 0), RADIUS),
                       material="ball", velocity=(-side * SPEED, 0, 0), seed=2 + side)
    return scene


def burst(stretch, cell, folder):
    """Fragments, the largest one's share of the mass, and the particles at the end."""
    run = firn.run(balls(stretch, cell), os.path.join(folder, f"{stretch:.5f}"), progress=False,
                   threads=1)
    m = run.measure(frame_begin=run.frames[-1], threads=1)
    print(f"critical stretch {stretch:.4f}: {m.fragments[0]:3d} fragments, largest "
          f"{m.largest[0] / m.mass[0]:.0%}, dust {m.dust[0]:.0%}")
    return m.fragments[0], m.largest[0] / m.mass[0], m.dust[0], run[-1]["position"].copy()


def plot(stretches, results, path):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    plt.rcParams.update({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False})
    figure = plt.figure(figsize=(7.2, 5.2), layout="constrained")
    grid = figure.add_gridspec(2, 3, height_ratios=(1.25, 1))
    axes = figure.add_subplot(grid[0, :])
    fragments, largest, dust, _ = zip(*results)
    axes.plot(100 * stretches, fragments, "o-", color="#1f5fa8")
    axes.set(xlabel="critical stretch [%]", ylim=(0, 1.15 * max(fragments)),
             title="Two snowballs collide at 20 m/s: what is left after 0.1 s")
    axes.set_ylabel("fragments", color="#1f5fa8")
    axes.grid(alpha=0.3, linewidth=0.5)
    share = axes.twinx()
    share.spines["right"].set_visible(True)
    share.plot(100 * stretches, 100 * np.array(largest), "s--", color="#c4572a")
    share.plot(100 * stretches, 100 * np.array(dust), "^:", color="#7a7a7a")
    share.set(ylabel="share of the mass [%]", ylim=(0, 115))
    share.text(100 * stretches[-1], 103, "largest fragment", color="#c4572a", ha="right")
    share.text(100 * stretches[0], 103, "dust", color="#5a5a5a", ha="left")
    chosen = (0, int(np.argmax(fragments)), len(stretches) - 1)
    for k, pick in enumerate(chosen):
        x = results[pick][3]
        view = figure.add_subplot(grid[1, k])
        view.scatter(x[:, 0], x[:, 1], s=0.7, c=x[:, 2], cmap="Blues_r", vmin=-0.35, vmax=0.5,
                     linewidths=0)
        view.set(aspect="equal", xlim=(-0.7, 0.7), ylim=(-0.6, 0.6), xticks=[], yticks=[],
                 facecolor="#f4f1ec")
        view.spines[:].set_visible(False)
        view.set_title(f"{100 * stretches[pick]:.2g} %", fontsize=9)
    figure.savefig(path, dpi=110)
    print("wrote", path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="few particles and values, for tests")
    parser.add_argument("-o", "--output", help="a picture to write; needs matplotlib")
    options = parser.parse_args()
    cell = 0.04 if options.quick else 0.015
    stretches = np.linspace(2e-3, 4e-3, 2 if options.quick else 9)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda s: burst(s, cell, folder), stretches))
    if options.output:
        plot(stretches, results, options.output)


if __name__ == "__main__":
    main()
