#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finds the throw that hits a target, by bisection: no training, no gradients.

A snowball of 10 m/s must pass a wall and hit a plate 6 m away. Its elevation is bisected: each
throw is a simulation up to the moment at which the ball's centre of mass reaches the plate. The
last throw goes on until the snow lies on the ground, and the plate reports its force.

    samples/python/throw.py [--quick] [-o throw.png]
"""
import argparse
import math

import numpy as np

import firn

SPEED = 10.0  # [m/s]
DISTANCE, HEIGHT = 6.0, 1.2  # [m] of the centre of the plate
START = (0.0, 1.5, 0.0)  # [m] of the hand
WALL = firn.box((3, 0.7, 0), (0.2, 1.4, 3))


def throw(angle, radius):
    """A simulation of a ball that leaves the hand at this elevation [degrees]."""
    scene = firn.Scene(solver="grains", grains={"radius": radius}, time={"frames": 300, "fps": 120})
    scene.add_material("packed", density=300)
    a = math.radians(angle)
    scene.add_snow(firn.sphere(START, 0.1), material="packed",
                   velocity=(SPEED * math.cos(a), SPEED * math.sin(a), 0))
    scene.add_collider(firn.plane())
    scene.add_collider(WALL)
    plate = scene.add_collider(firn.box((DISTANCE + 0.05, HEIGHT, 0), (0.1, 0.8, 0.8)))
    return firn.Simulation(scene, threads=1), plate


def fly(sim):
    """Frames until the ball's front reaches the plate, or it lies; its path and its miss [m]."""
    path = [sim["position"].array.mean(axis=0)]
    while path[-1][0] < DISTANCE - 0.15 and path[-1][1] > 0.05 and sim.frame_number < 200:
        sim.frame()
        path.append(sim["position"].array.mean(axis=0))
    # on to the plate by the last velocity
    velocity = sim["velocity"].array.mean(axis=0)
    left = (DISTANCE - path[-1][0]) / max(velocity[0], 0.1)
    return np.array(path), path[-1][1] + left * velocity[1] - HEIGHT


def bisect(radius, low=0.0, high=40.0, tolerance=0.01):
    """Throws, until one misses the centre by less than `tolerance` [m]: (angle, miss, path)."""
    throws = []
    while True:
        angle = (low + high) / 2
        sim, plate = throw(angle, radius)
        path, miss = fly(sim)
        throws.append((angle, miss, path))
        print(f"throw {len(throws)}: {angle:6.3f} degrees, {100 * miss:+7.1f} cm")
        if abs(miss) < tolerance or len(throws) == 16:
            return throws, sim, plate
        low, high = (angle, high) if miss < 0 else (low, angle)


def splash(sim, plate, moments):
    """Lets the last throw hit: times and forces on the plate in every step up to the first of the
    moments [s], and where the snow is at each of them."""
    start, times, forces, snow = sim.time, [], [], []
    for moment in moments:
        while sim.time < start + moment:
            if snow:
                sim.frame()
                continue
            sim.step()
            times.append(sim.time - start)
            forces.append(sim.colliders[plate].force[0])
        snow.append(sim["position"].copy())
    return np.array(times), np.array(forces), snow


def plot(throws, times, forces, snow, path):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    plt.rcParams.update({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False})
    figure = plt.figure(figsize=(7.2, 5.0), layout="constrained")
    grid = figure.add_gridspec(2, 2, height_ratios=(1.5, 1))
    field = figure.add_subplot(grid[0, :])
    field.axhline(0, color="#b0a898", linewidth=1)
    field.add_patch(plt.Rectangle((2.9, 0), 0.2, 1.4, color="#b0a898", linewidth=0))
    field.add_patch(plt.Rectangle((DISTANCE, HEIGHT - 0.4), 0.1, 0.8, color="#c4572a", linewidth=0))
    for k, (angle, miss, flight) in enumerate(throws):
        last = k == len(throws) - 1
        field.plot(flight[:, 0], flight[:, 1], color="#1f5fa8" if last else "#9dbbe0",
                   linewidth=1.8 if last else 1, zorder=3 if last else 2,
                   label=f"{angle:.2f}°, hits" if last else "throws before" if k == 0 else None)
    for k, x in enumerate(snow):
        field.scatter(x[:, 0], x[:, 1], s=1.5, color="#33475f", linewidths=0, zorder=4,
                      alpha=0.25 + 0.75 * k / max(len(snow) - 1, 1),
                      label="snow after the hit" if k == len(snow) - 1 else None)
    field.set(aspect="equal", xlim=(-0.1, 6.4), ylim=(-0.05, 2.4), xlabel="x [m]", ylabel="y [m]",
              title=f"Bisection of the elevation: {len(throws)} throws of 10 m/s")
    field.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 0.08), markerscale=4)
    misses = figure.add_subplot(grid[1, 0])
    misses.semilogy(range(1, len(throws) + 1), [100 * abs(t[1]) for t in throws], "o-",
                    color="#1f5fa8")
    misses.axhline(1, color="#c4572a", linewidth=1, linestyle="--")
    misses.set(xlabel="throw", ylabel="miss [cm]", xticks=range(1, len(throws) + 1))
    load = figure.add_subplot(grid[1, 1])
    load.plot(1e3 * times, forces, color="#c4572a", linewidth=1)
    load.set(xlabel="time since the bisection's end [ms]", ylabel="force on the plate [N]",
             xlim=(0, None), ylim=(0, None))
    for axes in (misses, load):
        axes.grid(alpha=0.3, linewidth=0.5)
    figure.savefig(path, dpi=110)
    print("wrote", path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="few grains, for tests")
    parser.add_argument("-o", "--output", help="a picture to write; needs matplotlib")
    options = parser.parse_args()
    throws, sim, plate = bisect(0.05 if options.quick else 0.02)
    times, forces, snow = splash(sim, plate, (0.05,) if options.quick else (0.05, 0.15, 0.3, 0.7))
    impulse = np.sum(forces * np.diff(times, prepend=0))
    print(f"hit at {throws[-1][0]:.3f} degrees; impulse on the plate {impulse:.2f} N s")
    if options.output:
        plot(throws, times, forces, snow, options.output)


if __name__ == "__main__":
    main()
