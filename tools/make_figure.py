#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes the figure of the scenes walking-character, character-digging and snow-angel: a person in a parka, 1.77 m tall,
one closed skinned mesh with clothes (figure/clothes.py), and an ice axe. Needs nothing but Python.

    tools/make_figure.py          writes scenes/demo/walking-character/figure.glb (animation "walk")
                                  scenes/demo/character-digging/digger.glb ("dig", with the node "Axe"), axe.obj
                                  and scenes/demo/snow-angel/angel.glb ("angel", without the rucksack)

x is forward, y up, the soles at y = 0. The walker starts at x = 0 and goes 1 m/s for 4.16 s; its feet come down every
0.52 m, 0.21 m apart across, and swing 0.2 m above the ground. The digger stands around x = 0 (its toes reach x = 0.32);
in each of two strokes of 2 s the edge of its axe comes down through (0.98, 0.53), is deepest at (0.65, 0.15) and is
dragged back to (0.49, 0.14), all in the plane z = 0. The axe is a node of its own in the right hand: part of the
deforming body, or, alone, a rigid body (axe.obj has it in the node's coordinates). The third walks three steps, turns left
at x = 2.3 and falls onto its back towards +z."""
import os
import sys

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tools"))

from figure import angel, axe, body, clothes, dig, glb, walk  # noqa: E402
from figure.rig import JOINTS, NAMES  # noqa: E402
from figure.vectors import quaternion, sub  # noqa: E402

FACE = 0.0220        # [m] about the size of the body's faces
RATE = 48            # [1/s] keys of an animation
REACH_MISS = 0.004   # [m] an arm or leg may be too short by this
FILE_MAX = 420_000   # [bytes]


def add_skeleton(out):
    """The nodes of the bones, and the skin over them. Returns the index of each bone's node."""
    nodes = out.json["nodes"]
    index = {}
    for name in NAMES:
        parent, place = JOINTS[name]
        index[name] = len(nodes)
        nodes.append({"name": name, "translation": list(sub(place, JOINTS[parent][1]) if parent else place)})
        if parent:
            nodes[index[parent]].setdefault("children", []).append(index[name])
    inverses = [(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1) for x, y, z in (JOINTS[n][1] for n in NAMES)]
    out.json["skins"] = [{"name": "Skeleton", "joints": [index[n] for n in NAMES], "skeleton": index["Hips"],
                          "inverseBindMatrices": out.accessor(inverses, "MAT4", glb.FLOAT)}]
    return index


def add_body(out, shape):
    vertices, triangles, shares = shape
    joints, weights = [], []
    for bones in shares:
        bones = list(bones) + [(NAMES[0], 0)] * (4 - len(bones))
        joints.append([NAMES.index(bone) if share else 0 for bone, share in bones])
        weights.append([share for _, share in bones])
    more = {"JOINTS_0": out.accessor(joints, "VEC4", glb.U8, 34962),
            "WEIGHTS_0": out.accessor(weights, "VEC4", glb.U8, 34962, normalized=True),
            "TEXCOORD_0": out.accessor(clothes.coordinates(vertices), "VEC2", glb.U16, 34962, normalized=True)}
    mesh = out.mesh("Body", vertices, triangles, more)
    out.paint(mesh, "Clothes", clothes.picture(), 0.8)
    out.json["nodes"].append({"name": "Body", "mesh": mesh, "skin": 0})


def add_axe(out, shape, index):
    vertices, triangles = shape
    place, rotation = dig.axe_in_hand()
    nodes = out.json["nodes"]
    nodes.append({"name": "Axe", "mesh": out.mesh("Axe", vertices, triangles), "translation": list(place),
                  "rotation": list(quaternion(rotation))})
    nodes[index["Hand.R"]].setdefault("children", []).append(len(nodes) - 1)


def add_clip(out, name, motion, index):
    """Samples a motion: the position of the hips and the rotations of all bones."""
    count = round(motion.DURATION * RATE)
    times = [motion.DURATION * k / count for k in range(count + 1)]
    poses = []
    for time in times:
        pose, miss = motion.pose_at(time)
        if miss > REACH_MISS:
            raise SystemExit(f"{name}: at {time:.2f} s something is {1000 * miss:.0f} mm out of reach")
        poses.append(pose)
    clock = out.accessor(times, "SCALAR", glb.FLOAT, bounds=True)
    samplers, channels = [], []

    def channel(bone, path, values, kind):
        channels.append({"sampler": len(samplers), "target": {"node": index[bone], "path": path}})
        samplers.append({"input": clock, "output": out.accessor(values, kind, glb.FLOAT)})

    channel("Hips", "translation", [pose.place["Hips"] for pose in poses], "VEC3")
    for bone in NAMES:
        turns = []
        for pose in poses:  # of q and -q, which are the same turn, the one that is near
            q = quaternion(pose.local_rotation(bone))
            near = not turns or sum(a * b for a, b in zip(q, turns[-1])) >= 0
            turns.append(q if near else tuple(-c for c in q))
        channel(bone, "rotation", turns, "VEC4")
    out.json["animations"] = [{"name": name, "samplers": samplers, "channels": channels}]


def make(path, shape, tool, name, motion):
    out = glb.Glb()
    out.json["nodes"] = [{"name": "Figure", "children": []}]
    index = add_skeleton(out)
    add_body(out, shape)
    nodes = out.json["nodes"]
    nodes[0]["children"] = [index["Hips"], len(nodes) - 1]
    if tool:
        add_axe(out, tool, index)
    add_clip(out, name, motion, index)
    out.json["scenes"] = [{"nodes": [0]}]
    os.makedirs(os.path.dirname(path), exist_ok=True)
    size = out.write(path)
    print(f"{os.path.relpath(path, ROOT)}: {size} bytes, {len(shape[0])} vertices, {len(shape[1])} triangles, "
          f"'{name}' {motion.DURATION:.2f} s")
    if size > FILE_MAX:
        raise SystemExit(f"more than {FILE_MAX} bytes: make FACE larger")


def write_obj(path, shape):
    vertices, triangles = shape
    with open(path, "w") as file:
        file.write("# The ice axe of digger.glb in the coordinates of its node, made by tools/make_figure.py\n")
        for x, y, z in vertices:
            file.write(f"v {x:.5f} {y:.5f} {z:.5f}\n")
        for a, b, c in triangles:
            file.write(f"f {a + 1} {b + 1} {c + 1}\n")


def main():
    demo = os.path.join(ROOT, "scenes", "demo")
    shape = body.make(FACE)
    tool = axe.make()
    make(os.path.join(demo, "walking-character", "figure.glb"), shape, None, "walk", walk)
    make(os.path.join(demo, "character-digging", "digger.glb"), shape, tool, "dig", dig)
    make(os.path.join(demo, "snow-angel", "angel.glb"), body.make(FACE, without=("pack",)), None, "angel", angel)
    write_obj(os.path.join(demo, "character-digging", "axe.obj"), tool)


if __name__ == "__main__":
    main()
