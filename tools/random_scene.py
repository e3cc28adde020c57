# SPDX-License-Identifier: MIT
"""Random scenes for tools/random-scenes: some hundred particles, everything else drawn at random.

Most values are drawn from a range of ordinary scenes (the tables below); some from everything that
the scene reference allows (`firn help scene --schema`); few are its ends, or just outside, which
`firn check` must refuse. Lengths are relative to the size of the scene, so that it stays small.
"""
import json
import math

PRESETS = ["snow", "chunky", "wet", "powder", "icy", "muddy", "brittle", "ductile", "stiff", "soft",
           "fresh", "packed"]  # weak_layer: mpm only

# Ordinary ranges of numbers, by block of the schema. `log`: uniform in the logarithm.
MATERIAL = {
    "density": (50, 700, "log"), "young": (5e3, 2e6, "log"), "poisson": (0, 0.4),
    "hardening": (0, 20), "critical_compression": (0.005, 0.1, "log"),
    "critical_stretch": (0.001, 0.05, "log"), "hardening_max": (1, 1e4, "log"),
    "fracture_energy": (0.01, 100, "log"),
    "viscosity": (1e3, 1e10, "log"), "viscosity_growth": (0, 0.03), "sintering": (0.1, 0.5),
    "sintering_time": (1, 1e6, "log"),
    "conductivity": (0.01, 3, "log"), "heat_capacity": (500, 5000, "log"),
}
COLLIDER = {
    "friction": (0, 2), "viscosity": (0, 20), "adhesion": (0, 50), "temperature": (-40, 80),
    "heat_transfer": (0, 500), "sticky": None, "temperature_of_air": None, "interpolation": None,
}
EMITTER = {"temperature": (-40, 0), "start": (-0.1, 0.1), "stop": (0.01, 1), "limit": (1, 300)}
AIR = {
    "density": (0.5, 5, "log"), "viscosity": (1e-6, 1e-3, "log"), "temperature": (-40, 300),
    "heat_transfer": (0, 100), "drag": None,
}
GUSTS = {"strength": (0, 1), "length": (0.01, 10, "log"), "period": (0.01, 10, "log")}
FACTORS = {key: (0.1, 10, "log")
           for key in ("stiffness", "density", "hardening", "compression", "stretch")}
SOLVERS = {
    "mpm": {
        "integrator": None, "beta": (0.5, 1), "transfer": None, "spline": None, "flip": (0, 1),
        "volumes": None, "grip": (0, 1),
        "dt": (1e-5, 1e-3, "log"), "dt_max": (1e-5, 1e-2, "log"), "cfl": (0.05, 0.9),
        "sound_cfl": (0.05, 0.75), "tolerance": (1e-6, 1e-2, "log"), "speed_floor": (0, 1),
        "max_iterations": (5, 500), "iterations_target": (5, 100), "guess": None,
        "preconditioner": None, "iteration_cost": (0.05, 2, "log"),
    },
    "sph": {
        "dt": (1e-5, 2e-3, "log"), "dt_max": (1e-5, 1e-2, "log"), "cfl": (0.05, 1),
        "iterations_target": (5, 100), "elasticity": None, "pressure": None, "rest_density": None,
        "clamp": None, "density_error": (1e-5, 0.05, "log"), "relaxation": (0.1, 0.6),
        "pressure_iterations": (5, 200), "shear_tolerance": (1e-5, 0.05, "log"),
        "shear_iterations": (20, 300), "boundary_volume": (0.5, 1.2), "boundary_depth": (0, 1),
        "boundary_pressure": (0.5, 3), "heat_speed": (0, 1e4), "gravity_rise": (0, 0.2),
    },
    "grains": {
        "dt": (1e-5, 1e-3, "log"), "density": (50, 300), "ice_density": (500, 917),
        "water_density": (900, 1100), "young_snow": (500, 5e4, "log"),
        "young_ice": (5e3, 5e5, "log"), "young_water": (5e3, 5e5, "log"),
        "strength_snow": (0, 5000), "strength_ice": (0, 50000), "repose": (0, 60),
        "damping": (0, 1), "stick_speed": (0, 0.5), "tension": (0, 0.01), "force_min": (0, 1),
        "force_max": (10, 1e5, "log"), "durability_loss": (0, 1e-4), "bonds": None,
        "broken_below": (0, 1), "latent_heat": (1e4, 1e6, "log"), "heat_speed": (0, 1e5),
        "conductivity_snow": (0, 2), "conductivity_ice": (0, 5), "conductivity_water": (0, 5),
    },
    "ballistic": {"dt": (1e-4, 0.02, "log")},
}
FIELDS = ["velocity", "density", "mass", "id", "material", "temperature", "stiffness", "radius",
          "plastic_volume", "def_grad_elastic", "water", "phase", "broken"]
SPACING = {"mpm": "cell", "sph": "spacing", "grains": "radius", "ballistic": "spacing"}
CUBE = """v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1
f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"""


def resolve(node):
    """Type of a key in the schema: {minimum, maximum} of a number, {enum}, {type}."""
    while "allOf" in node or "anyOf" in node:
        node = node.get("allOf", node.get("anyOf"))[0]
    return node


