# SPDX-License-Identifier: MIT
"""Tests of the add-on inside Blender, where it is installed. Names of tests may follow `--`."""
import os
import re
import sys
import time
import unittest

import bpy
import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from blender_scene import add_cache, empty_file, ground, named, snowball, world_points  # noqa: E402
from in_blender_pictures import Pictures  # noqa: E402,F401
from firn_blender.core import axes, body_poses, ply, program  # noqa: E402
from firn_blender.play.playback import folder_of  # noqa: E402
from firn_blender.ui import jobs  # noqa: E402

FIRN = program.find()
DISTANCE = 1e-4  # [m] for objects that go to firn and back


def keys_of(text, name):
    """Key frames of the collider with a mesh in a scene file."""
    block = text[text.index(f'"meshes/{name}.ply"'):]
    block = block[:block.find("  - shape") if "  - shape" in block else None]
    number = r"([-+.e\d]+)"
    row = re.compile(rf"- {{time: {number}, position: \[(.*?)\], rotation: \[(.*?)\], scale: "
                     rf"{number}}}")
    return [(float(m[1]), np.fromstring(m[2], sep=","), np.fromstring(m[3], sep=","), float(m[4]))
            for m in row.finditer(block)]


def state_hash(cache):
    return program.ask(FIRN, "info", folder_of(cache).run)[0]["state_hash"]


class RoundTrip(unittest.TestCase):
    """Objects as firn reads them are where Blender has them."""

    def setUp(self):
        self.scene = empty_file()
        self.scene.unit_settings.scale_length = 0.5
        snowball()

    def near(self, points, expected, what):
        self.assertEqual(points.shape, expected.shape)
        error = float(np.abs(points - expected).max())
        print(f"{what}: {error:.2g} m")
        self.assertLessEqual(error, DISTANCE, what)

    def write(self):
        self.cache = add_cache(self.scene, "trip", spacing=0.05)
        self.assertEqual(bpy.ops.firn.check(), {"FINISHED"})
        folder = folder_of(self.cache)
        with open(folder.scene, encoding="utf-8") as file:
            return folder, file.read()

    def test_static(self):
        bpy.ops.object.empty_add(location=(1, 2, 3), rotation=(0.3, -0.2, 0.9))
        parent = bpy.context.object
        parent.scale = (1, 2, 0.5)
        bpy.ops.mesh.primitive_monkey_add(location=(0.4, -3, 1), rotation=(1, 0.5, -0.7))
        obj = named("Monkey", role="COLLIDER", motion="STATIC")
        obj.scale, obj.parent = (-1.5, 0.6, 1), parent
        obj.modifiers.new("Fine", "SUBSURF")
        folder, _ = self.write()
        back = ply.read(os.path.join(folder.meshes, "Monkey.ply"))
        self.near(axes.to_blender(back.position.astype(float)), world_points(obj), "static")
        # mirrored and sheared, the outside is still outside
        a, b, c = (back.position[back.triangles[:, k]].astype(float) for k in range(3))
        self.assertGreater(np.einsum("ij,ij->i", a, np.cross(b, c)).sum(), 0)

    def test_animated(self):
        bpy.ops.mesh.primitive_cube_add(location=(10, -20, 5), rotation=(0.1, 0.2, 0.3))
        obj = named("Crate", role="COLLIDER")
        obj.scale = (-1, 2, 0.4)
        for frame in range(1, 5):
            obj.keyframe_insert("location", frame=frame)
            obj.keyframe_insert("rotation_euler", frame=frame)
            obj.keyframe_insert("scale", frame=frame)
            obj.location.x -= 0.7
            obj.rotation_euler.y += 0.8
            obj.scale *= 1.1
        folder, text = self.write()
        local = ply.read(os.path.join(folder.meshes, "Crate.ply")).position.astype(float)
        keys = keys_of(text, "Crate")
        self.assertEqual(len(keys), 4)
        for k, (when, position, rotation, scale) in enumerate(keys):
            self.assertAlmostEqual(when, k / 24, places=6)
            self.scene.frame_set(1 + k)
            points = scale * local @ axes.rotation_matrix(rotation).T + position
            self.near(axes.to_blender(points), world_points(obj), f"animated, frame {k}")

    def test_deforming(self):
        bpy.ops.mesh.primitive_uv_sphere_add(radius=0.3, location=(1, 1, 1))
        obj = named("Jelly", role="COLLIDER")
        wave = obj.modifiers.new("Wave", "WAVE")
        wave.height = 0.1
        obj.keyframe_insert("location", frame=1)
        obj.location.z = 2
        obj.keyframe_insert("location", frame=4)
        folder, text = self.write()
        self.assertIn('"meshes/Jelly.pc2"', text)
        data = np.fromfile(os.path.join(folder.meshes, "Jelly.pc2"), dtype="<f4", offset=32)
        for k, sample in enumerate(data.reshape(4, -1, 3)):
            self.scene.frame_set(1 + k)
            self.near(axes.to_blender(sample.astype(float)), world_points(obj),
                      f"deforming, frame {k}")

    def test_stretched(self):
        bpy.ops.mesh.primitive_cube_add(size=0.5, location=(1, 1, 1))
        obj = named("Dough", role="COLLIDER")
        obj.keyframe_insert("scale", frame=1)
        obj.scale.x = 3
        obj.keyframe_insert("scale", frame=4)
        folder, text = self.write()
        self.assertIn('"meshes/Dough.pc2"', text)
        data = np.fromfile(os.path.join(folder.meshes, "Dough.pc2"), dtype="<f4", offset=32)
        for k, sample in enumerate(data.reshape(4, -1, 3)):
            self.scene.frame_set(1 + k)
            self.near(axes.to_blender(sample.astype(float)), world_points(obj),
                      f"stretched, frame {k}")

    def test_changing_triangles(self):
        bpy.ops.mesh.primitive_cube_add(size=0.5, location=(1, 1, 1))
        obj = named("Growing", role="COLLIDER")
        array = obj.modifiers.new("Array", "ARRAY")
        array.relative_offset_displace = (1.5, 0, 0)
        for frame in range(1, 5):
            array.count = frame
            array.keyframe_insert("count", frame=frame)
        folder, text = self.write()
        self.assertIn('"meshes/Growing.%04d.ply"', text)
        for k in range(4):
            self.scene.frame_set(1 + k)
            back = ply.read(os.path.join(folder.meshes, f"Growing.{k:04d}.ply"))
            self.near(axes.to_blender(back.position.astype(float)), world_points(obj),
                      f"changing, frame {k}")


