# SPDX-License-Identifier: MIT
"""Snow simulation.

    import firn
    scene = firn.Scene("snowball-drop")     # a shipped scene, a file, YAML text or a dictionary
    sim = firn.Simulation(scene)
    sim.frame(24)
    x = sim["position"].array               # (n, 3), without a copy

docs/python.md is a guide of ten minutes, docs/python-reference.md lists everything.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _library
from ._collider import Collider
from ._errors import (ArgumentRefused, BackendRefused, Broken, DamagedFile, DeviceLost, Diverged,
                      Error, FileRefused, InternalError, Interrupted, Message, NameRefused, OutOfMemory,
                      Refused, SceneRefused)
from ._heights import Heights
from ._keys import mesh, text
from ._picture import encode_png, film
from ._run import Frame, Run, Stats, open, run
from ._scene import Check, Id, Scene, scenes
from ._shapes import (Shape, box, capsule, cone, cylinder, level_set, plane, sphere, wedge)
from ._simulation import Advance, Simulation

if TYPE_CHECKING:
    from ._firn import Field

    __version__: str

__all__ = [
    "Scene", "Simulation", "Run", "Frame", "Stats", "Field", "Collider", "Heights", "Shape", "Id",
    "Check", "Message", "Advance",
    "open", "run", "plane", "sphere", "box", "capsule", "cylinder", "cone", "wedge", "text", "mesh",
    "level_set", "scenes", "solvers", "presets", "devices", "version", "field_info", "scene_help",
    "encode_png", "film",
    "Error", "Refused", "ArgumentRefused", "SceneRefused", "NameRefused", "BackendRefused",
    "FileRefused", "DamagedFile", "Interrupted", "Broken", "OutOfMemory", "Diverged",
    "DeviceLost", "InternalError",
]


def __getattr__(name: str) -> Any:
    if name == "Field":
        return _library.Field
    if name == "__version__":
        return _library.version()["text"]
    raise AttributeError(f"module 'firn' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__


def solvers() -> dict[str, str]:
    """Names of the solvers, and what they are."""
    return _library.solvers()


def presets() -> dict[str, dict[str, Any]]:
    """Presets of materials: constants, help, and the source of the constants."""
    return _library.presets()


def devices() -> list[dict[str, Any]]:
    """GPUs that simulations can run on: backend, name, memory_bytes, capability."""
    return _library.devices()[0]


def version() -> dict[str, Any]:
    """Version and features of the library: text, real, simd, backends, features."""
    return _library.version()


def field_info(name: str) -> dict[str, str] | None:
    """Name, label, symbol, unit, solvers and help of a field; None: there is none."""
    return _library.field_info(name)


def scene_help(key: str = "") -> str:
    """The scene reference: of a key ("mpm.cell"), of a block ("snow"), or all of it."""
    whole = _library.reference("markdown")
    if not key:
        return whole
    parts = {head.strip("`"): body for head, _, body in
             (part.partition("\n") for part in whole.split("\n## ")[1:])}
    if key in parts:
        return parts[key].strip("\n")
    block, _, name = key.rpartition(".")
    for line in parts.get(block or "Top level", "").splitlines():
        if line.startswith(f"| `{name}` |"):
            cells = line.strip("|").split("|")[1:6]
            kind, unit, default, allowed, text = (cell.strip() for cell in cells)
            more = [kind, f"[{unit}]" if unit else "", f"default {default}",
                    f"allowed {allowed}" if allowed else ""]
            return f"{key}: {text} ({', '.join(x for x in more if x)})"
    raise NameRefused(f"a scene has no key or block '{key}'")


for _name in __all__:  # where users find them, in tracebacks and help
    if isinstance(globals().get(_name), type):
        globals()[_name].__module__ = "firn"
del _name
