# SPDX-License-Identifier: MIT
"""Scenes from YAML, dictionaries and code are the same; mistakes have their locations."""
import os
import pathlib
import unittest

import numpy as np

import firn
from snow import BALL, BED


class Sources(unittest.TestCase):
    def hash_of(self, scene):
        sim = firn.Simulation(scene, threads=1)
        sim.step(3)
        return sim.state_hash

    def from_code(self):
        scene = firn.Scene(mpm={"cell": 0.08}, time={"frames": 4, "fps": 24})
        scene.add_material("ball", preset="chunky")
        scene.add_snow(firn.sphere((0, 0.3, 0), 0.2), material="ball", velocity=(0, -2, 0))
        scene.add_collider(firn.plane())
        return scene

    def test_yaml_dictionary_and_code_give_the_same_state(self):
        as_dict = {"time": {"frames": 4, "fps": 24}, "mpm": {"cell": 0.08},
                   "materials": {"ball": {"preset": "chunky"}},
                   "snow": [{"shape": firn.sphere((0, 0.3, 0), 0.2), "material": "ball",
                             "velocity": np.array([0, -2.0, 0])}],
                   "colliders": [{"shape": {"plane": {}}}]}
        hashes = {self.hash_of(s) for s in (firn.Scene(BALL), firn.Scene(as_dict),
                                            firn.Scene(**as_dict), self.from_code())}
        self.assertEqual(len(hashes), 1)

    def test_forces_gravity_and_emitters_that_follow(self):
        from_yaml = firn.Scene(
            mpm={"cell": 0.08}, snow=[{"shape": firn.sphere((0, 0.3, 0), 0.2)}],
            colliders=[{"shape": {"sphere": {"center": [3, 0, 0], "radius": 0.1}},
                        "velocity": [1, 0, 0]}],
            emitters=[{"shape": firn.sphere((3, 1, 0), 0.1), "rate": 500, "follow": 0}],
            forces=[{"kind": "vortex", "strength": 30, "radius": 2, "falloff": "smooth",
                     "keys": [[0, 0.5], [1, 1]]}],
            gravity_keys=[[0, [0, -8, 0]], [1, [0, 0, 4]]])
        code = firn.Scene(mpm={"cell": 0.08})
        code.add_snow(firn.sphere((0, 0.3, 0), 0.2))
        ball = code.add_collider(firn.sphere((3, 0, 0), 0.1), velocity=(1, 0, 0))
        code.add_emitter(firn.sphere((3, 1, 0), 0.1), rate=500, follow=ball)
        code.add_force("vortex", strength=30, radius=2, falloff="smooth", keys=[(0, 0.5), (1, 1)])
        code.set_gravity_keys([(0, (0, -8, 0)), (1, (0, 0, 4))])
        self.assertEqual(self.hash_of(from_yaml), self.hash_of(code))
        code.set_gravity_keys([])
        self.assertNotEqual(self.hash_of(from_yaml), self.hash_of(code))
        with self.assertRaisesRegex(ValueError, "no kind of force 'wind'"):
            code.add_force("wind", strength=1)
        with self.assertRaisesRegex(firn.Error, "radius"):
            code.add_force("point", strength=1, falloff="linear")

    def test_files_and_paths(self):
        with open("ball.yaml", "w", encoding="utf-8") as file:
            file.write(BALL)
        for source in ("ball.yaml", pathlib.Path("ball.yaml"), os.path.abspath("ball.yaml")):
            self.assertEqual(firn.Scene(source).info["name"], "ball")
        firn.Scene("ball.yaml").save("again.yaml")
        self.assertEqual(self.hash_of("again.yaml"), self.hash_of("ball.yaml"))
        with self.assertRaises(firn.Refused):
            firn.Scene("nowhere.yaml")

    def test_shipped_scenes(self):
        self.assertIn("snowball-drop", firn.scenes())
        self.assertIn("snowball-drop", repr(firn.Scene("snowball-drop")))

    def test_variants_and_overrides(self):
        scene = firn.Scene(BALL)
        self.assertEqual(scene.variants, ["fine"])
        self.assertAlmostEqual(firn.Scene(BALL, variant="fine").info["cell"], 0.05)
        changed = firn.Scene(BALL, set={"mpm.cell": 0.1, "snow.0.velocity": [0, 1, 0]})
        self.assertAlmostEqual(changed.info["cell"], 0.1)
        self.assertIn("[0, 1, 0]", changed.yaml().replace(".0", ""))
        self.assertEqual(firn.Scene(BALL, solver="grains").info["solver"], "grains")
        scene["mpm.cell"] = 0.04
        self.assertAlmostEqual(scene.info["cell"], 0.04)

    def test_snow_from_code_varies(self):
        scene = firn.Scene(mpm={"cell": 0.05})
        scene.add_snow(firn.box((0, 1, 0), (0.5, 0.5, 0.5)), layers=[
            {"from": 0, "to": 0.1, "density": 0.5}], shell={"thickness": 0.05, "stiffness": 2},
            vary={"hardening": {"noise_scale": 0.2, "noise_amount": 0.3}})
        mass = firn.Simulation(scene, threads=1)["mass"].copy()
        self.assertGreater(mass.max(), 1.5 * mass.min())
        with self.assertRaisesRegex(TypeError, "stiffnes"):
            scene.add_snow(firn.sphere((0, 0, 0), 1), shell={"thickness": 1, "stiffnes": 2})


