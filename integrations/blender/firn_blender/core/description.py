# SPDX-License-Identifier: MIT
"""What a simulation consists of, in firn's axes and units, and the scene file made of it."""
import dataclasses

from .scene_text import Owned

SOLVERS = ("mpm", "sph", "grains")


@dataclasses.dataclass
class Settings:
    title: str = ""
    solver: str = "mpm"
    spacing: float = 0.02          # distance of particles [m]
    frames: int = 48               # after frame 0
    fps: float = 24.0
    gravity: tuple = (0.0, -9.81, 0.0)
    points: bool = True            # write PLY files for playback
    volume: bool = False           # write OpenVDB files
    voxel: float = 0.0             # of volumes [m]; 0: firn's default
    fields: tuple = ("velocity", "density", "mass", "id", "radius")
    checkpoint_every: int = 1      # frames
    wind: tuple = (0.0, 0.0, 0.0)  # [m/s]
    air: bool = False
    gusts: float = 0.0             # strength of eddies, as a share of the wind's speed
    powder: bool = False           # breaking snow sheds fine points


@dataclasses.dataclass
class Snow:
    name: str
    shape: dict
    preset: str = "snow"
    density: float = 0.0           # [kg/m^3]; 0: that of the preset
    velocity: tuple = (0.0, 0.0, 0.0)
    spin: tuple = (0.0, 0.0, 0.0)
    noise_amount: float = 0.0      # variation of the stiffness: chunks instead of jelly
    noise_scale: float = 0.1       # [m]


@dataclasses.dataclass
class Collider:
    name: str
    shape: dict = None             # this,
    animation: dict = None         # or this
    keyframes: list = None
    friction: float = 0.4
    sticky: bool = False
    mass: float = 0.0              # [kg]; above 0: moved by the simulation
    velocity: tuple = (0.0, 0.0, 0.0)   # of one with a mass, at the start
    surface: dict = None


@dataclasses.dataclass
class Emitter:
    name: str
    shape: dict
    rate: float = 1000.0           # [1/s]
    preset: str = "fresh"
    density: float = 0.0
    velocity: tuple = (0.0, 0.0, 0.0)
    spread: float = 0.0            # [m/s]
    size: float = 0.0              # [m]; 0: the solver's spacing
    start: float = 0.0             # [s]
    stop: float = -1.0             # [s]; below 0: never
    seed: int = 1
    follow: int = -1               # number of the collider that it moves with; below 0: none


def resolution(solver, spacing):
    """The solver's block for particles `spacing` apart: 8 per cell, or one per spacing^3. Grains
    have the radius of fresh snow: with this one, snow of 400 kg/m^3 has as many particles as with
    the other solvers, and lighter snow fewer."""
    if solver == "mpm":
        return {"cell": 2 * spacing}
    if solver == "sph":
        return {"spacing": spacing}
    return {"radius": 0.9 * spacing}


def mesh_voxel(spacing, largest_side):
    """Voxels of the level set of a mesh [m]: a third of a cell of mpm, which is as fine as snow can
    resolve, and at most 400 along the mesh, so that large ones remain affordable."""
    return max(spacing * 2 / 3, largest_side / 400)


def changed(value, default):
    return tuple(value) != tuple(default)


def material_of(materials, item):
    """The name of a material for a preset with its changes, entered into `materials`."""
    if item.density <= 0:
        return item.preset
    name = f"{item.preset} {item.density:g}"
    materials[name] = Owned(item.name, {"preset": item.preset, "density": float(item.density)})
    return name


def snow_block(item, materials):
    block = {"shape": item.shape, "material": material_of(materials, item)}
    if changed(item.velocity, (0, 0, 0)):
        block["velocity"] = list(map(float, item.velocity))
    if changed(item.spin, (0, 0, 0)):
        block["spin"] = list(map(float, item.spin))
    if item.noise_amount > 0:
        noise = {"scale": float(item.noise_scale), "amount": float(item.noise_amount)}
        block["vary"] = {"stiffness": {"noise": noise}}
    return Owned(item.name, block)


def collider_block(item):
    block = {"animation": item.animation} if item.animation else {"shape": item.shape}
    block.update(friction=float(item.friction), sticky=bool(item.sticky))
    if item.mass > 0:
        block["mass"] = float(item.mass)
        if changed(item.velocity, (0, 0, 0)):
            block["velocity"] = list(map(float, item.velocity))
    if item.keyframes:
        block["keyframes"] = item.keyframes
    if item.surface:
        block["surface"] = item.surface
    return Owned(item.name, block)


def emitter_block(item, materials):
    block = {"shape": item.shape, "rate": float(item.rate),
             "material": material_of(materials, item), "seed": int(item.seed)}
    if changed(item.velocity, (0, 0, 0)):
        block["velocity"] = list(map(float, item.velocity))
    for key in ("spread", "size", "start"):
        if getattr(item, key) > 0:
            block[key] = float(getattr(item, key))
    if item.stop >= 0:
        block["stop"] = float(item.stop)
    if item.follow >= 0:
        block["follow"] = int(item.follow)
    return Owned(item.name, block)


def scene(settings, snow, colliders, emitters, render=None):
    """The scene as nested mappings for `scene_text.write`."""
    materials = {}
    s = settings
    out = {"firn": 1}
    if s.title:
        out["title"] = s.title
    out["solver"] = s.solver
    out["time"] = {"frames": int(s.frames), "fps": float(s.fps)}
    out["gravity"] = list(map(float, s.gravity))
    out[s.solver] = resolution(s.solver, float(s.spacing))
    snow_blocks = [snow_block(item, materials) for item in snow]
    emitter_blocks = [emitter_block(item, materials) for item in emitters]
    if materials:
        out["materials"] = materials
    if snow_blocks:
        out["snow"] = snow_blocks
    if colliders:
        out["colliders"] = [collider_block(item) for item in colliders]
    if emitter_blocks:
        out["emitters"] = emitter_blocks
    if s.air:
        out["air"] = {"velocity": list(map(float, s.wind))}
        if s.gusts > 0:
            out["air"]["gusts"] = {"strength": float(s.gusts)}
    fields = list(s.fields)
    if s.powder:
        out["powder"] = {}
        fields.append("powder")
    output = {"points": ["vtkhdf", "ply"] if s.points else ["vtkhdf"],
              "volume": ["vdb"] if s.volume else [], "fields": fields,
              "checkpoint": {"every": int(s.checkpoint_every)}, "preview": False, "film": False}
    if s.voxel > 0:
        output["voxel"] = float(s.voxel)
    out["output"] = output
    if render:
        out["render"] = render
    return out
