# SPDX-License-Identifier: MIT
"""Writes .glb files: glTF 2.0 with its buffer in the same file. Khronos, glTF 2.0 specification, section 4."""
import json
import struct

FLOAT, U8, U16 = 5126, 5121, 5123
FORMATS = {FLOAT: "f", U8: "B", U16: "H"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Glb:
    def __init__(self):
        self.data = bytearray()
        self.json = {"asset": {"version": "2.0", "generator": "tools/make_figure.py"}, "scene": 0,
                     "accessors": [], "bufferViews": []}

    def accessor(self, values, kind, component, target=None, bounds=False, normalized=False):
        """Adds rows of numbers; their index."""
        while len(self.data) % 4:
            self.data.append(0)
        view = {"buffer": 0, "byteOffset": len(self.data)}
        rows = [row if isinstance(row, (tuple, list)) else (row,) for row in values]
        for row in rows:
            assert len(row) == WIDTHS[kind]
            self.data += struct.pack("<%d%s" % (len(row), FORMATS[component]), *row)
        view["byteLength"] = len(self.data) - view["byteOffset"]
        if target:
            view["target"] = target
        self.json["bufferViews"].append(view)
        entry = {"bufferView": len(self.json["bufferViews"]) - 1, "componentType": component, "count": len(rows),
                 "type": kind}
        if normalized:
            entry["normalized"] = True
        if bounds:  # of the numbers as they are stored
            stored = [struct.unpack("<%df" % len(row), struct.pack("<%df" % len(row), *row)) for row in rows]
            entry["min"] = [min(column) for column in zip(*stored)]
            entry["max"] = [max(column) for column in zip(*stored)]
        self.json["accessors"].append(entry)
        return len(self.json["accessors"]) - 1

    def mesh(self, name, vertices, triangles, more=None):
        """Adds a mesh of one part; its index."""
        attributes = {"POSITION": self.accessor(vertices, "VEC3", FLOAT, 34962, bounds=True)}
        attributes.update(more or {})
        indices = self.accessor([i for t in triangles for i in t], "SCALAR", U16, 34963)
        meshes = self.json.setdefault("meshes", [])
        meshes.append({"name": name, "primitives": [{"attributes": attributes, "indices": indices}]})
        return len(meshes) - 1

    def paint(self, mesh, name, png, roughness):
        """Gives a mesh with texture coordinates a material with a picture, which becomes part of the file."""
        while len(self.data) % 4:
            self.data.append(0)
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(png)})
        self.data += png
        self.json["images"] = [{"name": name, "bufferView": len(self.json["bufferViews"]) - 1,
                                "mimeType": "image/png"}]
        self.json["samplers"] = [{"wrapS": 33071, "wrapT": 33071}]
        self.json["textures"] = [{"source": 0, "sampler": 0}]
        self.json["materials"] = [{"name": name, "pbrMetallicRoughness": {
            "baseColorTexture": {"index": 0}, "metallicFactor": 0, "roughnessFactor": roughness}}]
        self.json["meshes"][mesh]["primitives"][0]["material"] = 0

    def write(self, path):
        while len(self.data) % 4:
            self.data.append(0)
        self.json["buffers"] = [{"byteLength": len(self.data)}]
        text = json.dumps(self.json, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        size = 28 + len(text) + len(self.data)
        with open(path, "wb") as file:
            file.write(struct.pack("<4sII", b"glTF", 2, size))
            file.write(struct.pack("<I4s", len(text), b"JSON") + text)
            file.write(struct.pack("<I4s", len(self.data), b"BIN\0") + bytes(self.data))
        return size
