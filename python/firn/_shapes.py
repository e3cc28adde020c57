# SPDX-License-Identifier: MIT
"""Shapes: values that scenes fill with snow or use as colliders. Lengths in metres, y is up."""
from __future__ import annotations

import json
import math
import os
from typing import Any, Sequence

Vector = Sequence[float]
"""Three numbers: a tuple, a list, an array."""
Rotation = Sequence[float]
"""A quaternion (w, x, y, z), or three angles in degrees about x, then y, then z (fixed axes)."""


def vector(value: Vector, name: str) -> tuple[float, float, float]:
    """Three finite numbers, checked where they are given."""
    numbers = tuple(float(x) for x in value)
    if len(numbers) != 3 or not all(math.isfinite(x) for x in numbers):
        raise ValueError(f"{name} must be three finite numbers, not {value!r}")
    return numbers  # type: ignore[return-value]


def quaternion(value: Rotation | None) -> tuple[float, float, float, float]:
    """(w, x, y, z) of a rotation; None: none."""
    if value is None:
        return (1.0, 0.0, 0.0, 0.0)
    numbers = tuple(float(x) for x in value)
    if len(numbers) == 4:
        return numbers  # type: ignore[return-value]
    if len(numbers) != 3:
        raise ValueError("a rotation has 3 angles [degrees] or 4 numbers (w, x, y, z), "
                         f"not {len(numbers)}")
    (a, b, c), (sa, sb, sc) = zip(*((math.cos(math.radians(x) / 2), math.sin(math.radians(x) / 2))
                                    for x in numbers))
    return (c * b * a + sc * sb * sa, c * b * sa - sc * sb * a,
            c * sb * a + sc * b * sa, sc * b * a - c * sb * sa)


class Shape:
    """A solid. Combine shapes: a | b (union), a & b (intersection), a - b (difference)."""

    __slots__ = ("kind", "arguments", "_key")

    def __init__(self, kind: str, *arguments: Any, key: Any = None) -> None:
        self.kind = kind
        self.arguments = arguments
        self._key = (kind, arguments) if key is None else key

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shape) and self._key == other._key

    def __or__(self, other: Shape) -> Shape:
        return Shape("union", self, other)

    def __and__(self, other: Shape) -> Shape:
        return Shape("intersection", self, other)

    def __sub__(self, other: Shape) -> Shape:
        return Shape("difference", self, other)

    def moved(self, by: Vector) -> Shape:
        """The shape, moved."""
        return Shape("transform", self, vector(by, "by"), quaternion(None), 1.0)

    def rotated(self, rotation: Rotation) -> Shape:
        """The shape, rotated about the origin."""
        return Shape("transform", self, (0.0, 0.0, 0.0), quaternion(rotation), 1.0)

    def scaled(self, factor: float) -> Shape:
        """The shape, scaled about the origin."""
        return Shape("transform", self, (0.0, 0.0, 0.0), quaternion(None), float(factor))

    def __repr__(self) -> str:
        pairs = {"union": "|", "intersection": "&", "difference": "-"}
        if self.kind in pairs:
            return f"({self.arguments[0]!r} {pairs[self.kind]} {self.arguments[1]!r})"
        if self.kind == "transform":
            shape, move, rotation, scale = self.arguments
            text = repr(shape)
            text += f".scaled({scale!r})" if scale != 1 else ""
            text += f".rotated({rotation!r})" if rotation != (1, 0, 0, 0) else ""
            return text + (f".moved({move!r})" if any(move) else "")
        if self.kind == "mesh" and self.arguments[0] is None:
            return f"firn.mesh(<{len(self.arguments[3]) // 12} triangles>)"
        return f"firn.{self.kind}({', '.join(repr(x) for x in self.arguments)})"

    def build(self, core: Any, memo: dict[Any, Any]) -> Any:
        """The id of this shape in a scene of the C library; created once."""
        found = memo.get(self._key)
        if found is None:
            made = [x.build(core, memo) if isinstance(x, Shape) else x for x in self.arguments]
            found = memo[self._key] = core.shape(self.kind, *made)
        return found

    def to_dict(self) -> dict[str, Any]:
        """The shape as in a scene file."""
        if self.kind == "union":
            return {"union": {"of": [x.to_dict() for x in self.arguments]}}
        if self.kind in ("intersection", "difference"):
            return {self.kind: [x.to_dict() for x in self.arguments]}
        if self.kind == "transform":
            shape, move, rotation, scale = self.arguments
            return {"transform": {"shape": shape.to_dict(), "move": move, "rotation": rotation,
                                  "scale": scale}}
        if self.kind in _NAMES:
            return {self.kind: dict(zip(_NAMES[self.kind], self.arguments))}
        if self.kind == "text":
            return {"text": {"text": self.arguments[0], **self.arguments[1]}}
        if self.kind == "mesh" and self.arguments[0] is not None:
            keys = self.arguments[1]
            given = {"file": os.path.abspath(self.arguments[0]), "scale": keys["scale"],
                     "up": "z" if keys["z_up"] else "y",
                     "if_broken": "repair" if keys["mend"] else "refuse"}
            return {"mesh": {**given, **({"voxel": keys["voxel"]} if keys["voxel"] else {})}}
        raise ValueError("a mesh of arrays cannot be part of a dictionary: use Scene.add_snow or "
                         "Scene.add_collider")


