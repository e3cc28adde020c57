# SPDX-License-Identifier: MIT
"""Pictures of caches: by Cycles, and by firn with Blender's camera."""
import math
import os
import unittest

import bpy
import numpy as np

from blender_scene import add_cache, empty_file, snowball
from firn_blender.play.playback import folder_of


def look_from_the_side(scene, across=0.8):
    data = bpy.data.cameras.new("Camera")
    data.type, data.ortho_scale = "ORTHO", across
    camera = bpy.data.objects.new("Camera", data)
    camera.location, camera.rotation_euler = (0, -2, 0.25), (math.pi / 2, 0, 0)
    scene.collection.objects.link(camera)
    scene.camera = camera
    sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    sun.data.energy, sun.rotation_euler = math.pi, (math.pi / 2, 0, 0)
    scene.collection.objects.link(sun)


def picture(scene, name, seed=0):
    """Linear RGBA [64][64][4] by Cycles, bottom row first."""
    render = scene.render
    render.engine = "CYCLES"
    scene.cycles.device, scene.cycles.samples, scene.cycles.seed = "CPU", 32, seed
    scene.cycles.use_denoising = False
    render.resolution_x = render.resolution_y = 64
    render.resolution_percentage, render.film_transparent = 100, True
    render.threads_mode, render.threads = "FIXED", 1
    render.image_settings.file_format = "OPEN_EXR"
    render.image_settings.color_mode = "RGBA"
    render.filepath = os.path.join(os.getcwd(), name + ".exr")
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(render.filepath)
    out = np.array(image.pixels[:]).reshape(64, 64, 4)
    bpy.data.images.remove(image)
    return out


class Pictures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scene = empty_file()
        cls.scene.gravity = (0, 0, 0)
        ball = snowball(velocity=(0, 0, -3))
        cls.cache = add_cache(cls.scene, "shot", spacing=0.012, volume=True)
        bpy.ops.firn.bake()
        for obj in (ball, cls.cache.volume_object):
            obj.hide_render = True
        look_from_the_side(cls.scene)
        cls.scene.frame_set(1)

    def show(self, kind):
        for slot in ("points", "volume"):
            getattr(self.cache, slot + "_object").hide_render = slot != kind

    def test_brightness(self):
        self.show("points")
        self.scene.render.use_motion_blur = False
        pictures = [picture(self.scene, f"seed{seed}", seed) for seed in (0, 1)]
        means = [float(p[..., :3].mean()) for p in pictures]
        self.assertLess(abs(means[0] / means[1] - 1), 0.01, means)  # 32 samples of 4096 pixels
        again = picture(self.scene, "again")
        np.testing.assert_array_equal(again, pictures[0])
        # The ball covers pi 0.1^2 of 0.8^2: 201 of 4096 pixels, and half a particle more.
        covered = float(pictures[0][..., 3].sum())
        self.assertLess(abs(covered / 4096 * 0.8**2 / (math.pi * 0.1**2) - 1), 0.15)
        # A white surface that faces this sun has radiance 1: bumps shade each other.
        bright = float(pictures[0][..., 1].sum()) / covered
        print(f"brightness of the snow: {bright:.3f}")
        self.assertTrue(0.4 < bright < 1, bright)

    def rows(self, kind, blur):
        """How many rows of the picture show something."""
        self.show(kind)
        self.scene.render.use_motion_blur = blur
        self.scene.render.motion_blur_shutter = 1
        alpha = picture(self.scene, f"{kind}{blur}")[..., 3]
        return alpha, int((alpha.max(axis=1) > 0.02).sum())

    def test_blur_of_points(self):
        sharp, before = self.rows("points", False)
        blurred, after = self.rows("points", True)
        self.assertGreater(np.abs(sharp - blurred).max(), 0.2)
        # 3 m/s for 1/24 s are 10 rows of 64 for 0.8 m; the ends fade out
        print(f"blur of points: {after - before} rows")
        self.assertTrue(7 <= after - before <= 11, (before, after))

    def test_blur_of_volumes(self):
        """Only within the grid of velocities, which may end where the snow does."""
        sharp, before = self.rows("volume", False)
        blurred, after = self.rows("volume", True)
        self.assertGreater(np.abs(sharp - blurred).max(), 0.1)
        print(f"blur of volume: {after - before} rows")
        self.assertTrue(0 <= after - before <= 11, (before, after))
        # turned to Z up: it is where the points are
        points, _ = self.rows("points", False)
        centers = [np.argwhere(alpha > 0.3).mean(axis=0) for alpha in (sharp, points)]
        self.assertLess(np.abs(centers[0] - centers[1]).max(), 1, centers)

    def test_animation(self):
        """Each picture of an animation shows the points of its own frame."""
        self.show("points")
        picture(self.scene, "first")  # settings
        self.scene.render.use_motion_blur = False
        self.scene.render.filepath = os.path.join(os.getcwd(), "film", "")
        bpy.ops.render.render(animation=True)
        heights = []
        for frame in range(1, 5):
            image = bpy.data.images.load(f"{self.scene.render.filepath}{frame:04d}.exr")
            alpha = np.array(image.pixels[:]).reshape(64, 64, 4)[..., 3]
            bpy.data.images.remove(image)
            heights.append(float((alpha.sum(axis=1) * np.arange(64)).sum() / alpha.sum()))
        self.scene.frame_set(1)
        # without gravity: 3 m/s are 10 of 64 rows a frame; the ball leaves the picture in the last
        np.testing.assert_allclose(np.diff(heights)[:2], -10, atol=0.2)

    def test_pictures_by_firn(self):
        camera = self.scene.camera
        with self.assertRaisesRegex(RuntimeError, "perspective"):
            bpy.ops.firn.render(frame_start=1, frame_end=1)
        camera.data.type = "PERSP"
        self.show("points")
        camera.location.x = 0.2
        self.scene.render.use_motion_blur = False
        sun = bpy.data.objects["Sun"].data
        sun.energy *= 4  # snow is brighter than any sky of firn
        mine = picture(self.scene, "perspective")[..., 3]
        self.cache.samples = 4
        self.assertEqual(bpy.ops.firn.render(frame_start=1, frame_end=2), {"FINISHED"})
        camera.data.type, camera.location.x = "ORTHO", 0
        sun.energy /= 4
        image = bpy.data.images["shot pictures"]
        self.assertEqual((tuple(image.size), image.source), ((64, 64), "SEQUENCE"))
        user = camera.data.background_images[0].image_user
        self.assertEqual((user.frame_start, user.frame_offset, user.frame_duration), (1, -1, 2))
        bright = self.bright(folder_of(self.cache).files("pictures")[0])
        for mask in (mine > 0.5, bright):
            self.assertGreater(mask.sum(), 20)
        centers = [np.argwhere(mask).mean(axis=0) for mask in (mine > 0.5, bright)]
        print(f"center of the ball: Cycles {centers[0]}, firn {centers[1]}")
        self.assertLess(np.abs(centers[0] - centers[1]).max(), 1)  # pixels
        # its edge is half a particle further out in one of them, 1.2 pixels of 10
        self.assertLess(abs(math.log((mine > 0.5).sum() / bright.sum())), 0.25)

    def bright(self, path):
        """Where firn's picture is brighter than the sky beside the ball, bottom row first."""
        image = bpy.data.images.load(path)
        values = np.array(image.pixels[:]).reshape(64, 64, 4)[..., :3].mean(axis=2)
        bpy.data.images.remove(image)
        return values > values[:, 40:].max() + 0.03
