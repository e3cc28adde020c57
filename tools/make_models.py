#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes the solid bodies of the scenes tire, oven, city-street and car-snowing. Needs Python and numpy.

    tools/make_models.py [SCENE ...]     writes scenes/demo/SCENE/*.ply, *.glb, *.vdb (all four scenes)

Metres, y up, x forward. The same files come out on every run. The figure of snow-angel is made by make_figure.py.
"""
import os
import sys

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tools"))

from model import kitchen, treats, wheels  # noqa: E402
from model.files import write_ply  # noqa: E402


def tire(folder):
    write_ply(os.path.join(folder, "tyre.ply"), wheels.tyre(), "A winter tyre, its axle along z")


def oven(folder):
    write_ply(os.path.join(folder, "case.ply"), kitchen.case(), "An oven with its door let down")
    write_ply(os.path.join(folder, "tray.ply"), kitchen.tray(), "A baking tray")
    for name, shape in treats.make().items():
        write_ply(os.path.join(folder, name + ".ply"), shape, f"A {name} of snow")


SCENES = {"tire": tire, "oven": oven}


def main():
    for name in sys.argv[1:] or SCENES:
        if name not in SCENES:
            raise SystemExit(f"nothing is made for '{name}'; there are: {', '.join(SCENES)}")
        folder = os.path.join(ROOT, "scenes", "demo", name)
        os.makedirs(folder, exist_ok=True)
        SCENES[name](folder)


if __name__ == "__main__":
    main()