_NAMES = {
    "plane": ("point", "normal"), "sphere": ("center", "radius"),
    "box": ("center", "size", "rounding"), "capsule": ("a", "b", "radius"),
    "cylinder": ("a", "b", "radius"), "cone": ("a", "b", "radius_a", "radius_b"),
    "wedge": ("base", "size"), "level_set": ("file", "grid"),
}


def plane(point: Vector = (0, 0, 0), normal: Vector = (0, 1, 0)) -> Shape:
    """A half space, solid below the surface: the ground."""
    return Shape("plane", vector(point, "point"), vector(normal, "normal"))


def sphere(center: Vector, radius: float) -> Shape:
    """A sphere."""
    return Shape("sphere", vector(center, "center"), float(radius))


def box(center: Vector, size: Vector, rounding: float = 0) -> Shape:
    """A box with edges of length `size`; `rounding` is the radius of its edges."""
    return Shape("box", vector(center, "center"), vector(size, "size"), float(rounding))


def capsule(a: Vector, b: Vector, radius: float) -> Shape:
    """A cylinder with hemispherical ends about `a` and `b`."""
    return Shape("capsule", vector(a, "a"), vector(b, "b"), float(radius))


def cylinder(a: Vector, b: Vector, radius: float) -> Shape:
    """A cylinder with flat ends at `a` and `b`."""
    return Shape("cylinder", vector(a, "a"), vector(b, "b"), float(radius))


def cone(a: Vector, b: Vector, radius_a: float, radius_b: float = 0) -> Shape:
    """A cone, or a truncated one, from `a` to `b`."""
    return Shape("cone", vector(a, "a"), vector(b, "b"), float(radius_a), float(radius_b))


def wedge(base: Vector, size: Vector) -> Shape:
    """A prism with its ridge up, along z, like a roof; `base` is the centre of its base."""
    return Shape("wedge", vector(base, "base"), vector(size, "size"))


def level_set(file: str | os.PathLike[str], grid: str | None = None) -> Shape:
    """A level set of a .vdb file; None: the first."""
    return Shape("level_set", os.path.abspath(os.fspath(file)), grid)


def make_text(text: str, keys: dict[str, Any]) -> Shape:
    """Letters of a font; see firn.text."""
    return Shape("text", text, keys, key=("text", text, json.dumps(keys, sort_keys=True)))


def make_mesh(source: Any, triangles: Any, keys: dict[str, Any]) -> Shape:
    """A solid from triangles; see firn.mesh."""
    options = json.dumps(keys, sort_keys=True)
    if triangles is None:
        path = os.fspath(source)
        return Shape("mesh", path, keys, key=("mesh", path, options))
    import numpy as np

    from ._library import REAL_BYTES
    corners = np.ascontiguousarray(source, dtype=f"f{REAL_BYTES}")
    faces = np.ascontiguousarray(triangles, dtype=np.int32)
    if corners.ndim != 2 or corners.shape[1] != 3 or faces.ndim != 2 or faces.shape[1] != 3:
        raise ValueError("a mesh has vertices of shape (n, 3) and triangles of shape (m, 3), not "
                         f"{corners.shape} and {faces.shape}")
    points, indices = corners.tobytes(), faces.tobytes()
    return Shape("mesh", None, keys, points, indices, key=("mesh", points, indices, options))
