# SPDX-License-Identifier: MIT
"""Steps, states, snow and colliders that come and go, and what a program asks of the snow."""
import unittest

import numpy as np

import firn
from snow import BALL, BED, ball, bed


class Steps(unittest.TestCase):
    def test_steps_and_frames_are_those_of_the_library(self):
        one, two = ball(), ball()
        one.frame(2)
        while two.frame_number < 2:
            two.step()
        self.assertEqual(one.state_hash, two.state_hash)
        self.assertEqual((one.frame_number, one.step_number), (two.frame_number, two.step_number))
        self.assertAlmostEqual(one.time, 2 / 24)

    def test_threads_do_not_matter(self):
        hashes = set()
        for threads in (1, 2):
            sim = firn.Simulation(firn.Scene(BALL), threads=threads)
            sim.frame()
            hashes.add(sim.state_hash)
        self.assertEqual(len(hashes), 1)

    def test_advance(self):
        sim = ball()
        done = sim.advance(0.01)
        self.assertGreaterEqual(done.simulated, 0.01)
        self.assertEqual(done.behind, 0)
        self.assertEqual(done.steps, sim.step_number)
        again = sim.advance(0.01)
        self.assertAlmostEqual(done.simulated + again.simulated, 0.02, delta=sim.info.dt)
        short = sim.advance(10, budget=0.02)
        self.assertGreater(short.behind, 0)
        self.assertGreaterEqual(short.steps, 1)
        for wrong in ((-1, 0), (1, -1), (float("nan"), 0)):
            with self.assertRaises(firn.ArgumentRefused):
                sim.advance(*wrong)

    def test_run_in_memory_with_callbacks(self):
        sim, seen, heights = ball(), [], []
        sim.run(progress=lambda now: seen.append((now.frame, now.frame_done)),
                on_frame=lambda s: heights.append(s["position"].array[:, 1].mean()))
        self.assertEqual([f for f, done in seen if done], [1, 2, 3, 4])
        self.assertEqual(len(heights), 4)
        self.assertLess(heights[-1], heights[0])
        sim.run(progress=False)  # nothing is left to do
        self.assertEqual(sim.frame_number, 4)

    def test_info(self):
        sim = ball()
        sim.step()
        info = sim.info
        self.assertEqual(info.particles, len(sim))
        self.assertGreater(info.kinetic, 0)
        self.assertGreater(info.memory_bytes, 1000)
        self.assertTrue(info.stage_seconds)
        self.assertEqual(sim.view.frames, 4)
        self.assertIn("particles", repr(sim))
        self.assertIs(sim.scene.info["solver"], sim.scene.info["solver"])

    def test_options(self):
        with self.assertRaises(TypeError):
            ball(thread=2)
        with self.assertRaises(firn.ArgumentRefused):
            firn.Simulation(firn.Scene(BALL), threads=-1)
        with self.assertRaises(firn.BackendRefused):
            ball(backend="abacus")
        with self.assertRaises(firn.OutOfMemory) as caught:
            ball(memory_cap_bytes=1000)
        self.assertIsInstance(caught.exception, MemoryError)
        self.assertEqual(ball(simd="plain").info.simd, "plain")


