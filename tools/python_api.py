#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes what the Python package has from tables: signatures and help of functions with keyword
arguments, from the tables of python/src/defs.c and the scene reference; the stub of the extension
module, from its docstrings; the reference, from the docstrings of the package.

    tools/python_api.py PACKAGE           writes; PACKAGE: build/release/python
    tools/python_api.py --check PACKAGE   status 1 where a file is not up to date
"""
import importlib.machinery
import importlib.util
import inspect
import json
import math
import os
import re
import sys
import textwrap

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TYPES = {"float": "float", "int": "int", "bool": "bool", "str": "str", "vec3": "Vector",
         "quat": "Rotation"}

# class, function, arguments before the table's, table, body, help. {keys} is the dictionary.
SHAPE = "shape: Shape, *"
MATERIAL = ("material", "str | Id | None", "None", "Name of a material of the scene; None: the first.")
VARIATION = [
    ("vary", "dict[str, Any] | None", "None",
     "Factors on constants by noise or a volume: {'stiffness': {'noise_scale': 0.1, "
     "'noise_amount': 0.5}}; also density, hardening, compression, stretch."),
    ("shell", "dict[str, Any] | None", "None",
     "Factors near the surface: {'thickness': 0.02, 'stiffness': 3}."),
    ("layers", "list[dict[str, Any]] | None", "None",
     "Factors by depth: [{'from': 0, 'to': 0.1, 'density': 0.5}]."),
]
PHASE = [("phase", "str", "'snow'",
          "'snow', 'water' (incompressible) or 'viscous'; fluids are for solver sph."),
         ("becomes", "str | Id | None", "None",
          "A material that was added before, which this one turns into (solver sph).")]
KEYS = [("keys", "list[tuple[Any, ...]] | None", "None",
         "Poses at times: [(time, position[, rotation[, scale]])]; they replace position, rotation "
         "and scale.")]
FORCE = [("falloff", "str", "'none'",
          "How it decreases up to the radius: 'none', 'linear', 'smooth', or 'inverse' beyond it."),
         ("keys", "list[tuple[float, float]] | None", "None",
          "Factors on the strength at times: [(time, factor)]; None: constant.")]
FOLLOW = [("follow", "Id | None", "None",
           "A collider without a mass that it moves with; shape and velocity are as at t = 0.")]
PLACE = [("at", "Vector | None", "None", "Where the shape's origin is put [m]."),
         ("turned", "Rotation | None", "None", "How the shape is rotated about its origin.")]
REGION = [("region", "tuple[Vector, Vector] | None", "None",
           "Only particles in the box between two corners.")]
BOX = [("box", "tuple[Vector, Vector] | None", "None",
        "Only particles in the box between two corners.")]
POINT_B = [("point_b", "Vector | None", "None",
            "Where a spring, rope or rod holds `b`, when it begins [m]; None: at `point`.")]
ENDS = "kind: str, a: Id | Collider, b: Id | Collider | None = None, *"
RENDER = [("frames", "Iterable[int] | None", "None", "Numbers of frames instead of a range."),
          ("set", "Mapping[str, Any] | None", "None",
           "Keys of the scene to override: {'render.samples': 64}."),
          ("progress", "bool | Callable[[Any], Any]", "True",
           "A bar (tqdm, if installed), or a function that is called.")]
FUNCTIONS = [
    ("SceneKeys", "Arguments of the functions that add to a scene.", [
        ("add_material", "name: str, *", "material", PHASE, "Id",
         "self._add_material('material', name, {keys})",
         "Add a material; the defaults are those of Stomakhin et al. 2013, table 2."),
        ("add_measured", "name: str, *", "measured", [], "Id",
         "self._add_material('measured', name, {keys})",
         "Add natural snow with measured stiffness, strength and heat, by its density."),
        ("add_snow", SHAPE, "snow", [MATERIAL, *VARIATION], "Id", "self._add('snow', shape, {keys})",
         "Fill a shape with snow."),
        ("add_emitter", SHAPE, "emitter", [MATERIAL, *FOLLOW], "Id",
         "self._add('emitter', shape, {keys})", "Add an emitter of snow (mpm and sph): particles appear in a shape during the simulation."),
        ("add_force", "kind: str, *", "force", FORCE, "None",
         "self._add_force(kind, falloff, {keys})",
         "Add an acceleration of all snow beside gravity: 'uniform' (along `direction`), 'point' "
         "(towards `center`), 'vortex' (around the axis through `center`) or 'noise' (eddies)."),
        ("add_collider", SHAPE, "collider", KEYS, "Id", "self._add('collider', shape, {keys})",
         "Add a collider: kinematic, or dynamic if it has a mass."),
        ("add_joint", ENDS, "joint", POINT_B, "Id", "self._add_joint(kind, a, b, {keys})",
         "Hold collider `a`, which has a mass, to `b` or to the world: 'fixed', 'hinge' (rotation "
         "about `axis`), 'ball' (about `point`), 'spring', 'rope' (a largest distance) or 'rod'. "
         "Positions are in world coordinates, at the start."),
    ]),
    ("SimulationKeys", "Arguments of functions of a simulation.", [
        ("add_snow", SHAPE, "snow", [MATERIAL, *PLACE, *VARIATION], "Id",
         "self._add('snow', shape, {keys})",
         "Fill a shape with snow between two steps; velocity and spin are in world axes."),
        ("add_emitter", SHAPE, "emitter", [MATERIAL], "Id", "self._add('emitter', shape, {keys})",
         "Add an emitter between two steps (mpm and sph)."),
        ("add_collider", SHAPE, "collider", KEYS, "Id", "self._add('collider', shape, {keys})",
         "Add a collider between two steps; not in a run on disk."),
        ("add_joint", ENDS, "joint", POINT_B, "Id", "self._add_joint(kind, a, b, {keys})",
         "Add a joint between two steps, as Scene.add_joint; it begins with the colliders as they "
         "are now. Not in a run on disk."),
        ("heights", "*", "height", [], "SimpleNamespace", "self._heights({keys})",
         "Height field of the snow: heights (rows, columns) with the axes x and z [m]."),
        ("keep_heights", "*", "height", [], "Heights", "self._keep_heights({keys})",
         "A height field that is kept: its `update` computes only what has changed."),
        ("surface", "*", "surface", BOX, "SimpleNamespace", "self._surface(box, {keys})",
         "Surface of the snow: vertices, normals, triangles; closed."),
    ]),
    ("RunKeys", "Arguments of functions of a run.", [
        ("measure", "*", "measure", REGION, "SimpleNamespace", "self._measure(region, {keys})",
         "Measure frames: arrays frame, time, mass, center, kinetic, fragments, largest, dust, "
         "force, ..."),
        ("export", "*", "export", [], "None", "self._export({keys})",
         "Write frames in other formats."),
        ("render", "*", "render", RENDER, "SimpleNamespace",
         "self._render(frames, set, progress, {keys})",
         "Path-trace frames: pictures, and a film of several. Returns a summary: first, film, ..."),
    ]),
    (None, "", [
        ("text", "text: str, *", "text", [], "Shape", "make_text(text, {keys})",
         "Letters of a font, extruded along z; the first baseline is at y = 0."),
        ("mesh", "source: Any, triangles: Any = None, *", "mesh", [], "Shape",
         "make_mesh(source, triangles, {keys})",
         "A solid from a file (.obj, .ply, .stl, .gltf, .glb), or from vertices (n, 3) and "
         "triangles (m, 3)."),
        ("simulation_options", "*", "sim", [], "dict[str, Any]", "{keys}",
         "Options of Simulation."),
    ]),
]
SCENE_BLOCKS = {"snow": "snow", "emitter": "emitters", "collider": "colliders",
                "joint": "joints", "material": "materials", "force": "forces"}


def load_module(package):
    path = os.path.join(package, "firn", "_firn.abi3.so")
    loader = importlib.machinery.ExtensionFileLoader("firn._firn", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("firn._firn", loader))
    loader.exec_module(module)
    return module


def scene_help(schema, table, name):
    """The help of a key in the scene reference, without unit and default."""
    block = schema["properties"][SCENE_BLOCKS[table]]["allOf"][0]
    block = block.get("items", block.get("additionalProperties"))
    while "properties" not in block:
        block = block["allOf"][0]
    text = block["properties"][name]["description"]
    return re.sub(r"( \[[^\]]*\])? Default:.*$", "", text)


def literal(kind, value):
    """A default in a signature; what Python cannot write, and None, is 'the library's'."""
    if kind in ("vec3", "quat"):
        return "(" + ", ".join(literal("float", v) for v in value) + ")"
    if kind == "float":
        if not math.isfinite(value):
            return "None"
        for digits in range(1, 17):
            text = f"{value:.{digits}g}"
            if abs(float(text) - value) <= 1e-7 * abs(value):
                return repr(int(float(text))) if float(text) == int(float(text)) and \
                    abs(float(text)) < 1e6 else repr(float(text))
    return repr(value)


