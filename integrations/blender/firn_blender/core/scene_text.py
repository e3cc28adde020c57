# SPDX-License-Identifier: MIT
"""Writes a scene as YAML, and remembers for each line which object it describes, so that a message
of firn about a line is shown at that object."""
import json
import math

import numpy as np


class Owned:
    """A part of a scene and the name of the object that it describes."""

    def __init__(self, owner, value):
        self.owner, self.value = owner, value


def scalar(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError("a number that is not finite")
        single = np.float32(value)  # Blender's numbers: 0.04, not 0.0399999991
        return f"{float(str(single)):.9g}" if float(single) == value else f"{value:.9g}"
    return json.dumps(value, ensure_ascii=False)  # a JSON string is a YAML string


def name(key):
    return key if key.isidentifier() else scalar(key)


def flow(value):
    """On one line."""
    if isinstance(value, Owned):
        return flow(value.value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name(key)}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(flow(item) for item in value) + "]"
    return scalar(value)


class Writer:
    def __init__(self):
        self.lines, self.owners = [], []

    def line(self, text, owner):
        self.lines.append(text)
        self.owners.append(owner)

    def block(self, value, indent, owner):
        """A mapping, one key per line; lists of mappings one item per line."""
        for key, item in value.items():
            inner = owner
            if isinstance(item, Owned):
                inner, item = item.owner, item.value
            if isinstance(item, dict) and item and (
                    len(flow(item)) > 60 or any(isinstance(v, Owned) for v in item.values())):
                self.line(" " * indent + name(key) + ":", inner)
                self.block(item, indent + 2, inner)
            elif isinstance(item, list) and item and any(
                    isinstance(part, (dict, Owned)) for part in item):
                self.line(" " * indent + name(key) + ":", inner)
                self.items(item, indent + 2, inner)
            else:
                self.line(" " * indent + f"{name(key)}: {flow(item)}", inner)

    def items(self, items, indent, owner):
        for item in items:
            inner = owner
            if isinstance(item, Owned):
                inner, item = item.owner, item.value
            nests = isinstance(item, dict) and any(isinstance(v, dict) for v in item.values())
            if nests and len(flow(item)) > 80:
                at = len(self.lines)
                self.block(item, indent + 2, inner)
                first = self.lines[at]
                self.lines[at] = first[:indent] + "-" + first[indent + 1:]
            else:
                self.line(" " * indent + "- " + flow(item), inner)


def write(scene):
    """(text, owners): owners[k] is the object of line k + 1, or ''."""
    writer = Writer()
    writer.block(scene, 0, "")
    return "\n".join(writer.lines) + "\n", writer.owners
