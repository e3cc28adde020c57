# SPDX-License-Identifier: MIT
"""The part of the Blender add-on that needs no Blender: scene files, motion, readers, processes."""
import os
import shutil
import struct
import time
import unittest

import numpy as np

from firn_blender.core import (axes, bake, body_poses, cache_folder, description, mesh_files,
                               messages, motion, ply, program, scene_text)

FIRN = program.find()
CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
# The outside of each triangle is at its right-handed side.
CUBE_TRIANGLES = np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
                           [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]])


def volume(points, triangles):
    """Signed volume that triangles enclose: positive where their outside is outside."""
    a, b, c = (points[triangles[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def turn(axis, angle):
    c, s = np.cos(angle), np.sin(angle)
    i, j = [(1, 2), (2, 0), (0, 1)][axis]
    out = np.eye(3)
    out[i, i], out[i, j], out[j, i], out[j, j] = c, -s, s, c
    return out


def matrix(linear, position):
    out = np.eye(4)
    out[:3, :3], out[:3, 3] = linear, position
    return out


def write_scene(folder, snow, colliders, settings):
    """A scene as the add-on writes it: the folder and the owners of its lines."""
    os.makedirs(folder.path, exist_ok=True)
    text, lines = scene_text.write(description.scene(settings, snow, colliders, []))
    with open(folder.scene, "w", encoding="utf-8") as file:
        file.write(text)
    return messages.Owners(folder.scene, lines, {}, [c.name for c in colliders])


def ball(name="Ball", preset="snow", height=0.12):
    return description.Snow(name, {"sphere": {"center": [0.0, height, 0.0], "radius": 0.06}},
                            preset=preset, velocity=(0.0, -2.0, 0.0))


GROUND = description.Collider("Ground", {"plane": {}}, friction=0.5)
SMALL = dict(spacing=0.015, frames=4, fps=60.0)


def run_to_end(job):
    while job.poll():
        job.process.wait(0.05)
    return job.state


class Axes(unittest.TestCase):
    def test_up_and_back(self):
        np.testing.assert_array_equal(axes.to_firn([0, 0, 1]), [0, 1, 0])
        np.testing.assert_array_equal(axes.to_firn([0, 1, 0]), [0, 0, -1])
        v = np.random.default_rng(1).normal(size=(50, 3))
        np.testing.assert_allclose(axes.to_blender(axes.to_firn(v, 0.01), 0.01), v, atol=1e-14)
        self.assertAlmostEqual(np.linalg.det(axes.TO_FIRN), 1)

    def test_quaternions(self):
        for k in range(200):
            q = np.random.default_rng(k).normal(size=4)
            q /= np.linalg.norm(q)
            back = axes.quaternion(axes.rotation_matrix(q))
            self.assertGreaterEqual(back[0], 0)
            self.assertGreater(abs(float(q @ back)), 1 - 1e-14)
        half = axes.quaternion(turn(0, np.pi))  # w is zero: the largest component is another one
        self.assertGreater(abs(half[1]), 1 - 1e-14)


class Motion(unittest.TestCase):
    def moved(self, matrices, unit):
        """Where firn's key frames put the points of a cube, at each frame."""
        keys = motion.keyframes(matrices, 24, unit)
        local = motion.local_points(CUBE, matrices[0], unit)
        return [(key["time"], key["scale"] * local @ axes.rotation_matrix(key["rotation"]).T
                 + key["position"]) for key in keys]

    def test_poses_are_those_of_the_matrices(self):
        shear = np.array([[-2.0, 0.3, 0], [0, 0.5, 0], [0.1, 0, 1.5]])  # mirrored, too
        matrices = [matrix(turn(2, 0.2 * k) @ turn(0, -0.1 * k) * (1 + 0.1 * k) @ shear,
                           [0.1 * k, 1, -0.2 * k]) for k in range(6)]
        for unit in (1.0, 0.01):
            for k, (when, points) in enumerate(self.moved(matrices, unit)):
                self.assertAlmostEqual(when, k / 24)
                np.testing.assert_allclose(
                    points, motion.world_points(CUBE, matrices[k], unit), atol=1e-12)

    def test_what_is_not_rigid(self):
        stretched = [matrix(np.eye(3), [0, 0, 0]), matrix(np.diag([1, 1, 1.01]), [0, 0, 0])]
        with self.assertRaisesRegex(motion.NotRigid, "stretched"):
            motion.keyframes(stretched, 24)
        with self.assertRaisesRegex(motion.NotRigid, "mirrored"):
            motion.keyframes([np.eye(4), np.diag([-1.0, 1, 1, 1])], 24)
        with self.assertRaisesRegex(motion.NotRigid, "zero"):
            motion.keyframes([np.diag([0.0, 1, 1, 1])], 24)

    def test_pauses(self):
        places = [0, 0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2, 2]
        keys = motion.keyframes([matrix(np.eye(3), [x, 0, 0]) for x in places], 10)
        kept = [round(key["time"] * 10) for key in keys]
        self.assertEqual(kept, [0, 1, 4, 5, 6, 7, 8, 11, 12])
        self.assertTrue(motion.is_still([np.eye(4)] * 3))
        self.assertFalse(motion.is_still([np.eye(4), matrix(np.eye(3), [0, 0, 1e-3])]))


class Files(unittest.TestCase):
    def test_ply(self):
        self.assertAlmostEqual(volume(CUBE, CUBE_TRIANGLES), 1)
        mesh_files.write_ply("cube.ply", CUBE, CUBE_TRIANGLES)
        back = ply.read("cube.ply")
        np.testing.assert_array_equal(back.position, CUBE)
        np.testing.assert_array_equal(back.triangles, CUBE_TRIANGLES)
        mesh_files.write_ply("empty.ply", CUBE[:0], CUBE_TRIANGLES[:0])
        self.assertEqual(ply.read("empty.ply").position.shape, (0, 3))

    def test_radii(self):
        fields = {"mass": np.array([0.4, 0.4, 0.004], np.float32),
                  "density": np.array([400, 400, 2], np.float32)}
        points = ply.Points(CUBE[:3], fields, np.empty((0, 3)))
        sphere = (0.75 / np.pi * np.array([1e-3, 1e-3, 2e-3])) ** (1 / 3)
        np.testing.assert_allclose(ply.radii(points, 1), sphere, rtol=1e-6)
        fields["powder"] = np.array([0, 0, 1])  # of the snow's density, whatever it is drawn with
        sphere[2] = (0.75 / np.pi * 1e-5) ** (1 / 3)
        np.testing.assert_allclose(ply.radii(points, 1), sphere, rtol=1e-6)
        np.testing.assert_array_equal(fields["density"], [400, 400, 2])

    def test_point_cache(self):
        cache = mesh_files.PointCache("cube.pc2", 8, 2)
        cache.add(CUBE)
        with self.assertRaises(ValueError):
            cache.add(CUBE[:7])
        cache.add(2 * CUBE)
        cache.close()
        with open("cube.pc2", "rb") as file:
            data = file.read()
        self.assertEqual(struct.unpack("<12siiffi", data[:32]), (b"POINTCACHE2\0", 1, 8, 0, 1, 2))
        np.testing.assert_array_equal(np.frombuffer(data[32:], "<f4").reshape(2, 8, 3)[1], 2 * CUBE)
        short = mesh_files.PointCache("short.pc2", 8, 2)
        short.add(CUBE)
        with self.assertRaisesRegex(ValueError, "1 samples are missing"):
            short.close()
        self.assertFalse(os.path.exists("short.pc2"))

    def test_thick_terrain(self):
        n = 5
        x, z = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
        points = np.stack([x, np.sin(x + z), z], axis=-1).reshape(-1, 3).astype(float)
        i = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
        triangles = np.concatenate([np.stack([i, i + 1, i + n + 1], axis=1),
                                    np.stack([i, i + n + 1, i + n], axis=1)])
        solid, faces = mesh_files.thicken(points, triangles, 0.5)
        self.assertEqual(len(mesh_files.boundary_edges(faces)), 0)
        self.assertAlmostEqual(volume(solid, faces), 0.5 * (n - 1) ** 2)

    def test_damaged_files(self):
        mesh_files.write_ply("whole.ply", CUBE, CUBE_TRIANGLES)
        with open("whole.ply", "rb") as file:
            data = file.read()
        cases = {"cut short": data[:-5], "not a PLY": b"solid x\n" + data,
                 "little-endian": data.replace(b"binary_little", b"binary_big"),
                 "unknown type": data.replace(b"float z", b"quux_ z"),
                 "no positions": data.replace(b"float z", b"float q")}
        for expected, text in cases.items():
            with open("bad.ply", "wb") as file:
                file.write(text)
            with self.assertRaisesRegex(ply.PlyError, expected):
                ply.read("bad.ply")


class Scenes(unittest.TestCase):
    def test_lines_have_owners(self):
        snow = [ball("Eins"), ball("Zwei", "powder")]
        snow[1].noise_amount = 0.5
        text, owners = scene_text.write(description.scene(
            description.Settings(title='a "quoted" title', **SMALL), snow, [GROUND],
            [description.Emitter("Cloud", {"box": {"size": [1.0, 1.0, 1.0]}}, density=80.0)]))
        lines = text.splitlines()
        self.assertEqual(len(lines), len(owners))
        for line, owner in zip(lines, owners):
            if "powder" in line:
                self.assertEqual(owner, "Zwei")
            if "plane" in line:
                self.assertEqual(owner, "Ground")
            if line.startswith("time"):
                self.assertEqual(owner, "")
        self.assertEqual(set(owners), {"", "Eins", "Zwei", "Ground", "Cloud"})
        self.assertIn('"fresh 80": {preset: "fresh", density: 80}', text)

    def test_numbers(self):
        self.assertEqual(scene_text.flow([float(np.float32(0.04)), 1 / 3, True, 2, "a: b"]),
                         '[0.04, 0.333333333, true, 2, "a: b"]')
        with self.assertRaises(ValueError):
            scene_text.flow(float("nan"))

    def test_every_solver_accepts_it(self):
        for solver in description.SOLVERS:
            folder = cache_folder.CacheFolder(os.path.abspath("solver-" + solver))
            owners = write_scene(folder, [ball()], [GROUND],
                                 description.Settings(solver=solver, **SMALL))
            job = bake.Bake([bake.check_step(FIRN, folder.scene, {})], folder.path, owners)
            self.assertEqual(run_to_end(job), "done", job.messages)
            expected = 4 / 3 * np.pi * 0.06**3 / 0.015**3
            # within a layer at the surface; grains are packed at random
            self.assertLess(abs(np.log(job.estimate["particles"] / expected)), 0.5, solver)

    def test_an_error_is_shown_at_its_object(self):
        folder = cache_folder.CacheFolder(os.path.abspath("wrong"))
        crate = description.Collider("Crate", {"mesh": {"file": "meshes/gone.ply", "voxel": 0.01}})
        owners = write_scene(folder, [ball(), ball("Lump", "powdr")], [GROUND, crate],
                             description.Settings(**SMALL))
        steps = bake.bake_steps(FIRN, {"scene": folder.scene, "run": folder.run}, {})
        job = bake.Bake(steps, folder.path, owners)
        self.assertEqual(run_to_end(job), "failed")
        found = {m.owner: m.text for m in job.messages if m.severity == "error"}
        self.assertEqual(set(found), {"Lump", "Crate"})
        self.assertIn("powder", found["Lump"])
        self.assertFalse(os.path.exists(folder.run))

    def test_messages(self):
        owners = messages.Owners("a/scene.yaml", ["", "Ball", "Ground"], {"Rock.ply": "Rock"},
                                 ["Ground", "Rock"])
        text = ("scene.yaml:2:5: warning: all of this snow starts inside collider 1, which pushes\n"
                "    2 |   - shape\n      |     ^\nframe 1/3  time\n"
                "firn: error: '/tmp/meshes/Rock.ply': 3 open edges\n")
        found = messages.from_stderr(text, owners)
        self.assertEqual([(m.severity, m.owner) for m in found],
                         [("warning", "Ball"), ("error", "Rock")])
        self.assertIn("collider 1 (Rock)", found[0].text)
        owners.save("owners.json")
        self.assertEqual(messages.Owners.load("owners.json").colliders, ["Ground", "Rock"])
        self.assertEqual(messages.Owners.load("missing.json").colliders, [])


class Bakes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = cache_folder.CacheFolder(os.path.abspath("whole"))
        cls.dice = description.Collider("Dice", {"box": {"center": [0.0, 0.3, 0.0],
                                                         "size": [0.1, 0.1, 0.1]}}, mass=0.5)
        cls.settings = description.Settings(**SMALL)
        cls.owners = write_scene(cls.folder, [ball()], [GROUND, cls.dice], cls.settings)
        cls.job = cls.start(cls.folder, mesh=True)
        cls.state = run_to_end(cls.job)

    @classmethod
    def start(cls, folder, **options):
        files = {"scene": folder.scene, "run": folder.run}
        return bake.Bake(bake.bake_steps(FIRN, files, {"threads": 1, **options}), folder.path,
                         cls.owners)

    def test_frames(self):
        self.assertEqual(self.state, "done", self.job.messages)
        self.assertEqual((self.job.frame, self.job.frame_end), (4, 4))
        for kind in ("points", "mesh", "frames"):
            self.assertEqual(sorted(self.folder.files(kind)), [0, 1, 2, 3, 4], kind)
        self.assertEqual(self.folder.file("points", 99), self.folder.files("points")[4])
        self.assertIsNone(self.folder.file("volume", 0))
        self.assertTrue(self.folder.has_run())

    def test_points(self):
        points = ply.read(self.folder.files("points")[0])
        self.assertEqual(set(points.fields), {"velocity", "density", "mass", "id"})
        np.testing.assert_allclose(points.fields["velocity"] - [0, -2, 0], 0, atol=1e-6)
        self.assertEqual(len(np.unique(points.fields["id"])), len(points.position))
        turned = points.to_blender(0.01)
        np.testing.assert_allclose(turned.fields["velocity"] - [0, 0, -200], 0, atol=1e-3)
        self.assertLess(np.abs(turned.position - [0, 0, 12]).max(), 6.01)
        # by mass and density, as all of the snow has 400 kg/m3
        size = (points.fields["mass"].sum() / 400 * 0.75 / np.pi / len(points.position)) ** (1 / 3)
        np.testing.assert_allclose(ply.radii(points, 0.015), size, rtol=1e-4)

    def test_surface(self):
        mesh = ply.read(self.folder.files("mesh")[0])
        self.assertEqual(len(mesh_files.boundary_edges(mesh.triangles)), 0)
        self.assertIn("velocity", mesh.fields)
        inside = volume(mesh.position.astype(float), mesh.triangles)
        # the ball within a fifth: it is 8 particles across, and the surface follows them
        self.assertLess(abs(inside / (4 / 3 * np.pi * 0.06**3) - 1), 0.2)

    def test_poses_of_dynamic_colliders(self):
        heights = []
        for frame, path in sorted(self.folder.files("frames").items()):
            poses = body_poses.read(path)
            self.assertEqual(list(poses), [1])
            position, quaternion, scale = poses[1]
            heights.append(position[1])
            np.testing.assert_allclose(quaternion, [1, 0, 0, 0], atol=1e-6)
            self.assertEqual(scale, 1)
        # free fall: exact but for the rounding of a first-order step, g t dt / 2
        expected = [-9.81 / 2 * (frame / 60) ** 2 for frame in range(5)]
        np.testing.assert_allclose(heights, expected, atol=9.81 * (4 / 60) * 1e-3)
        with self.assertRaises(body_poses.FrameError):
            body_poses.read(self.folder.files("points")[0])

    def test_stopped_bakes_resume(self):
        folder = cache_folder.CacheFolder(os.path.abspath("stopped"))
        write_scene(folder, [ball()], [GROUND, self.dice], self.settings)
        job = self.start(folder)
        while job.frame < 1 and job.poll():
            time.sleep(0.01)
        job.cancel()
        job.cancel()  # once more: still only one signal, which lets firn save its state
        state = run_to_end(job)
        self.assertIn(state, ("interrupted", "done"))  # done: it was faster than the signal
        self.assertEqual(run_to_end(self.start(folder, resume=True)), "done")
        hashes = {program.ask(FIRN, "info", where)[0]["state_hash"]
                  for where in (folder.run, self.folder.run)}
        self.assertEqual(len(hashes), 1)

    def test_a_changed_scene_does_not_resume(self):
        folder = cache_folder.CacheFolder(os.path.abspath("changed"))
        shutil.copytree(self.folder.path, folder.path)
        write_scene(folder, [ball(height=0.13)], [GROUND, self.dice], self.settings)
        job = self.start(folder, resume=True)
        self.assertEqual(run_to_end(job), "failed")
        self.assertIn("another scene", job.messages[-1].text)


class Programs(unittest.TestCase):
    def test_presets_and_backends(self):
        self.assertIn("powder", program.presets(FIRN))
        self.assertIn("help", program.presets(FIRN)["powder"])
        self.assertEqual(program.backends(FIRN)[0], "cpu")

    def test_no_program(self):
        with self.assertRaisesRegex(program.ProgramError, "not a program"):
            program.find("/nowhere/firn")
        with self.assertRaisesRegex(program.ProgramError, "failed"):
            program.ask(FIRN, "nonsense")
        check = bake.check_step("/bin/true", "scene.yaml", {})
        job = bake.Bake([check], os.path.abspath("true"), messages.Owners("scene.yaml", []))
        self.assertEqual(run_to_end(job), "failed")
        self.assertIn("not firn", job.messages[0].text)
        check.argv[0] = "/nowhere/firn"
        job = bake.Bake([check], os.path.abspath("true"), messages.Owners("scene.yaml", []))
        self.assertEqual(run_to_end(job), "failed")
        self.assertIn("does not start", job.messages[0].text)


if __name__ == "__main__":
    unittest.main()