def wrapped(text, indent, hang):
    return textwrap.fill(text, 100, initial_indent=indent, subsequent_indent=indent + hang,
                         break_long_words=False, break_on_hyphens=False)


def filled(start, items, end):
    """Items separated by commas, in lines of at most 100 columns below the first."""
    lines, line = [], start
    for k, item in enumerate(items):
        word = item + ("," if k + 1 < len(items) else end)
        space = "" if line in (start, " " * len(start)) else " "
        if len(line) + len(space) + len(word) > 100:
            lines.append(line)
            line, space = " " * len(start), ""
        line += space + word
    return "\n".join(lines + [line])


def function(spec, tables, schema, in_class):
    name, head, table, more, returns, body, about = spec
    indent = "    " if in_class else ""
    arguments, helps, keys = [], [], []
    for row in more:
        arguments.append(f"{row[0]}: {row[1]} = {row[2]}")
        helps.append((row[0], "", row[3]))
        if row[0] not in ("region", "box", "frames", "set", "progress"):
            keys.append(row[0])
    for key, kind, unit, default, text in tables[table]:
        value = literal(kind, default)
        kind = TYPES[kind] + (" | None" if value == "None" else "")
        kind = "str | PathLike[str] | None" if key == "output_dir" else kind
        arguments.append(f"{key}: {kind} = {value}")
        helps.append((key, unit, text or scene_help(schema, table, key)))
        keys.append(key)
    first = ["self"] if in_class else []
    lines = filled(f"{indent}def {name}(", first + head.split(", ") + arguments,
                   f") -> {returns}:")
    doc = [wrapped(f'"""{about}', indent + "    ", ""), ""]
    doc += [wrapped(f"{key}{f' [{unit}]' if unit else ''}: {text}", indent + "    ", "    ")
            for key, unit, text in helps]
    doc.append(f'{indent}    """')
    fill = filled(f"{indent}    given: dict[str, Any] = dict(", [f"{k}={k}" for k in keys], ")")
    result = body.format(keys="given")
    return "\n".join([lines, *doc, fill, f"{indent}    return {result}"])