class Scene:
    """Draws one scene. `random` is a random.Random, `schema` the parsed JSON schema of firn,
    `meshes` whether this firn turns meshes into solids."""

    def __init__(self, random, schema, solver, meshes):
        self.random, self.schema, self.solver, self.meshes = random, schema, solver, meshes
        self.wildness = random.choice([0, 0, 0.1, 0.1, 0.4])  # share of values from wild ranges
        self.size = 10 ** random.uniform(-1.5, 1)             # [m] of the heap of snow
        self.count = random.choice([20, 100, 200, 300])       # particles of all snow, about
        self.speed = random.choice([0, 1, 1, 5, 20])          # [m/s]
        self.files = {}

    def chance(self, probability):
        return self.random.random() < probability

    def number(self, node, ordinary):
        """A number between the ends of `ordinary`, or a wild one of what `node` allows."""
        low, high = ordinary[:2]
        whole = node.get("type") == "integer"
        if self.chance(self.wildness):
            low, high = node.get("minimum", -1e6), node.get("maximum", 1e6)
            if self.chance(0.1):
                return self.random.choice([low, high, low, high, low - 1, high * 2, 0])
            smallest = max(low, 1 if whole else 1e-6)
            value = 10 ** self.random.uniform(math.log10(smallest), math.log10(high))
            value = -min(value, -low) if low < 0 and self.chance(0.5) else value
        elif ordinary[-1] == "log":
            value = 10 ** self.random.uniform(math.log10(low), math.log10(high))
        else:
            value = self.random.uniform(low, high)
        return int(value) if whole else float("%.6g" % value)

    def block(self, table, schema, share):
        """Some of the keys of a table."""
        keys = schema["properties"]
        result = {}
        for key, ordinary in table.items():
            if not self.chance(share):
                continue
            node = resolve(keys[key])
            if "enum" in node:
                result[key] = self.random.choice(node["enum"])
            elif node.get("type") == "boolean":
                result[key] = self.chance(0.5)
            else:
                result[key] = self.number(node, ordinary)
        return result

    def at(self, *path):
        """The schema of a block."""
        node = self.schema
        for key in path:
            node = resolve(node["properties"][key])
            if node.get("type") == "array" or "items" in node:
                node = resolve(node["items"])
            elif "additionalProperties" in node and isinstance(node["additionalProperties"], dict):
                node = resolve(node["additionalProperties"])
        return node

    def vector(self, scale):
        return [float("%.5g" % (scale * self.random.uniform(-1, 1))) for _ in range(3)]

    def shape(self, size, center, depth=0):
        """A shape about `size` wide around `center`."""
        kinds = ["sphere", "box", "capsule", "cylinder", "cone", "wedge"]
        kinds += ["mesh"] if self.meshes else []
        if depth < 2:
            kinds += ["union", "difference", "intersection", "transform"]
        kind = self.random.choice(kinds)
        radius = size * self.random.uniform(0.3, 0.6)
        ends = {"a": [c - 0.4 * size * (i == 1) for i, c in enumerate(center)],
                "b": [c + 0.4 * size * (i != 2) for i, c in enumerate(center)]}
        edges = [size * self.random.uniform(0.3, 1) for _ in range(3)]
        parts = [lambda: self.shape(size, [c + 0.2 * d for c, d in zip(center, self.vector(size))],
                                    depth + 1)] * self.random.choice([2, 2, 3])
        turn = self.vector(180)
        if kind == "sphere":
            return {kind: {"center": center, "radius": radius}}
        if kind == "box":
            rounding = self.random.choice([0, 0, 0.1, 0.4]) * min(edges)
            return {kind: {"center": center, "size": edges, "rotation": turn, "rounding": rounding}}
        if kind in ("capsule", "cylinder"):
            return {kind: dict(ends, radius=0.5 * radius)}
        if kind == "cone":
            tip = radius * self.random.choice([0, 0.5])
            return {kind: dict(ends, radius_a=radius, radius_b=tip)}
        if kind == "wedge":
            return {kind: {"base": center, "size": edges, "rotation": turn}}
        if kind == "mesh":
            self.files["cube.obj"] = CUBE
            mesh = {"mesh": {"file": "cube.obj", "scale": size, "voxel": size / 12}}
            return {"transform": {"shape": mesh, "move": [c - 0.5 * size for c in center]}}
        if kind == "union":
            return {kind: {"of": [part() for part in parts],
                           "blend": self.random.choice([0, 0, 0.1]) * size}}
        if kind == "transform":
            return {kind: {"shape": self.shape(size, [0, 0, 0], depth + 1), "move": center,
                           "rotation": turn, "scale": self.random.uniform(0.5, 1.2)}}
        return {kind: [part() for part in parts]}

    def snow(self, materials):
        center = [0.5 * d for d in self.vector(self.size)]
        center[1] = self.size * self.random.uniform(0.5, 1.5)
        item = {"shape": self.shape(self.size, center), "material": self.random.choice(materials)}
        if self.chance(0.6):
            item["velocity"] = self.vector(self.speed)
        if self.chance(0.2):
            item["spin"] = self.vector(self.speed / self.size)
        if self.chance(0.3):
            item["temperature"] = self.random.uniform(-40, 5)
        if self.chance(0.2):
            noise = {"scale": self.size / 3, "amount": self.random.choice([0.2, 1, 3])}
            item["vary"] = {self.random.choice(list(FACTORS)): {"noise": noise}}
        if self.chance(0.1):
            shell = self.block(FACTORS, self.at("snow", "vary", "shell"), 0.5)
            item.setdefault("vary", {})["shell"] = dict(shell, thickness=self.size / 8)
        return item

    def collider(self):
        schema = self.at("colliders")
        item = self.block(COLLIDER, schema, 0.2)
        if self.chance(0.1):
            noise = {"scale": self.size, "seed": self.random.randrange(1000)}
            item["shape"] = {"height_field": {
                "origin": [-2 * self.size, -0.2 * self.size, -2 * self.size], "noise": noise,
                "size": [4 * self.size, 0.4 * self.size, 4 * self.size], "depth": self.size}}
            return item
        center = self.vector(self.size)
        center[1] -= 0.3 * self.size
        if self.solver == "grains" and self.chance(0.4):
            item["mass"] = self.number(resolve(schema["properties"]["mass"]), (0.1, 100, "log"))
        motion = self.random.choice(["rest", "rest", "moves", "spins", "keys"])
        item["shape"] = self.shape(self.size * self.random.uniform(0.3, 1.5), center)
        if motion == "moves":
            item["velocity"] = self.vector(self.speed)
        elif motion == "spins":
            item.update(spin=self.vector(self.speed / self.size), pivot=center)
        elif motion == "keys" and "mass" not in item:
            times = sorted(self.random.sample(range(100), 3))
            item["keyframes"] = [{"time": 0.002 * t, "position": self.vector(0.3 * self.size),
                                  "rotation": self.vector(60)} for t in times]
        return item

    def emitter(self, materials, spacing):
        schema = self.at("emitters")
        box = {"box": {"center": [0, 2 * self.size, 0], "size": [self.size, spacing, self.size]}}
        if self.chance(0.3):
            box = self.shape(self.size, [0, 2 * self.size, 0])
        item = self.block(EMITTER, schema, 0.2)
        item.update(shape=box, rate=float("%.4g" % 10 ** self.random.uniform(0, 3.5)),
                    material=self.random.choice(materials), velocity=self.vector(self.speed))
        if self.chance(0.6):
            item["size"] = spacing * 10 ** self.random.uniform(-0.8, 0.1)
        if self.chance(0.3):
            item["spread"] = self.random.uniform(0, 1 + self.speed)
        item.setdefault("limit", 300)
        return item

    def air(self):
        item = self.block(AIR, self.at("air"), 0.3)
        item["velocity"] = self.vector(self.random.choice([0, 3, 30]))
        if self.chance(0.4):
            item["gusts"] = self.block(GUSTS, self.at("air", "gusts"), 0.7)
        return item

    def draw(self):
        """The scene as a dictionary; self.files has the files beside it."""
        spacing = float("%.4g" % (self.size * (0.25 / self.count) ** (1 / 3)))
        materials = {}
        for name in "ab"[:self.random.choice([1, 1, 2])]:
            own = self.block(MATERIAL, self.at("materials"), self.random.choice([0, 0, 0.3]))
            materials[name] = dict(own, preset=self.random.choice(PRESETS))
        names = list(materials) + self.random.sample(PRESETS, 1)
        solver = self.block(SOLVERS[self.solver], self.at(self.solver),
                            self.random.choice([0, 0.1, 0.3]))
        solver[SPACING[self.solver]] = spacing * (0.5 if self.solver == "grains" else 1)
        scene = {
            "firn": 1, "solver": self.solver, self.solver: solver, "materials": materials,
            "time": {"frames": 2, "fps": float("%.4g" % 10 ** self.random.uniform(1.6, 2.7))},
            "snow": [self.snow(names) for _ in range(self.random.choice([1, 1, 2]))],
            "colliders": [self.collider() for _ in range(self.random.choice([0, 1, 1, 2]))],
            "output": {"points": ["vtkhdf", "ply"], "preview": False, "film": False,
                       "fields": FIELDS},
        }
        if self.chance(0.8):
            floor = dict(self.block(COLLIDER, self.at("colliders"), 0.1), shape={"plane": {}})
            scene["colliders"].insert(0, floor)
        if self.solver == "sph" and self.chance(0.4):
            scene["emitters"] = [self.emitter(names, spacing)]
            if self.chance(0.3):
                del scene["snow"]
        if self.chance(0.3):
            scene["air"] = self.air()
        if self.chance(0.15):
            scene["gravity"] = self.vector(self.random.choice([1, 10, 100]))
        if self.chance(0.1):
            scene["cull"] = {"below": -self.size * self.random.random()}
        return scene


def text(scene):
    """The scene as a file: JSON is YAML."""
    return json.dumps(scene, indent=1) + "\n"
