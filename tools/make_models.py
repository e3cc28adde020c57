#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes the meshes of the scenes tire, oven, city-street and car-snowing. Needs Python and numpy.

    tools/make_models.py [SCENE ...]     writes scenes/demo/SCENE/*.ply, *.glb, *.vdb (all four scenes)

Metres, y up, x forward. Every run writes identical files. The figure of snow-angel is made by make_figure.py.
"""
import os
import sys

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tools"))

from model import car, drive, files, kitchen, street, treats, truck, vdb, wheels, wind  # noqa: E402
from model.files import write_ply  # noqa: E402
from model.solids import join  # noqa: E402


def tire(folder):
    write_ply(os.path.join(folder, "tyre.ply"), wheels.tyre(), "A winter tyre, its axle along z")


def oven(folder):
    write_ply(os.path.join(folder, "case.ply"), kitchen.case(), "An oven with its door let down")
    write_ply(os.path.join(folder, "tray.ply"), kitchen.tray(), "A baking tray")
    for name, shape in treats.make().items():
        write_ply(os.path.join(folder, name + ".ply"), shape, f"A {name} of snow")


def car_snowing(folder):
    for name, shape in car.make(0.036).items():
        write_ply(os.path.join(folder, name + ".ply"), shape, f"The car's {name.replace('-', ' ')}")
    write_ply(os.path.join(folder, "wheel.ply"), wheels.plain(car.WHEEL, car.TYRE), "A wheel, its axle along z")
    drive.write(os.path.join(folder, "drive.glb"))
    around = join(car.hull(), car.cabin())
    velocity, origin, left = wind.make(around)
    if left > 1e-3:
        raise SystemExit(f"the wind gains or loses {left:.2g} m/s over a cell: more sweeps")
    data = vdb.encode("velocity", velocity, wind.VOXEL, origin)
    files.write(os.path.join(folder, "wind.vdb"), data)
    print(f"wind.vdb: {len(data)} bytes, {'x'.join(map(str, wind.CELLS))} voxels of {wind.VOXEL} m")


def city_street(folder):
    for name, shape in {**street.make(), **truck.make()}.items():
        write_ply(os.path.join(folder, name + ".ply"), shape, f"The street's {name.replace('-', ' ')}")
    parked = car.make(0.075)
    drum = wheels.plain(car.WHEEL, car.TYRE, car.TRACK)
    pairs = [(drum[0] + [x, car.WHEEL, 0], drum[1]) for x in car.AXLES]
    write_ply(os.path.join(folder, "parked-body.ply"), parked["body"], "A parked car's body")
    write_ply(os.path.join(folder, "parked-glass.ply"), parked["glass"], "A parked car's glass")
    write_ply(os.path.join(folder, "parked-wheels.ply"), files.merge(*pairs), "A parked car's wheels")
    truck.write_motion(os.path.join(folder, "plow.glb"))


SCENES = {"tire": tire, "oven": oven, "city-street": city_street, "car-snowing": car_snowing}


def main():
    for name in sys.argv[1:] or SCENES:
        if name not in SCENES:
            raise SystemExit(f"nothing is made for '{name}'; there are: {', '.join(SCENES)}")
        folder = os.path.join(ROOT, "scenes", "demo", name)
        os.makedirs(folder, exist_ok=True)
        SCENES[name](folder)


if __name__ == "__main__":
    main()