def write_keys(module):
    schema = json.loads(module.reference("schema"))
    tables = module.tables()
    parts = ['''# SPDX-License-Identifier: MIT
# Written by tools/python_api.py from python/src/defs.c and the scene reference: do not edit.
"""Functions with keyword arguments. None stands for the default of the C library."""
from __future__ import annotations

from os import PathLike
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping

from ._shapes import Rotation, Shape, Vector, make_mesh, make_text

if TYPE_CHECKING:
    from ._collider import Collider
    from ._heights import Heights
    from ._scene import Id
''']
    hooks = {"SceneKeys": ["_add_material", "_add", "_add_joint"],
             "SimulationKeys": ["_add", "_add_joint", "_heights", "_keep_heights", "_surface"],
             "RunKeys": ["_measure", "_export", "_render"]}
    for owner, about, specs in FUNCTIONS:
        if owner is not None:
            parts.append(f'\n\nclass {owner}:\n    """{about}"""\n\n' +
                         "\n".join(f"    {hook}: Callable[..., Any]" for hook in hooks[owner]) + "\n")
        for spec in specs:
            parts.append(("\n" if owner else "\n\n") +
                         function(spec, tables, schema, owner is not None) + "\n")
    return "".join(parts)


def write_stub(module):
    lines = ["# SPDX-License-Identifier: MIT",
             "# Written by tools/python_api.py from the docstrings of the module: do not edit.",
             "from typing import Any", "", "REAL_BYTES: int"]
    for name, value in sorted(vars(module).items()):
        if callable(value) and not isinstance(value, type) and value.__doc__:
            lines.append(f"def {value.__doc__.splitlines()[0]}: ...")
    starts = {"Scene": "def __init__(self) -> None: ...",
              "Sim": "def __init__(self, scene: Scene, keys: dict, log: object, progress: object, "
                     "interval: float) -> None: ...",
              "Replay": "def __init__(self, folder: str) -> None: ...", "Field": None,
              "Heights": "def __init__(self, source: object, keys: dict) -> None: ..."}
    for name, start in starts.items():
        lines += ["", f"class {name}:"]
        lines += [f"    {start}"] if start else []
        for key, value in vars(getattr(module, name)).items():
            doc = getattr(value, "__doc__", None) or ""
            if inspect.ismethoddescriptor(value) and "->" in doc.split("\n")[0]:
                lines.append("    def " + doc.split("\n")[0].replace("(", "(self, ", 1)
                             .replace("(self, )", "(self)") + ": ...")
            elif inspect.isgetsetdescriptor(value):
                kind = doc.split(":")[0].replace("numpy.ndarray", "Any")
                lines += ["    @property", f"    def {key}(self) -> {kind}: ..."]
        if name == "Field":
            lines += ["    def __len__(self) -> int: ...",
                      "    def __getitem__(self, key: Any) -> Any: ..."]
    text = "\n".join(lines) + "\n"
    text = re.sub(r"\bdict\b", "dict[str, Any]", text)
    text = re.sub(r"\blist\b", "list[Any]", text)
    text = re.sub(r"\btuple\b", "tuple[Any, ...]", text)
    return text.replace("numpy.ndarray", "Any").replace("-> object", "-> Any").replace(
        "*arguments: object", "*arguments: object")


