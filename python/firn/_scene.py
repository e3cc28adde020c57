# SPDX-License-Identifier: MIT
"""Scenes: the input of a simulation, from YAML, from dictionaries and from code."""
from __future__ import annotations

import _thread
import json
import math
import os
from typing import TYPE_CHECKING, Any, Iterable, Mapping

from ._errors import Error, Message, parse_messages
from ._keys import SceneKeys
from ._picture import encode_png
from ._shapes import Shape, quaternion

if TYPE_CHECKING:
    from . import _firn
else:
    from . import _library as _firn


class Id:
    """Names a material, snow body, emitter, collider or joint; an index where one is needed."""

    __slots__ = ("kind", "raw")

    def __init__(self, kind: str, raw: tuple[Any, ...]) -> None:
        self.kind = kind
        self.raw = raw

    def __index__(self) -> int:
        return self.raw[0] - 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Id) and (self.kind, self.raw) == (other.kind, other.raw)

    def __hash__(self) -> int:
        return hash((self.kind, self.raw))

    def __repr__(self) -> str:
        return f"<firn {self.kind} {self.raw[0] - 1}>"


class Check(tuple[Message, ...]):
    """What `Scene.check` found: its messages, and estimates of the simulation.

    An empty one has no mistakes and no warnings; `ok` is true if there are warnings only. The
    attributes name, title, solver, variant, frames, fps, particles, cell [m], dt [s], steps,
    memory_bytes, device_bytes, disk_bytes, seconds, threads and powder (its points) are those
    of the scene.
    """

    ok: bool
    info: dict[str, Any]

    @property
    def errors(self) -> tuple[Message, ...]:
        """The messages that are errors."""
        return tuple(m for m in self if m.severity == "error")

    @property
    def warnings(self) -> tuple[Message, ...]:
        """The messages that are warnings."""
        return tuple(m for m in self if m.severity == "warning")

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["info"][name]
        except KeyError:
            raise AttributeError(f"a check has no {name!r}") from None

    def __repr__(self) -> str:
        lines = [f"<firn.Check: {len(self.errors)} errors, {len(self.warnings)} warnings; "
                 f"{self.particles:,} particles, about {self.memory_bytes / 1e6:.0f} MB and "
                 f"{self.seconds:.0f} s on {self.threads} threads>"]
        return "\n".join(lines + [f"  {m}" for m in self])


def plain(value: Any) -> Any:
    """A value as JSON has it, which is YAML: arrays, shapes, paths, infinities."""
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, Shape):
        return plain(value.to_dict())
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        raise ValueError(f"a scene cannot contain {value}")
    if isinstance(value, (str, int, type(None))):
        return value
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    raise TypeError(f"a scene cannot contain {value!r}")


def written(value: Any) -> str:
    """A value in the words of a scene file."""
    return value if isinstance(value, str) else json.dumps(plain(value))


