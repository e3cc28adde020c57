# SPDX-License-Identifier: MIT
"""Motions of parts as nodes of a glTF file, for `motion` of a collider: no meshes, only translations and rotations."""
from figure import glb
from figure.vectors import quaternion
from model import files

RATE = 48  # [1/s] keys


class Parts:
    """Nodes that are placed by functions of time."""

    def __init__(self, clip, duration):
        self.out = glb.Glb()
        self.out.json["asset"]["generator"] = "tools/make_models.py"
        self.out.json["nodes"] = []
        count = round(duration * RATE)
        self.times = [duration * k / count for k in range(count + 1)]
        clock = self.out.accessor(self.times, "SCALAR", glb.FLOAT, bounds=True)
        self.animation = {"name": clip, "samplers": [], "channels": []}
        self.clock = clock

    def channel(self, node, path, values, kind):
        samplers = self.animation["samplers"]
        self.animation["channels"].append({"sampler": len(samplers), "target": {"node": node, "path": path}})
        samplers.append({"input": self.clock, "output": self.out.accessor(values, kind, glb.FLOAT)})

    def add(self, name, place, rotation=None):
        """`place(time)` is a point, `rotation(time)` a matrix of three rows."""
        nodes = self.out.json["nodes"]
        nodes.append({"name": name})
        self.channel(len(nodes) - 1, "translation", [tuple(map(float, place(t))) for t in self.times], "VEC3")
        if rotation is None:
            return
        turns = []
        for time in self.times:  # of q and -q, which are the same turn, the one that is near
            q = quaternion([[float(x) for x in row] for row in rotation(time)])
            near = not turns or sum(a * b for a, b in zip(q, turns[-1])) >= 0
            turns.append(q if near else tuple(-c for c in q))
        self.channel(len(nodes) - 1, "rotation", turns, "VEC4")

    def write(self, path):
        self.out.json["animations"] = [self.animation]
        self.out.json["scenes"] = [{"nodes": list(range(len(self.out.json["nodes"])))}]
        size = self.out.write(path)
        if size > files.FILE_MAX:
            raise SystemExit(f"{path}: {size} bytes are more than {files.FILE_MAX}")
        print(f"{path.rsplit('/', 1)[-1]}: {size} bytes, {len(self.times)} keys of "
              f"{', '.join(node['name'] for node in self.out.json['nodes'])}")