# ---- the reference -------------------------------------------------------------------------------

def signature_of(value):
    try:
        text = str(inspect.signature(value))
    except (TypeError, ValueError):
        first = (value.__doc__ or "").split("\n")[0]
        return first[first.find("("):] if "->" in first else "()"
    return re.sub(r"\(self(, )?", "(", text.replace("'", "")) if text.startswith("(self") else \
        text.replace("'", "")


def document(value):
    doc = inspect.getdoc(value) or ""
    lines = doc.split("\n")
    if "->" in lines[0]:
        lines = lines[2:]
    return "\n".join(lines)


def doc_lines(doc):
    """Paragraphs as they are; arguments as a list; examples as code."""
    out, code = [], False
    for line in doc.split("\n"):
        item = re.match(r"^(\w+)( \[[^\]]*\])?: (.*)$", line)
        if line.startswith("    ") and not (out and out[-1].startswith(("- ", "  "))):
            if not code:
                out += ["```python"]
                code = True
            out.append(line[4:])
            continue
        if code and line:
            out += ["```", ""]
            code = False
        if item and item[1].islower():
            out.append(f"- `{item[1]}`{item[2] or ''}: {item[3]}")
        elif line.startswith("    "):
            out.append("  " + line.strip())
        else:
            out.append(line)
    return out + (["```"] if code else [])


def entry(name, value, level):
    if isinstance(value, property) or inspect.isgetsetdescriptor(value):
        return [f"{level} `{name}`", "", *doc_lines(document(value)), ""]
    head = f"{name}{signature_of(value)}"
    out = [f"{level} `{name}`", "", "```python"]
    out += textwrap.wrap(head, 96, subsequent_indent="    ", break_long_words=False,
                         break_on_hyphens=False)
    return out + ["```", "", *doc_lines(document(value)), ""]


def write_reference(package):
    sys.path.insert(0, package)
    import firn
    out = ["# Python reference", "",
           "Written by `tools/python_api.py` from the docstrings of the package, the tables of",
           "`python/src/defs.c` and the scene reference. [python.md](python.md) is the guide.", ""]
    public = [(name, getattr(firn, name)) for name in firn.__all__]
    out += ["## Functions", ""]
    for name, value in public:
        if inspect.isfunction(value):
            out += entry("firn." + name, value, "###")
    for name, value in public:
        if not inspect.isclass(value) or issubclass(value, BaseException):
            continue
        out += [f"## `firn.{name}`", "", *doc_lines(document(value)), ""]
        for key in sorted({k for base in value.__mro__[:-1] for k in vars(base)
                           if not k.startswith("_") and base not in (tuple, dict)}):
            member = inspect.getattr_static(value, key)
            member = member.__func__ if isinstance(member, classmethod) else member
            if callable(member) or isinstance(member, property) or \
                    inspect.isgetsetdescriptor(member):
                if document(member) and not key.startswith(("shape_id", "item_keys")):
                    out += entry(key, member, "###")
    out += ["## Exceptions", "", "| | is a | |", "|---|---|---|"]
    for name, value in public:
        if inspect.isclass(value) and issubclass(value, BaseException):
            bases = ", ".join(b.__name__ for b in value.__bases__)
            out.append(f"| `firn.{name}` | {bases} | {document(value).splitlines()[0]} |")
    return "\n".join(out) + "\n"


def main(arguments):
    check = arguments[:1] == ["--check"]
    if len(arguments) != 1 + check:
        sys.exit(__doc__)
    package = os.path.abspath(arguments[-1])
    module = load_module(package)
    stale = 0
    for path, text in (("python/firn/_keys.py", lambda: write_keys(module)),
                       ("python/firn/_firn.pyi", lambda: write_stub(module)),
                       ("docs/python-reference.md", lambda: write_reference(package))):
        whole, new = os.path.join(ROOT, path), text()
        old = open(whole, encoding="utf-8").read() if os.path.exists(whole) else ""
        if old == new:
            continue
        if check:
            print(f"{path} is not up to date: run tools/python_api.py {arguments[-1]}")
            stale = 1
        else:
            with open(whole, "w", encoding="utf-8") as file:
                file.write(new)
            if path.startswith("python/"):
                with open(os.path.join(package, path[7:]), "w", encoding="utf-8") as file:
                    file.write(new)
            print(f"wrote {path}")
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
