"""Stages and colliders of firn export against what the frames and the scene say.
    stage.py blocks                      writes block.0000.obj …, which deform
    stage.py check PLY USDA USDA_Z GLB   compares them
    stage.py same USDA AGAIN             compares a stage with what another reader made of it
"""
import ast
import glob
import json
import math
import os
import re
import struct
import sys

FPS, FRAMES = 20, 5
CORNERS = [(x, y, z) for x in (-0.1, 0.1) for y in (0, 0.1) for z in (-0.1, 0.1)]
SIDES = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6),
         (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]


def block(key):
    """The block at a key of its animation, ten per second: its top rises."""
    return [(x, y * (1 + key), z) for x, y, z in CORNERS]


def write_blocks():
    for key in range(3):
        with open(f"block.{key:04d}.obj", "w") as out:
            for x in block(key):
                out.write("v %.9g %.9g %.9g\n" % x)
            for side in SIDES:
                out.write("f %d %d %d\n" % tuple(k + 1 for k in side))


def single(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def near(a, b, tolerance, what):
    if isinstance(a, (int, float)):
        a, b = [a], [b]
    assert len(a) == len(b), f"{what}: {len(a)} and {len(b)} values"
    for x, y in zip(a, b):
        if isinstance(x, (list, tuple)):
            near(x, y, tolerance, what)
        else:
            assert abs(single(x) - single(y)) <= tolerance, f"{what}: {x} and {y}"


# ---- USD: what the grammar of usda needs for these files, and no more --------------------------

class Prim:
    def __init__(self, kind, name):
        self.kind, self.name, self.attributes, self.samples, self.children = kind, name, {}, {}, {}

    def __getitem__(self, path):
        prim = self
        for part in path.split("/"):
            prim = prim.children[part]
        return prim

    def at(self, name, frame):
        """The value of an attribute at a frame."""
        return self.samples[name][frame] if name in self.samples else self.attributes[name]


def value(text):
    text = text.strip()
    text = re.sub(r"@([^@]*)@", r'"\1"', re.sub(r"<([^>]*)>", r'"\1"', text))
    return ast.literal_eval(text)


def balanced(lines, first):
    """Joins lines until all brackets are closed."""
    text, k = lines[first], first
    while sum(text.count(c) for c in "([{") != sum(text.count(c) for c in ")]}"):
        k += 1
        text += "\n" + lines[k]
    return text, k


def parse(path):
    lines = open(path).read().split("\n")
    assert lines[0] == "#usda 1.0"
    head, k = balanced(lines, 1)
    meta = dict(re.findall(r"(\w+) = (.*)", head))
    stack = [Prim("", "")]
    while k + 1 < len(lines):
        k += 1
        line = lines[k].strip()
        found = re.fullmatch(r'def (\w+) "(\w+)"', line)
        if found:
            prim = Prim(*found.groups())
            stack[-1].children[prim.name] = prim
            stack.append(prim)
            assert lines[k + 1].strip() == "{"
            k += 1
        elif line == "}":
            stack.pop()
        elif line:
            text, k = balanced(lines, k)
            text = re.sub(r"\(\s*interpolation = \"vertex\"\s*\)", "", text).strip()
            found = re.fullmatch(r"(?:custom |uniform )*([\w\[\]]+) ([\w:.]+)(?: = (.*))?", text,
                                 re.S)
            assert found, f"{path}:{k}: {text[:80]}"
            name, right = found.group(2), found.group(3)
            if name.endswith(".timeSamples"):
                stack[-1].samples[name[:-len(".timeSamples")]] = value(right)
            elif right is not None:
                stack[-1].attributes[name] = value(right)
    assert len(stack) == 1, "braces"
    return meta, stack[0]


# ---- PLY and GLB ---------------------------------------------------------------------------------

def read_ply(path):
    head, body = open(path, "rb").read().split(b"end_header\n", 1)
    lines = head.decode().split("\n")
    count = next(int(l.split()[2]) for l in lines if l.startswith("element vertex"))
    fields = [l.split()[1:] for l in lines if l.startswith("property")]
    form = "<" + "".join({"float": "f", "uint": "I", "uchar": "B"}[f[0]] for f in fields)
    rows = [dict(zip([f[1] for f in fields], row)) for row in struct.iter_unpack(form, body)]
    assert len(rows) == count
    return {row["id"]: row for row in rows}


class Glb:
    def __init__(self, path):
        data = open(path, "rb").read()
        assert data[:4] == b"glTF" and struct.unpack_from("<I", data, 8)[0] == len(data)
        size = struct.unpack_from("<I", data, 12)[0]
        self.json = json.loads(data[20:20 + size])
        self.body = data[28 + size:]

    def array(self, number):
        a = self.json["accessors"][number]
        view = self.json["bufferViews"][a["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[a["type"]]
        code = {5126: "f", 5125: "I"}[a["componentType"]]
        flat = struct.unpack_from(f"<{a['count'] * width}{code}", self.body, view["byteOffset"])
        assert view["byteLength"] == 4 * len(flat)
        rows = [flat[k:k + width] for k in range(0, len(flat), width)]
        for key, choose in (("min", min), ("max", max)):
            if key in a:
                near([choose(r[d] for r in rows) for d in range(width)], a[key], 1e-7, key)
        return rows

    def node(self, name):
        return next(k for k, n in enumerate(self.json["nodes"]) if n["name"] == name)

    def keys(self, name, path):
        """Times and values of a node's animation."""
        clip = self.json["animations"][0]
        for channel in clip["channels"]:
            if channel["target"] == {"node": self.node(name), "path": path}:
                sampler = clip["samplers"][channel["sampler"]]
                return [t[0] for t in self.array(sampler["input"])], self.array(sampler["output"])
        return None


# ---- checks --------------------------------------------------------------------------------------

def to_z_up(v):
    return (v[0], -v[2], v[1])


def times(v, m):
    """x' = x M."""
    return [sum(x * m[i][j] for i, x in enumerate((*v, 1))) for j in range(3)]


def check_snow(world, folder, frames, rotate):
    """Points against the frames: the same particles in all of them."""
    ids = None
    points = world["particles"]
    for k, rows in enumerate(frames):
        chosen = points.at("ids", k)
        assert 50 < len(chosen) <= 100 and len(set(chosen)) == len(chosen)
        assert ids is None or ids == set(chosen), "other particles than in the frame before"
        ids = set(chosen)
        of = [rows[i] for i in chosen]
        # nine digits: exactly the same floats
        near(points.at("points", k), [rotate((r["x"], r["y"], r["z"])) for r in of], 0, "points")
        near(points.at("velocities", k), [rotate((r["vx"], r["vy"], r["vz"])) for r in of], 0, "v")
        # eight to a cell of 2 cm
        near(points.at("widths", k), [0.01] * len(of), 1e-8, "widths")
        low, high = points.at("extent", k)
        for x in points.at("points", k):
            assert all(a <= c <= b for a, b, c in zip(low, high, x)), "extent"
    if "snow" not in world.children:
        return
    for grid in ("density", "v"):
        asset = world["snow"][grid]
        assert world["snow"].attributes["field:" + grid] == "/World/snow/" + grid
        assert asset.kind == "OpenVDBAsset" and asset.attributes["fieldName"] == grid
        files = asset.samples["filePath"]
        assert sorted(files) == list(range(FRAMES))
        for name in files.values():
            assert os.path.getsize(os.path.join(folder, name)) > 1000, name


def check_colliders(world, rotate):
    colliders = world["colliders"]
    assert sorted(colliders.children) == [f"collider_{k}" for k in range(4)]
    plane = colliders["collider_0"]["mesh"]
    for x in plane.attributes["points"]:
        near(x[1], 0, 1e-6, "plane") if rotate is not to_z_up else near(x[2], 0, 1e-6, "plane")
    for k in range(FRAMES):
        t = k / FPS
        # the path: straight, a quarter turn about y
        m = colliders["collider_1"].at("xformOp:transform", k)
        near(m[3][:3], rotate((0.5 + t, 0.1, 2 * t)), 2e-6, "box")
        turn = math.pi / 2 * t / 0.2
        ahead = (math.cos(turn), 0, -math.sin(turn))
        near(times(rotate((1, 0, 0)), m), [a + b for a, b in zip(rotate(ahead), m[3])], 2e-6, "x")
        # a free fall, in steps of at most 5 ms: g t dt / 2, of 0.2 s
        m = colliders["collider_2"].at("xformOp:transform", k)
        near(m[3][:3], rotate((-0.5, 1 - 9.81 / 2 * t * t, 0)), 0.005, "ball")
        # the block: linear between its keys
        mesh = colliders["collider_3"]["mesh"]
        near(mesh.at("points", k), [rotate(x) for x in block(10 * t)], 2e-6, "block")
        near(colliders["collider_3"].at("xformOp:transform", k)[3][:3], rotate((0, 0, 0.5)), 1e-7,
             "block")
    assert mesh.attributes["faceVertexCounts"] == [3] * 12
    flat = mesh.attributes["faceVertexIndices"]
    assert len(flat) == 36 and set(flat) == set(range(8))
    assert colliders["collider_3"].attributes["visibility"] == "invisible"
    near(colliders["collider_1"]["mesh"].attributes["primvars:displayColor"][0],
         (0.5, 0.25, 0.125), 1e-6, "colour")
    for name in ("collider_1", "collider_2"):
        mesh = colliders[name]["mesh"]
        x, f = mesh.attributes["points"], mesh.attributes["faceVertexIndices"]
        assert len(mesh.attributes["normals"]) == len(x)
        # the volume by the divergence theorem: outward triangles
        volume = 0
        for a, b, c in zip(f[::3], f[1::3], f[2::3]):
            p, q, r = x[a], x[b], x[c]
            volume += (p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) +
                       p[2] * (q[0] * r[1] - q[1] * r[0])) / 6
        exact = 0.002 if name == "collider_1" else 4 / 3 * math.pi * 0.05 ** 3
        near(volume, exact, 0.02 * exact, name + "'s volume")  # a ball of triangles is smaller


def check_view(world, rotate):
    camera = world["camera"].attributes
    m = camera["xformOp:transform"]
    near(m[3][:3], rotate((0.5, 0.3, 0.6)), 1e-6, "eye")
    way = [a - b for a, b in zip((0, 0.05, 0), (0.5, 0.3, 0.6))]
    length = math.sqrt(sum(x * x for x in way))
    near(m[2][:3], rotate([-x / length for x in way]), 1e-6, "look_at")
    near(camera["focusDistance"], length, 1e-6, "focus")
    fov = 2 * math.atan(camera["verticalAperture"] / 2 / camera["focalLength"])
    near(math.degrees(fov), 40, 1e-5, "fov")
    near(camera["horizontalAperture"] / camera["verticalAperture"], 160 / 120, 1e-6, "aspect")
    assert world["sun"].kind == "DistantLight"
    up = world["sun"].attributes["xformOp:transform"][2]
    assert (up[2] if rotate is to_z_up else up[1]) > 0, "the sun shines from below"


def check_glb(path, world):
    glb = Glb(path)
    assert [n["name"] for n in glb.json["nodes"]] == [f"collider_{k}" for k in range(4)]
    assert glb.keys("collider_0", "translation") is None, "the plane moves"
    for name in ("collider_1", "collider_2"):
        at, x = glb.keys(name, "translation")
        near(at, [k / FPS for k in range(FRAMES)], 1e-6, "times")
        near(x, [world["colliders"][name].at("xformOp:transform", k)[3][:3]
                 for k in range(FRAMES)], 0, name)
    _, turns = glb.keys("collider_1", "rotation")
    for k, (x, y, z, w) in enumerate(turns):
        angle = math.pi / 4 * k / (FRAMES - 1)
        near((x, y, z, w), (0, math.sin(angle), 0, math.cos(angle)), 1e-6, "rotation")
    mesh = glb.json["meshes"][glb.node("collider_3")]["primitives"][0]
    _, weights = glb.keys("collider_3", "weights")
    base = glb.array(mesh["attributes"]["POSITION"])
    targets = [glb.array(t["POSITION"]) for t in mesh["targets"]]
    for k in range(FRAMES):
        share = [w[0] for w in weights[k * len(targets):(k + 1) * len(targets)]]
        x = [[b + sum(s * t[i][d] for s, t in zip(share, targets)) for d, b in enumerate(row)]
             for i, row in enumerate(base)]
        near(x, block(10 * k / FPS), 2e-6, "block")
    assert glb.json["nodes"][3]["extras"] == {"hidden": True}


def check(ply, usda, usda_z, glb):
    frames = [read_ply(p) for p in sorted(glob.glob(os.path.join(ply, "*.ply")))]
    assert len(frames) == FRAMES
    for path, up, rotate in ((usda, "Y", tuple), (usda_z, "Z", to_z_up)):
        meta, root = parse(path)
        assert meta["upAxis"] == f'"{up}"' and meta["metersPerUnit"] == "1", meta
        assert (meta["startTimeCode"], meta["endTimeCode"]) == ("0", str(FRAMES - 1)), meta
        assert meta["timeCodesPerSecond"] == str(FPS) and meta["defaultPrim"] == '"World"', meta
        world = root["World"]
        check_snow(world, os.path.dirname(path), frames, rotate)
        check_colliders(world, rotate)
        check_view(world, rotate)
        if up == "Y":
            check_glb(glb, world)


def same(a, b, where):
    """All that is in a prim is in the other, with the same numbers but for the last digits."""
    def alike(x, y, what):
        if isinstance(x, (list, tuple)) and len(x) > 0 and not isinstance(x[0], str):
            near(x, y, 2e-7 * (1 + max(abs(v) for v in flat(x))), what)
        elif isinstance(x, (int, float)):
            near(x, y, 2e-7 * (1 + abs(x)), what)
        else:
            assert x == y, f"{what}: {x} and {y}"

    assert a.kind == b.kind and sorted(a.children) == sorted(b.children), where
    for name, x in a.attributes.items():
        alike(x, b.attributes[name], where + "." + name)
    for name, frames in a.samples.items():
        assert sorted(frames) == sorted(b.samples[name]), f"{where}.{name}: frames"
        for frame, x in frames.items():
            if name == "ids":  # of an int64, tinyusdz 0.9 writes the first digit
                assert [str(i)[0] for i in x] == [str(i)[0] for i in b.samples[name][frame]]
                continue
            alike(x, b.samples[name][frame], f"{where}.{name} at {frame}")
    for name in a.children:
        same(a.children[name], b.children[name], where + "/" + name)


def flat(x):
    return [v for row in x for v in flat(row)] if isinstance(x, (list, tuple)) else [x]


if __name__ == "__main__":
    if sys.argv[1] == "blocks":
        write_blocks()
    elif sys.argv[1] == "same":
        same(parse(sys.argv[2])[1], parse(sys.argv[3])[1], "")
    else:
        check(*sys.argv[2:])