class States(unittest.TestCase):
    def test_save_and_restore(self):
        sim = ball()
        sim.frame()
        state, expected = sim.save(), []
        sim.frame()
        expected = sim.state_hash
        sim.restore(state)
        self.assertEqual(sim.frame_number, 1)
        sim.frame()
        self.assertEqual(sim.state_hash, expected)
        other = ball()
        other.restore(state)
        other.frame()
        self.assertEqual(other.state_hash, expected)

    def test_states_after_any_advance(self):
        sim = bed()
        for _ in range(3):
            for seconds in (0.1, 1 / 30, 0.007):  # ends of steps that rounding puts beside the goal
                sim.advance(seconds)
                sim.restore(sim.save())

    def test_damaged_states_are_refused(self):
        sim = ball()
        before = sim.state_hash
        state = bytearray(sim.save())
        state[len(state) // 2] ^= 1
        with self.assertRaises(firn.DamagedFile):
            sim.restore(state)
        with self.assertRaises(firn.SceneRefused):
            bed().restore(ball().save())
        self.assertEqual(sim.state_hash, before)


class World(unittest.TestCase):
    def test_snow_comes_and_goes(self):
        sim = bed(particles_max=5000)
        before = len(sim)
        thrown = sim.add_snow(firn.sphere((0, 0, 0), 0.15), material="fresh", at=(0, 2, 0),
                              velocity=(1, 0, 0))
        ids = sim.particles_of(thrown)
        self.assertEqual(len(sim), before + len(ids))
        np.testing.assert_array_equal(np.sort(sim["id"].copy())[-len(ids):], list(ids))
        self.assertEqual(sim.remove_particles(ids), len(ids))
        dug = sim.remove_snow(firn.sphere((0, 0, 0), 0.2), at=(0, 0.3, 0))
        self.assertGreater(dug, 0)
        self.assertEqual(len(sim), before - dug)
        sim.frame()
        with self.assertRaises(firn.Refused):
            sim.add_snow(firn.sphere((0, 0, 0), 1.5), material="fresh", at=(0, 20, 0))

    def test_colliders(self):
        sim = bed()
        ground, crate = sim.colliders
        self.assertEqual(crate.mass, 5)
        self.assertFalse(ground.bounded)
        crate.push((10, 0, 0))
        self.assertAlmostEqual(crate.velocity[0], 2, places=5)
        crate.push(angular=(0, 1, 0))
        sim.frame()
        self.assertGreater(crate.position[0], 0.03)
        self.assertEqual(crate.mesh().vertices.shape[1], 3)
        crate.move((0, 3, 0), velocity=(0, -1, 0))
        self.assertEqual(crate.driver, "caller")
        self.assertEqual(crate.position, (0, 3, 0))
        crate.release()
        added = sim.add_collider(firn.sphere((0, 0, 0), 0.1), position=(0, 1, 0))
        self.assertEqual(len(sim.colliders), 3)
        sim.remove_collider(added)
        self.assertTrue(sim.colliders[added].removed)
        sim.frame()
        self.assertGreater(ground.frame_load.seconds, 0)
        self.assertLess(ground.frame_load.force[1], 0)  # the snow presses it down
        with self.assertRaises(AttributeError):
            _ = crate.weight

    def test_joints_of_a_scene(self):
        scene = firn.Scene(BED)
        lamp = scene.add_collider(firn.sphere((0, 0, 0), 0.05), position=(2, 2, 0), mass=3)
        hook = scene.add_joint("ball", lamp, point=(2, 2.5, 0))
        sim = firn.Simulation(scene, threads=1)
        sim.frame(3)
        self.assertAlmostEqual(sim.colliders[lamp].position[1], 2, places=4)
        # it hangs: the joint carries its weight
        self.assertAlmostEqual(sim.joint(hook).force[1], 3 * 9.81, delta=0.01 * 3 * 9.81)
        self.assertEqual(sim.joint(0), sim.joint(hook))
        with self.assertRaises(firn.ArgumentRefused):
            sim.joint(1)
        written = firn.Simulation(firn.Scene(scene.yaml()), threads=1)
        written.frame(3)
        self.assertEqual(written.state_hash, sim.state_hash)

    def test_joints_come_and_go(self):
        sim = bed()
        ground, crate = sim.colliders
        rope = sim.add_joint("rope", crate, point=(0, 0.6, 0), point_b=(0, 2, 0), length=1.4)
        weak = sim.add_joint("fixed", crate, ground, point=(0, 0.6, 0), break_force=1)
        sim.frame(3)
        self.assertTrue(sim.joint(weak).broken)
        self.assertGreater(crate.position[1], 0.59)
        self.assertEqual((sim.joint(rope).broken, sim.joint(rope).removed), (False, False))
        sim.remove_joint(rope)
        self.assertTrue(sim.joint(rope).removed)
        sim.frame(3)
        self.assertLess(crate.position[1], 0.56)  # it falls by 5 cm in 0.1 s
        for wrong in (dict(kind="glue", a=crate), dict(kind="ball", a=ground),
                      dict(kind="ball", a=crate, b=crate), dict(kind="rod", a=crate, length="x")):
            with self.assertRaises((ValueError, TypeError)):
                sim.add_joint(**wrong)
        with self.assertRaises(BufferError):
            held = sim["position"].array
            sim.add_joint("ball", crate)
        del held

    def test_emitters(self):
        scene = firn.Scene(solver="sph", sph={"spacing": 0.05}, air={"velocity": [0, 0, 0]})
        scene.add_material("new", density=100)
        scene.add_snow(firn.box((0, 0.1, 0), (0.3, 0.2, 0.3)), material="new")
        scene.add_collider(firn.plane())
        sim = firn.Simulation(scene, threads=1)
        cloud = sim.add_emitter(firn.box((0, 1, 0), (0.5, 0.1, 0.5)), material="new", rate=2000)
        before = len(sim)
        sim.frame()
        self.assertGreater(len(sim), before)
        sim.remove_emitter(cloud)
        with self.assertRaises(firn.NameRefused):
            bed().add_emitter(firn.sphere((0, 1, 0), 0.1), rate=1)

    def test_weather(self):
        sim = bed()
        sim.gravity = (0, -1.62, 0)
        self.assertAlmostEqual(sim.gravity[1], -1.62, places=5)
        self.assertEqual(sim.wind, (0, 0, 0))
        sim.temperature = 5
        self.assertEqual(sim.temperature, 5)
        with self.assertRaises(firn.ArgumentRefused):
            sim.temperature = -300


class Questions(unittest.TestCase):
    def setUp(self):
        self.sim = bed()

    def test_rays(self):
        hit = self.sim.ray((0.3, 2, 0.3), (0, -1, 0))
        self.assertEqual(hit.kind, "snow")
        self.assertAlmostEqual(hit.point[1], self.sim.height_at(0.3, 0.3), places=4)
        self.assertEqual(self.sim.ray((0, 2, 0), (0, -1, 0)).collider, 1)
        self.assertEqual(self.sim.ray((0.3, 2, 0.3), (0, -1, 0), skip_snow=True).collider, 0)
        self.assertIsNone(self.sim.ray((0, 2, 0), (0, 1, 0)))
        many = self.sim.rays(np.random.default_rng(1).uniform(-1, 1, (50, 3)) + (0, 3, 0), (0, -1, 0))
        self.assertEqual(many.point.shape, (50, 3))
        self.assertTrue((many.kind > 0).all())
        with self.assertRaises(firn.ArgumentRefused):
            self.sim.ray((0, 0, 0), (0, 0, 0))
        with self.assertRaises(ValueError):
            self.sim.rays(np.zeros((2, 2)), np.zeros((2, 2)))

    def test_heights_amounts_and_surface(self):
        field = self.sim.heights(columns=30, rows=20)
        self.assertEqual(field.heights.shape, (20, 30))
        self.assertEqual((len(field.x), len(field.z)), (30, 20))
        # grains reach their radius (at most 5 cm) above the box of 0.3 m
        self.assertAlmostEqual(float(field.heights.max()), 0.3, delta=0.06)
        whole = self.sim.snow_in_box((-1, -1, -1), (1, 1, 1))
        self.assertEqual(whole.count, len(self.sim))
        self.assertAlmostEqual(whole.mass, float(self.sim["mass"].copy().sum(dtype=float)), places=4)
        self.assertLess(self.sim.snow_in_ball((0, 0, 0), 0.2).count, whole.count)
        surface = self.sim.surface(velocities=True)
        self.assertEqual(surface.triangles.max() + 1, len(surface.vertices))
        self.assertEqual(surface.velocities.shape, surface.vertices.shape)
        edges = np.sort(surface.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
        _, uses = np.unique(edges, axis=0, return_counts=True)
        self.assertTrue((uses == 2).all())  # closed
        part = self.sim.surface(box=((-1, -1, -1), (0, 1, 1)))
        self.assertLess(len(part.vertices), len(surface.vertices))

    def test_heights_that_are_kept(self):
        kept = self.sim.keep_heights(columns=30, rows=20, tolerance=0.001)
        self.assertEqual((kept.heights.shape, len(kept.x), len(kept.z)), ((20, 30), 30, 20))
        self.assertIsNone(kept.update())
        before = kept.heights.copy()
        self.sim.remove_snow(firn.sphere((0, 0, 0), 0.12), at=(0.2, 0.3, -0.2))
        rows, columns = kept.update()
        self.assertLess((rows.stop - rows.start) * (columns.stop - columns.start), 20 * 30 / 2)
        self.assertLess(kept.heights[rows, columns].min(), before[rows, columns].min())
        before[rows, columns] = kept.heights[rows, columns]
        np.testing.assert_array_equal(before, kept.heights)  # nothing has changed elsewhere
        keys = dict(x=-0.4, z=-0.4, width=0.8, depth=0.8, columns=30, rows=20)
        exact = self.sim.keep_heights(**keys)
        self.sim.step(3)  # its array is no view
        exact.update()
        np.testing.assert_array_equal(exact.heights, self.sim.heights(**keys).heights)
        with self.assertRaises(firn.ArgumentRefused):
            self.sim.keep_heights(columns=1)
        with self.assertRaises(OverflowError):
            self.sim.heights(columns=2**40)
        self.assertIn("20 rows", repr(exact))

    def test_pictures(self):
        picture = self.sim.picture(64, 48)
        self.assertEqual(picture.shape, (48, 64, 3))
        self.assertGreater(picture.std(), 1)
        png = self.sim._repr_png_()
        self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(png[12:24], b"IHDR" + (480).to_bytes(4, "big") + (270).to_bytes(4, "big"))
        with self.assertRaises(firn.ArgumentRefused):
            self.sim.picture(0)

    def test_picture_of_a_scene(self):
        self.assertEqual(firn.Scene(BED)._repr_png_()[:4], b"\x89PNG")
        self.assertIsNone(firn.Scene()._repr_png_())
        large = firn.Scene(BALL, set={"mpm.cell": 0.004})
        self.assertGreater(large.info["particles"], 1_000_000)
        self.assertLess(len(firn.Simulation(large._coarse(2000))), 4000)
        self.assertGreater(large.info["particles"], 1_000_000)  # the scene itself is as it was


if __name__ == "__main__":
    unittest.main()