class Shapes(unittest.TestCase):
    def volume(self, shape):
        scene = firn.Scene(mpm={"cell": 0.02})
        scene.add_material("unit", density=1000)
        scene.add_snow(shape, material="unit")
        return scene.snow_masses[0] / 1000

    def test_primitives_and_combinations(self):
        ball = firn.sphere((0, 0, 0), 0.1)
        cube = firn.box((0, 0, 0), (0.2, 0.2, 0.2))
        whole = 4 / 3 * np.pi * 0.1**3
        for shape, volume in (
                (ball, whole), (cube, 0.008), (ball | cube, 0.008), (ball & cube, whole),
                (cube - ball, 0.008 - whole), (ball.scaled(2), 8 * whole),
                (ball.moved((1, 2, 3)), whole), (cube.rotated((0, 45, 0)), 0.008),
                (firn.cylinder((0, 0, 0), (0, 0.2, 0), 0.1), np.pi * 0.002),
                (firn.capsule((0, 0, 0), (0, 0.2, 0), 0.1), np.pi * 0.002 + whole),
                (firn.cone((0, 0, 0), (0, 0.3, 0), 0.1), np.pi * 0.001),
                (firn.wedge((0, 0, 0), (0.2, 0.2, 0.2)), 0.004)):
            # sampled on a grid: 3 % of the volume at ten samples along a radius
            self.assertAlmostEqual(self.volume(shape) / volume, 1, delta=0.03, msg=repr(shape))

    def test_mesh_of_arrays(self):
        corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]) * 0.2
        faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
                 [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
        self.assertAlmostEqual(self.volume(firn.mesh(corners, faces, voxel=0.01)) / 0.008, 1,
                               delta=0.03)
        with self.assertRaises(ValueError):
            firn.mesh(corners[:, :2], faces)

    def test_equal_shapes_are_one(self):
        self.assertEqual(firn.sphere((0, 0, 0), 1), firn.sphere(np.zeros(3), 1.0))
        scene = firn.Scene()
        self.assertEqual(scene.shape_id(firn.sphere((0, 0, 0), 1)),
                         scene.shape_id(firn.sphere([0, 0, 0], 1)))
        self.assertEqual(repr(firn.sphere((0, 0, 0), 1)), "firn.sphere((0.0, 0.0, 0.0), 1.0)")

    def test_bad_values(self):
        for call in (lambda: firn.sphere((0, 0), 1), lambda: firn.plane(normal=(0, np.nan, 0)),
                     lambda: firn.sphere((0, 0, 0), 1).rotated((1, 2))):
            with self.assertRaises(ValueError):
                call()
        with self.assertRaises(TypeError):
            firn.Scene().add_snow("sphere")


class Mistakes(unittest.TestCase):
    def test_all_mistakes_with_their_places(self):
        text = BALL.replace("cell: 0.08", "cel: 0.08").replace("preset: chunky", "preset: chunk")
        with self.assertRaises(firn.SceneRefused) as caught:
            firn.Scene(text, name="ball")
        error = caught.exception
        self.assertEqual([(m.severity, m.line, m.column) for m in error.messages],
                         [("error", 4, 7), ("error", 6, 18)])
        self.assertEqual((error.file, error.line, error.column), ("ball", 4, 7))
        self.assertIn("did you mean 'cell'", error.messages[0].text)
        self.assertEqual(error.messages[0].source, "mpm: {cel: 0.08}")
        self.assertIsInstance(error, ValueError)
        self.assertIn("ball:4:7: error:", str(error))
        self.assertEqual(str(error.messages[0]).partition(" ")[0], "ball:4:7:")

    def test_check_returns_messages(self):
        check = firn.Scene(BALL).check()
        self.assertTrue(check.ok)
        self.assertEqual(len(check), 0)
        self.assertGreater(check.particles, 100)
        scene = firn.Scene(solver="mpm")
        scene.add_snow(firn.plane())
        check = scene.check(threads=1)
        self.assertFalse(check.ok)
        self.assertEqual(len(check.errors), 1)
        self.assertIsNone(check.errors[0].line)
        self.assertIn("1 errors", repr(check))

    def test_wrong_arguments(self):
        scene = firn.Scene()
        shape = firn.sphere((0, 0, 0), 1)
        with self.assertRaisesRegex(TypeError, "velocty"):
            scene.add_snow(shape, velocty=(0, 0, 0))
        with self.assertRaisesRegex(TypeError, "loose"):
            scene.add_snow(shape, loose="very")
        with self.assertRaises(firn.NameRefused) as caught:
            scene.add_snow(shape, material="ice")
        self.assertIsInstance(caught.exception, LookupError)
        with self.assertRaises(firn.ArgumentRefused):
            scene.add_collider(shape, friction=-1)
        for key, value in (("mpm.cell", -1), ("mpm.sell", 1)):
            with self.assertRaises(firn.Refused) as caught:
                scene.set(key, value)
            self.assertEqual(len(caught.exception.messages), 1)
        with self.assertRaises(TypeError):
            firn.Scene({"mpm": {"cell": object()}})
        with self.assertRaises(ValueError):
            firn.Scene({"mpm": {"cell": float("nan")}})

    def test_moving_colliders(self):
        scene = firn.Scene(BED)
        plate = scene.add_collider(firn.box((0, 0, 0), (1, 0.1, 1)), linear=True,
                                   keys=[(0, (0, 2, 0)), (1, (0, 1, 0), (0, 90, 0))])
        sim = firn.Simulation(scene, threads=1)
        sim.frame(3)
        self.assertAlmostEqual(sim.colliders[plate].position[1], 1.9, places=5)
        self.assertAlmostEqual(sim.colliders[plate].velocity[1], -1, places=5)


class Knowledge(unittest.TestCase):
    def test_tables(self):
        self.assertEqual(set(firn.solvers()) >= {"mpm", "sph", "grains"}, True)
        self.assertGreater(firn.presets()["chunky"]["density"], 0)
        self.assertEqual(firn.field_info("position")["unit"], "m")
        self.assertIsNone(firn.field_info("colour of the sky"))
        self.assertIn("Grid spacing", firn.scene_help("mpm.cell"))
        self.assertIn("`fps`", firn.scene_help("time"))
        with self.assertRaises(firn.NameRefused):
            firn.scene_help("mpm.sell")
        self.assertEqual(firn.__version__, firn.version()["text"])
        self.assertIsInstance(firn.devices(), list)

    def test_help_comes_from_the_tables(self):
        self.assertIn("Initial velocity.", firn.Scene.add_snow.__doc__)
        self.assertIn("friction", firn.Scene.add_collider.__doc__)


if __name__ == "__main__":
    unittest.main()
