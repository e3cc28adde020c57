#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fits Young's modulus to a measured force curve.

A block of snow is compressed between two plates that hold its ends; a load cell records the force
(force_curve.csv; synthetic: Hooke's law with a modulus of 240 kPa, and the noise of a load cell of
0.3 N). The simulation of the same test has one unknown, the modulus: its force is fitted to the
measured one by Gauss-Newton steps, each of which takes one simulation.

    samples/python/modulus.py [--quick] [-o modulus.png]
"""
import argparse
import os

import numpy as np

import firn

LENGTH, SIDE = 0.2, 0.1  # [m] of the block between the plates
SPEED = 0.02  # [m/s] of the upper plate: slow against sound, which crosses the block in 10 ms
SECONDS = 0.08


def press(young, cell):
    """Simulates the test: displacement [m] and force [N] of the upper plate."""
    height = LENGTH + 4 * cell  # two cells in each plate
    scene = firn.Scene({
        "time": {"frames": 16, "fps": 16 / SECONDS},
        "gravity": (0, 0, 0),
        "mpm": {"cell": cell, "flip": 0},  # PIC damps the waves between the plates
        "materials": {"snow": {"density": 250, "young": young, "hardening": 0,
                               # it does not yield in this test: only the modulus counts
                               "critical_compression": 0.5, "critical_stretch": 0.5}},
        "snow": [{"shape": firn.box((0, LENGTH / 2, 0), (SIDE, height, SIDE)),
                  "material": "snow", "seeding": "lattice"}],
        "colliders": [{"shape": firn.plane(), "sticky": True},
                      {"shape": firn.box((0, LENGTH + 0.1, 0), (0.3, 0.2, 0.3)), "sticky": True,
                       "velocity": (0, -SPEED, 0)}],
    })
    sim = firn.Simulation(scene)
    displacement, force = [0.0], [0.0]

    def record(sim):
        displacement.append(SPEED * sim.time)
        force.append(sim.colliders[1].force[1])
    sim.run(progress=False, on_frame=record)
    return np.array(displacement), np.array(force)


def read_curve():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "force_curve.csv")
    return np.loadtxt(path, delimiter=",", skiprows=1, unpack=True)


def fit(measured, cell, young=6e4, rounds=6):
    """Gauss-Newton steps: the force is nearly proportional to the modulus."""
    where, what = measured
    history = []
    for _ in range(rounds):
        displacement, force = press(young, cell)
        model = np.interp(where, displacement, force)
        misfit = np.sqrt(np.mean((model - what) ** 2))
        history.append((young, misfit, displacement, force))
        print(f"young {young / 1e3:7.1f} kPa: misfit {misfit:5.2f} N")
        # the derivative by log(young) is the model itself, if the force is proportional to young
        change = np.dot(model, what - model) / np.dot(model, model)
        if abs(change) < 5e-4:
            break
        young *= max(1 + change, 0.2)
    return history


def plot(measured, history, path):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    plt.rcParams.update({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False})
    figure, (left, right) = plt.subplots(1, 2, figsize=(7.2, 3.2), layout="constrained",
                                         width_ratios=(1.6, 1))
    shades = plt.cm.Blues(np.linspace(0.35, 0.95, len(history)))
    for (young, _, displacement, force), shade in zip(history, shades):
        left.plot(1e3 * displacement, force, color=shade,
                  label=f"simulated, {young / 1e3:.0f} kPa")
    left.plot(1e3 * measured[0], measured[1], "o", color="#c4572a", markersize=4, label="measured")
    left.set(xlabel="displacement of the plate [mm]", ylabel="force [N]", xlim=(0, None),
             ylim=(0, None), title="Compression of a block")
    left.legend(frameon=False, fontsize=8)
    right.plot(range(1, len(history) + 1), [h[0] / 1e3 for h in history], "o-", color="#1f5fa8")
    right.axhline(240, color="#c4572a", linewidth=1, linestyle="--")
    right.text(1, 244, "measured", color="#c4572a", va="bottom")
    right.set(xlabel="simulation", ylabel="Young's modulus [kPa]", ylim=(0, 300),
              xticks=range(1, len(history) + 1), title="Fit")
    for axes in (left, right):
        axes.grid(alpha=0.3, linewidth=0.5)
    figure.savefig(path, dpi=110)
    print("wrote", path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="few particles, for tests")
    parser.add_argument("-o", "--output", help="a picture to write; needs matplotlib")
    options = parser.parse_args()
    measured = read_curve()
    history = fit(measured, 0.025 if options.quick else 0.0125)
    young = history[-1][0]
    print(f"fitted: {young / 1e3:.1f} kPa; the measurement has 240 kPa")
    if options.output:
        plot(measured, history, options.output)


if __name__ == "__main__":
    main()
