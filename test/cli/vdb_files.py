# SPDX-License-Identifier: MIT
"""Gives forged and damaged .vdb files to `firn check` and `firn run`: vdb_files.py FIRN."""
import math
import os
import struct
import subprocess
import sys

import vdb_forge as forge

FIRN = sys.argv[1]
# [MB] resident: what firn takes without a file, measured below, and what a small file may take
ALLOWED = 64
SCENE = """firn: 1
solver: mpm
time: {frames: 1, fps: 60}
mpm: {cell: 0.02}
snow:
  - shape: {sphere: {center: [0, 1, 0], radius: 0.06}}
    %s
colliders:
  - shape: %s
output: {preview: false}
%s
"""


def scene(use, name):
    extra, shape, air = "velocity: [0, 0, 0]", "{plane: {}}", ""
    if use == "level_set":
        shape = "{level_set: {file: %s}}" % name
    if use == "texture":
        extra = "vary: {stiffness: {texture: {file: %s, low: 1, high: 2}}}" % name
    if use == "wind":
        air = "air: {velocity: [1, 0, 0], volume: {file: %s}}" % name
    with open("scene.yaml", "w") as out:
        out.write(SCENE % (extra, shape, air))


def sequence(what, ending, files, words):
    """Key frames 1 to 3, of which the last is wrong: a run reads all files before it begins."""
    for number, data in enumerate(files, 1):
        with open(f"key.{number}.{ending}", "wb") as out:
            out.write(data)
    animation = "animation: {file: 'key.%%d.%s', first: 1, last: 3, fps: 60, voxel: 0.02}" % ending
    text = SCENE % ("velocity: [0, 0, 0]", "{plane: {}}", "")
    text = text.replace("shape: {plane: {}}", animation).replace("frames: 1", "frames: 2")
    with open("scene.yaml", "w") as out:
        out.write(text)
    for command in (("check", "scene.yaml"), ("run", "scene.yaml", "-o", "keys", "-q")):
        got, said, _ = firn(*command)
        if (got != 3 or f"key.3.{ending}" not in said or words not in said
                or os.path.exists("keys")):
            sys.exit(f"FAILED: {what}: {command[0]}: exit code {got}, or no '{words}' in: {said}")


def firn(*arguments):
    """Exit code, messages and peak memory [MB] of a command."""
    with open("err.txt", "w") as err:
        child = subprocess.Popen([FIRN, *arguments], stdout=subprocess.DEVNULL, stderr=err)
        _, status, usage = os.wait4(child.pid, 0)
    with open("err.txt", errors="replace") as err:
        return os.waitstatus_to_exitcode(status), err.read(), usage.ru_maxrss / 1024


def expect(what, use, data, code, words):
    name = what.replace(" ", "-") + ".vdb"
    with open(name, "wb") as out:
        out.write(data)
    scene(use, name)
    for command in ("check", "run") if use == "texture" else ("check",):
        more = ("-o", what.replace(" ", "-"), "-q") if command == "run" else ()
        got, said, peak = firn(command, "scene.yaml", *more)
        if got != code or (code != 0 and name not in said) or words not in said:
            sys.exit(f"FAILED: {what}: {command}: exit code {got} instead of {code}, "
                     f"or no '{words}' in: {said}")
        if peak > base + ALLOWED + 20:  # 20: code and stacks of the reader
            sys.exit(f"FAILED: {what}: {command}: {peak:.0f} MB, {base:.0f} MB without the file")


def ball(radius, voxel=0.01):
    """Distances around a point, in 4^3 leaves."""
    tree = forge.Tree(background=(3 * voxel,))
    for b in range(64):
        x, y, z = (8 * (b >> 4 & 3) - 16, 8 * (b >> 2 & 3) - 16, 8 * (b & 3) - 16)
        tree.leaf(x, y, z, [(voxel * (math.dist((x + (k >> 6), y + (k >> 3 & 7), z + (k & 7)),
                                                (0, 0, 0)) - radius),)
                            for k in range(512)])
    return tree


def checker(transform=None):
    tree = forge.Tree()
    tree.leaf(0, 0, 0, [(0.1 if (k ^ k >> 3 ^ k >> 6) & 1 else -0.1,) for k in range(512)])
    return forge.file(tree, transform)