class Bakes(unittest.TestCase):
    def setUp(self):
        self.scene = empty_file()

    def test_three_frames(self):
        ground()
        snowball(velocity=(0.5, 0, -3))
        before = {}
        for number, mode in enumerate(("XZY", "QUATERNION")):  # they land on an edge, and tumble
            bpy.ops.mesh.primitive_cube_add(size=0.1, location=(0.3, number, 0.085),
                                            rotation=(0.5, 0.4, 0))
            dice = named(f"Dice{number}", role="COLLIDER", shape="BOX", dynamic=True, mass=0.5,
                         velocity=(0, 0, -2))
            dice.rotation_mode = mode
            bpy.context.view_layer.update()
            before[dice] = np.array(dice.matrix_world)
        cache = add_cache(self.scene, "three", spacing=0.02, volume=True, mesh=True)
        self.assertEqual(bpy.ops.firn.bake(), {"FINISHED"})
        self.assertEqual(cache.state, "done")
        folder = folder_of(cache)
        mesh = cache.points_object.data
        for frame in range(4):
            self.scene.frame_set(1 + frame)
            file = ply.read(folder.files("points")[frame])
            self.assertEqual(len(mesh.vertices), len(file.position))
            shown = np.empty(3 * len(mesh.vertices), dtype=np.float32)
            mesh.vertices.foreach_get("co", shown)
            np.testing.assert_array_equal(shown.reshape(-1, 3), axes.to_blender(file.position))
            mesh.attributes["velocity"].data.foreach_get("vector", shown)
            np.testing.assert_array_equal(shown.reshape(-1, 3),
                                          axes.to_blender(file.fields["velocity"]))
            for name in ("density", "id"):
                values = np.empty(len(mesh.vertices), dtype=np.float32 if name == "density" else
                                  np.int32)
                mesh.attributes[name].data.foreach_get("value", values)
                np.testing.assert_array_equal(values, file.fields[name])
            surface = ply.read(folder.files("mesh")[frame])
            self.assertEqual(len(cache.mesh_object.data.polygons), len(surface.triangles))
            self.assertFalse(cache.mesh_object.data.validate())
            volume = cache.volume_object.data
            volume.grids.load()
            self.assertIn(f".{frame:04d}.vdb", volume.grids.frame_filepath)
            poses = body_poses.read(folder.files("frames")[frame])
            for number, dice in enumerate(before):
                self.check_body(dice, before[dice], poses[number])
        self.assertGreater(np.abs(poses[0][1][1:]).max(), 0.01)  # it has turned
        self.assertEqual((volume.velocity_grid, volume.velocity_unit), ("v", "SECOND"))

    def check_body(self, obj, before, pose):
        """An object is where the simulation moved it, and not in the ground."""
        position, rotation, _ = pose
        moved = np.eye(4)
        moved[:3, :3] = axes.rotation_to_blender(axes.rotation_matrix(rotation))
        moved[:3, 3] = axes.to_blender(position)
        np.testing.assert_allclose(np.array(obj.matrix_world), moved @ before, atol=DISTANCE)
        self.assertGreater(world_points(obj)[:, 2].min(), -0.01)

    def test_errors_at_their_objects(self):
        ground()
        ball = snowball(preset="powdr")
        bpy.ops.mesh.primitive_plane_add(size=1, location=(2, 0, 1))
        sheet = named("Sheet", role="COLLIDER")
        cache = add_cache(self.scene, "wrong", spacing=0.05)
        with self.assertRaisesRegex(RuntimeError, "Sheet: this surface is flat"):
            bpy.ops.firn.bake()
        self.assertIn("Thickness", sheet.firn.messages[0].text)
        sheet.firn.thickness = 0.1
        with self.assertRaisesRegex(RuntimeError, "Ball: .*powder"):
            bpy.ops.firn.bake()
        self.assertEqual([len(o.firn.messages) for o in (ball, sheet)], [1, 0])
        self.assertEqual(cache.state, "failed")
        ball.name, ball.firn.density = 'a: {"b"} # ü\n', 300  # a material of its own
        with self.assertRaisesRegex(RuntimeError, "powder"):
            bpy.ops.firn.check()
        self.assertEqual(len(ball.firn.messages), 1)
        sheet.firn.shape, sheet.scale = "PLANE", (0, 1, 1)
        with self.assertRaisesRegex(RuntimeError, "Sheet: .*scale of zero"):
            bpy.ops.firn.check()
        ball.firn.role = "NONE"
        with self.assertRaisesRegex(RuntimeError, "no object is marked"):
            bpy.ops.firn.bake()

    def test_stopped_and_resumed(self):
        self.scene.frame_end = 13
        ground()
        snowball(velocity=(0, 0, -3))
        whole = add_cache(self.scene, "whole", spacing=0.012)
        self.assertEqual(bpy.ops.firn.bake(), {"FINISHED"})
        cache = add_cache(self.scene, "stopped", spacing=0.012)
        self.assertEqual(bpy.ops.firn.bake(wait=False), {"FINISHED"})
        self.assertTrue(jobs.is_running(cache))
        with self.assertRaisesRegex(RuntimeError, "it is running"):
            bpy.ops.firn.bake()
        while folder_of(cache).last_frame() < 2 and jobs.is_running(cache):
            time.sleep(0.02)
            jobs.tick()
        saved = os.path.join(os.getcwd(), "running.blend")
        bpy.ops.wm.save_as_mainfile(filepath=saved, copy=True)
        self.assertEqual(bpy.ops.firn.cancel(wait=True), {"FINISHED"})
        self.assertEqual(cache.state, "interrupted")
        self.assertLess(folder_of(cache).last_frame(), 12)
        self.assertEqual(bpy.ops.firn.bake(resume=True), {"FINISHED"})
        self.assertEqual(folder_of(cache).last_frame(), 12)
        self.assertEqual(state_hash(cache), state_hash(whole))
        # two caches are shown side by side, also in a file that is opened again
        bpy.ops.wm.save_as_mainfile(filepath=os.path.join(os.getcwd(), "two.blend"))
        bpy.ops.wm.open_mainfile(filepath=os.path.join(os.getcwd(), "two.blend"))
        scene = bpy.context.scene
        self.assertEqual([c.state for c in scene.firn.caches], ["done", "done"])
        scene.frame_set(7)
        a, b = (c.points_object.data for c in scene.firn.caches)
        self.assertNotEqual(a.name, b.name)
        self.assertGreater(len(a.vertices), 100)
        first = [[tuple(v.co) for v in mesh.vertices[:9]] for mesh in (a, b)]
        self.assertEqual(first[0], first[1])
        bpy.ops.wm.open_mainfile(filepath=saved)  # saved while it ran
        self.assertEqual(bpy.context.scene.firn.caches["stopped"].state, "interrupted")

    def test_collections_and_emitters(self):
        snowball()
        bpy.ops.mesh.primitive_cube_add(size=0.3, location=(0, 0, 1))
        cloud = named("Cloud", role="EMITTER", shape="BOX", rate=2000, preset="fresh")
        group = bpy.data.collections.new("Fall")
        self.scene.collection.children.link(group)
        group.objects.link(cloud)
        cache = add_cache(self.scene, "fall", spacing=0.01, solver="sph", air=True, wind=(2, 0, 0))
        cache.collection = group
        self.assertEqual(bpy.ops.firn.bake(), {"FINISHED"})
        self.scene.frame_set(4)
        # 2000 flakes per second; those of the last step, which is 1 ms at most, appear in the next
        flakes = len(cache.points_object.data.vertices)
        self.assertTrue(2000 * 3 / 24 - 2 <= flakes <= 2000 * 3 / 24, flakes)

    def test_powder_in_gusts(self):
        ground()
        snowball(location=(0, 0, 0.12), velocity=(0, 0, -8), preset="powder")
        cache = add_cache(self.scene, "burst", spacing=0.02, air=True, wind=(3, 0, 0), gusts=0.5,
                          powder=True)
        self.assertEqual(bpy.ops.firn.bake(), {"FINISHED"})
        self.scene.frame_set(4)
        mesh = cache.points_object.data
        values = {}
        for name in ("powder", "radius"):
            attribute = mesh.attributes[name]
            values[name] = np.empty(len(mesh.vertices), dtype=np.int32 if attribute.data_type == "INT"
                                    else np.float32)
            attribute.data.foreach_get("value", values[name])
        powder = values["powder"] != 0
        print(f"{powder.sum()} points of powder, {(~powder).sum()} of snow; radii "
              f"{values['radius'][powder].mean():.2g}, {values['radius'][~powder].mean():.2g} m")
        self.assertGreater(powder.sum(), 100)
        self.assertGreater((~powder).sum(), 400)
        self.assertLess(values["radius"][powder].max(), 0.5 * values["radius"][~powder].min())
        with open(folder_of(cache).scene, encoding="utf-8") as file:
            self.assertIn("gusts: {strength: 0.5}", file.read())

    def test_an_emitter_with_its_collider(self):
        snowball()
        bpy.ops.mesh.primitive_cube_add(size=0.2, location=(2, 0, 1))
        post = named("Post", role="COLLIDER", shape="BOX")
        for frame, x in ((1, 2), (4, 2.3)):
            post.location.x = x
            post.keyframe_insert("location", frame=frame)
        for curve in post.animation_data.action.fcurves:
            for point in curve.keyframe_points:
                point.interpolation = "LINEAR"
        self.scene.frame_set(1)
        bpy.ops.mesh.primitive_cube_add(size=0.04, location=(2.3, 0, 1))
        hose = named("Hose", role="EMITTER", shape="BOX", rate=2400)
        hose.parent = post
        hose.matrix_parent_inverse = post.matrix_world.inverted()
        self.scene.gravity = (0, 0, 0)
        cache = add_cache(self.scene, "hose", spacing=0.01, solver="sph")
        self.assertEqual(bpy.ops.firn.bake(), {"FINISHED"})
        with open(folder_of(cache).scene, encoding="utf-8") as file:
            self.assertIn("follow: 0", file.read())
        self.assertFalse(hose.firn.messages)
        points = ply.read(folder_of(cache).files("points")[3])
        at = axes.to_blender(points.position[points.fields["id"] >= points.fields["id"].max() - 20])
        # 0.3 m in three frames, and what is new moves on with the post's 2.4 m/s
        self.assertLess(np.abs(at.mean(axis=0) - (2.6, 0, 1)).max(), 0.03)
        hose.parent = None
        hose.location = (2.3, 0, 1)
        hose.matrix_parent_inverse.identity()
        hose.keyframe_insert("location", frame=1)
        hose.location.x += 1
        hose.keyframe_insert("location", frame=4)
        bpy.ops.firn.check()
        self.assertIn("make it the child of a collider", hose.firn.messages[0].text)


if __name__ == "__main__":
    names = sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else []
    load, module = unittest.defaultTestLoader, sys.modules["__main__"]
    suite = load.loadTestsFromNames(names, module) if names else load.loadTestsFromModule(module)
    done = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
    sys.exit(0 if done.wasSuccessful() else 1)