class Scene(SceneKeys):
    """The input of a simulation.

    Scene("snowball-drop")          a scene that ships with firn, or a file: Scene("first.yaml")
    Scene(yaml)                     YAML text, recognised by its line breaks
    Scene({"mpm": {"cell": 0.02}})  a dictionary with the keys of a scene file
    Scene(mpm={"cell": 0.02})       the same as keyword arguments
    Scene()                         an empty one, for add_snow, add_collider, ...

    `variant` and `solver` choose, `set` overrides keys: set={"mpm.cell": 0.01}. A scene with
    mistakes raises SceneRefused, whose `messages` have all of them with line and column.
    """

    def __init__(self, source: str | os.PathLike[str] | Mapping[str, Any] | None = None, /, *,
                 variant: str | None = None, solver: str | None = None,
                 set: Mapping[str, Any] | None = None, name: str = "scene",
                 memory_cap_bytes: int = 0, **blocks: Any) -> None:
        self._core = _firn.Scene()
        self._memo: dict[Any, Any] = {}
        self._lock = _thread.allocate_lock()
        self._info: dict[str, Any] | None = None
        self.text: str | None = None
        is_file = isinstance(source, os.PathLike) or \
            isinstance(source, str) and "\n" not in source
        if isinstance(source, Mapping) or blocks or source is None:
            if blocks and source is not None and not isinstance(source, Mapping):
                raise TypeError("keyword arguments are blocks of a dictionary, not of a file: use "
                                "set={'mpm.cell': 0.01}")
            if source is None and not blocks and not (variant or set):
                if solver:
                    self._core.set("solver", solver)
                return
            given = source if isinstance(source, Mapping) else {}
            self.text = json.dumps(plain({"firn": 1, **given, **blocks}), indent=1,
                                   ensure_ascii=False)
        elif not is_file:
            self.text = str(source)
        path = os.fspath(source) if isinstance(source, (str, os.PathLike)) and is_file else ""
        overrides = [f"{key}={written(value)}" for key, value in (set or {}).items()]
        self._core.load(is_file, path or self.text or "", name, variant, solver, overrides,
                        memory_cap_bytes)

    @classmethod
    def from_yaml(cls, text: str, **options: Any) -> Scene:
        """A scene from YAML text, with the options of Scene()."""
        return cls(text if "\n" in text else text + "\n", **options)

    # ---- reading and changing --------------------------------------------------------------------

    def check(self, threads: int = 0) -> Check:
        """Check the whole scene and estimate what simulating it costs on `threads`.

        Returns the messages instead of raising: `scene.check().ok`.
        """
        info, text, has_errors = self._core.check(threads)
        self._info = info
        check = Check(parse_messages(text))
        check.info = info
        check.ok = not has_errors
        return check

    def set(self, key: str, value: Any) -> None:
        """Set a key that is not in a list: scene.set("mpm.cell", 0.01)."""
        self._info = None
        self._core.set(key, written(value))

    def __setitem__(self, key: str, value: Any) -> None:
        self.set(key, value)

    def yaml(self) -> str:
        """The scene as YAML text, with all overrides and changes."""
        return self._core.yaml()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the scene as a YAML file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.yaml())

    @property
    def variants(self) -> list[str]:
        """Names of the variants that the scene has."""
        return self._core.variants()

    @property
    def snow_masses(self) -> list[float]:
        """Mass of each snow body [kg], as the solver will fill it."""
        return self._core.masses()

    @property
    def info(self) -> dict[str, Any]:
        """Name, solver, frames and estimates: those of `check`, kept until the scene changes."""
        if self._info is None:
            self._info = self._core.check(0)[0]
        return self._info

    # ---- adding ----------------------------------------------------------------------------------

    def material(self, name: str) -> Id:
        """The material of that name."""
        return Id("material", self._core.material(name))

    def shape_id(self, shape: Shape) -> Any:
        """The id of a shape in this scene, for the C library."""
        if not isinstance(shape, Shape):
            raise TypeError(f"not a shape: {shape!r}; firn.sphere, firn.box, ... make them")
        return shape.build(self._core, self._memo)

    def item_keys(self, shape: Shape, keys: dict[str, Any]) -> dict[str, Any]:
        """Arguments of an item, for the C library: ids of shape and material, quaternions."""
        keys = dict(keys, shape=self.shape_id(shape))
        material = keys.get("material")
        if isinstance(material, str):
            keys["material"] = self._core.material(material)
        elif isinstance(material, Id):
            keys["material"] = material.raw
        if isinstance(keys.get("follow"), Id):
            keys["follow"] = keys["follow"].raw
        if "rotation" in keys:
            keys["rotation"] = quaternion(keys["rotation"])
        if keys.get("keys") is not None:
            keys["keys"] = [_pose_key(pose) for pose in keys["keys"]]
        return keys

    def _add(self, kind: str, shape: Shape, keys: dict[str, Any]) -> Id:
        self._info = None
        return Id(kind, self._core.add(kind, self.item_keys(shape, keys)))

    def _add_joint(self, kind: str, a: Any, b: Any, keys: dict[str, Any]) -> Id:
        self._info = None
        return Id("joint", self._core.add("joint", joint_keys(kind, a, b, keys)))

    def _add_force(self, kind: str, falloff: str, keys: dict[str, Any]) -> None:
        self._info = None
        keys["type"] = _number_of("kind of force", kind, ("uniform", "point", "vortex", "noise"))
        keys["falloff"] = _number_of("falloff", falloff, ("none", "linear", "smooth", "inverse"))
        self._core.add("force", keys)

    def set_gravity_keys(self, keys: Iterable[tuple[float, Any]]) -> None:
        """Gravity over time instead of a constant: [(time [s], (x, y, z) [m/s^2])], linear between
        the keys, constant before the first and after the last; none: constant again."""
        self._info = None
        self._core.gravity_keys(list(keys))

    def _add_material(self, kind: str, name: str, keys: dict[str, Any]) -> Id:
        self._info = None
        becomes = keys.get("becomes")
        if isinstance(becomes, str):
            keys["becomes"] = self._core.material(becomes)
        elif isinstance(becomes, Id):
            keys["becomes"] = becomes.raw
        return Id("material", self._core.add(kind, keys, name))

    # ---- showing ---------------------------------------------------------------------------------

    def picture(self, width: int = 640, height: int | None = None,
                particles: int | None = 50_000) -> Any:
        """A preview of the first frame: an array of pixels, (height, width, 3), sRGB.

        Scenes with more than `particles` are drawn with coarser snow; None: as they are.
        """
        from ._simulation import Simulation
        return Simulation(self._coarse(particles)).picture(width, height)

    def _coarse(self, particles: int | None) -> Scene:
        info = self.info
        if particles is None or info["particles"] <= particles:
            return self
        keys = {"mpm": "cell", "sph": "spacing", "grains": "radius", "ballistic": "spacing"}
        factor = (info["particles"] / particles) ** (1 / 3)
        try:
            coarse = Scene.from_yaml(self.yaml())
            half = 0.5 if info["solver"] == "grains" else 1.0
            coarse.set(f"{info['solver']}.{keys[info['solver']]}", half * info["cell"] * factor)
            return coarse
        except (Error, KeyError):  # a mesh of arrays is not in the text
            return self

    def _repr_png_(self) -> bytes | None:
        try:
            if not self.info["particles"]:
                return None
            return encode_png(self.picture(480))
        except Error:
            return None

    def __repr__(self) -> str:
        try:
            i = self.info
        except Error:
            return "<firn.Scene>"
        name = i["name"] or "scene"
        title = f" ({i['title']})" if i["title"] else ""
        variant = f", variant {i['variant']}" if i["variant"] else ""
        return (f"<firn.Scene {name}{title}: {i['solver']}{variant}, {i['particles']:,} particles, "
                f"{i['frames']} frames at {i['fps']:g} per second>")


def _number_of(what: str, name: str, names: tuple[str, ...]) -> int:
    if name not in names:
        raise ValueError(f"there is no {what} '{name}': use {', '.join(names)}")
    return names.index(name)


def joint_keys(kind: str, a: Any, b: Any, keys: dict[str, Any]) -> dict[str, Any]:
    """Arguments of a joint, for the C library: ids of its colliders."""
    return dict(keys, kind=kind, a=a.raw, b=b.raw if b is not None else None)


def _pose_key(pose: Any) -> tuple[float, Any, Any, float]:
    """(time, position[, rotation[, scale]]) of a moving collider."""
    time, position, *rest = pose
    rotation = rest[0] if rest else None
    return (float(time), position, quaternion(rotation), float(rest[1]) if len(rest) > 1 else 1.0)


def scenes() -> dict[str, str]:
    """Names and titles of the scenes that ship with firn."""
    rows = (line.split("\t") for line in _firn.scenes().splitlines())
    return {row[0]: row[1] for row in rows if len(row) >= 2}