def tiles():
    """Eight cubes of 128^3 voxels inside."""
    tree = forge.Tree()
    for i in range(8):
        tree.large_tile(256 * (i & 1), 256 * (i >> 1 & 1), 256 * (i >> 2), (-0.1,))
    return forge.file(tree)


def far(value, **about):
    """Two leaves, as far apart as a node allows."""
    tree = forge.Tree(background=tuple(0.0 for _ in value))
    for at in (0, 4000):
        tree.leaf(at, at, at, [value] * 512)
    return forge.file(tree, grid_class="unknown", **about)


def with_metadata(*entry):
    return forge.file(ball(10), meta=[entry])


def many_grids():
    """The descriptions of all grids lead to the same metadata."""
    count, begin = 5000, forge.head(5000)
    about = forge.text("a") + forge.text("Tree_float_5_4_3") + forge.text("")
    end = len(begin) + count * (len(about) + 24)
    body = struct.pack("<I", 0) + forge.metadata([("x", "string", b"x" * 100000)])
    out = begin
    for i in range(count):
        out += about + struct.pack("<qqq", end, end, len(out) + len(about) + 24)
    return out + body


def nested_frustums(depth):
    """A transform inside a transform, and so on."""
    return forge.file(ball(10), (forge.text("NonlinearFrustumMap") + bytes(64)) * depth
                      + forge.scale(1, 1, 1))


def without_offsets(data):
    """As a program writes it to a pipe."""
    at = data.index(forge.text("Tree_float_5_4_3") + forge.text("")) + 24
    return data[:20] + b"\0" + data[21:at] + bytes(24) + data[at + 24:]


def replaced(data, old, new):
    assert data.count(old) >= 1
    return data.replace(old, new, 1)


def long_values():
    """The values of a leaf, not packed, are longer than a leaf."""
    data = forge.file(checker_tree(), None)
    at = data.rindex(b"\xff" * 64) + 65
    return data[:at] + struct.pack("<q", -100000) + bytes(100000)


def checker_tree():
    tree = forge.Tree()
    tree.leaf(0, 0, 0, [(math.sin(k * k) * 0.1,) for k in range(512)])
    return tree


scene("none", "")
base = firn("check", "scene.yaml")[2]

good = forge.file(ball(10))
expect("a ball", "level_set", good, 0, "")
expect("a ball from a pipe", "level_set", without_offsets(good), 0, "")
expect("a ball as texture", "texture", good, 0, "")
expect("large tiles", "level_set", tiles(), 3, "of memory")
expect("a stretched grid", "level_set", checker(forge.scale(1e-4, 1, 1)), 3, "")
expect("far apart", "texture", far((0.5,)), 3, "of memory")
expect("far wind", "wind", far((1.0, 0.0, 0.0), name="v", kind="Tree_vec3s_5_4_3"), 3, "of memory")
# 2^32 - 1 entries of an index that OpenVDB would allocate
forged = struct.pack("<iI", 1, 0xFFFFFFFF) + bytes(64)
expect("an index", "texture", with_metadata("file_delayed_load", "__delayedload", forged), 0, "")
expect("a wrong size", "texture", with_metadata("a", "vec3d", b"1"), 3, "metadata of a wrong size")
long_name = replaced(good, forge.text("name"), forge.text("name", length=0x7FFFFFFF))
expect("a long name", "level_set", long_name, 3, "ends too early")
buffers = forge.scale(0.01, 0.01, 0.01) + struct.pack("<I", 1)
two = replaced(good, buffers, buffers[:-4] + struct.pack("<I", 2))
expect("two buffers", "level_set", two, 3, "number of buffers")
expect("many grids", "texture", many_grids(), 3, "offset")
expect("nested transforms", "texture", nested_frustums(20000), 3, "transform")
expect("long values", "texture", long_values(), 3, "number of values")
expect("half a file", "texture", good[:len(good) // 2], 3, "ends too early")
expect("half a file", "level_set", good[:len(good) // 2], 3, "ends too early")
expect("spoilt values", "texture", good[:-40] + bytes(40), 3, "cannot read")
expect("no volume", "wind", b"not a volume" * 10, 3, "no .vdb file")
keys = [good, forge.file(ball(11))]
sequence("half a key frame", "vdb", [*keys, good[:len(good) // 2]], "ends too early")
sequence("another class", "vdb", [*keys, forge.file(ball(10), grid_class="unknown")], "level set")
obj = (b"v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\n"
       b"f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
sequence("half a mesh", "obj", [obj, obj, obj[:40]], "")
