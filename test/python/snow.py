# SPDX-License-Identifier: MIT
"""Small scenes for the tests of the Python package."""
import firn

# A ball on the ground: a few hundred particles.
BALL = """firn: 1
title: A ball falls
time: {frames: 4, fps: 24}
mpm: {cell: 0.08}
materials:
  ball: {preset: chunky}
snow:
  - shape: {sphere: {center: [0, 0.3, 0], radius: 0.2}}
    material: ball
    velocity: [0, -2, 0]
colliders:
  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}
output: {film: false, preview: false}
variants:
  fine: {mpm: {cell: 0.05}}
"""

# A bed of grains with a crate that they carry.
BED = {
    "solver": "grains",
    "time": {"frames": 3, "fps": 30},
    "grains": {"radius": 0.05, "heat_speed": 1000},
    "materials": {"fresh": {"density": 150}},
    "snow": [{"shape": firn.box((0, 0.15, 0), (0.8, 0.3, 0.8)), "material": "fresh"}],
    "colliders": [{"shape": firn.plane()},
                  {"shape": firn.box((0, 0, 0), (0.2, 0.2, 0.2)), "position": (0, 0.6, 0),
                   "mass": 5}],
    "output": {"film": False, "preview": False},
}


def ball(**options):
    return firn.Simulation(firn.Scene(BALL), threads=1, **options)


def bed(**options):
    return firn.Simulation(BED, threads=1, **options)
