# SPDX-License-Identifier: MIT
"""Runs on disk: written, opened, measured, exported, rendered; frames are read when they are used."""
import contextlib
import gc
import io
import os
import shutil
import unittest

import numpy as np

import firn
from snow import BALL, BED, bed


class Folder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree("ball", ignore_errors=True)
        cls.run_ = firn.run(firn.Scene(BALL), "ball", progress=False, threads=1)

    def test_summary(self):
        run = self.run_
        self.assertEqual(run.frames, [0, 1, 2, 3, 4])
        self.assertEqual(len(run), 5)
        self.assertTrue(run.info.complete)
        self.assertEqual(run.verify().damaged, 0)
        self.assertIn("complete", repr(run))
        self.assertEqual(run.scene.info["solver"], "mpm")

    def test_frames_are_those_of_the_simulation(self):
        sim = firn.Simulation(firn.Scene(BALL), threads=1)
        sim.frame(3)
        order = np.argsort(sim["id"].copy())
        frame = self.run_[3]
        self.assertAlmostEqual(frame.time, 3 / 24)
        now = np.argsort(frame["id"].array)
        np.testing.assert_array_equal(frame["position"].array[now], sim["position"].copy()[order])
        self.assertEqual(len(frame), len(sim))
        self.assertIn("velocity", frame)
        self.assertEqual(frame.colliders[0].normal, (0, 1, 0))
        self.assertEqual(frame.heights(columns=8, rows=8).heights.shape, (8, 8))
        with self.assertRaises(firn.NameRefused):
            frame["colour"]

    def test_views_of_several_frames(self):
        run = firn.open("ball")
        fields = [frame["position"] for frame in run]
        arrays = [field.array for field in fields]
        heights = [a[:, 1].mean() for a in arrays]
        self.assertEqual(len(set(heights)), 5)
        self.assertEqual(heights, [run[k]["position"].array[:, 1].mean() for k in range(5)])
        self.assertGreaterEqual(len(run._replays), 5)
        with self.assertRaises(BufferError):
            run.close()
        del fields, arrays
        gc.collect()
        run.close()
        with self.assertRaises(ValueError):
            _ = run[0].time

    def test_one_frame_at_a_time_needs_one_reader(self):
        run = firn.open("ball")
        for frame in run:
            frame["position"].array.sum()
        self.assertEqual(len(run._replays), 1)

    def test_heights_that_are_kept(self):
        keys = dict(x=-0.4, z=-0.4, width=0.8, depth=0.8, columns=16, rows=16)
        kept = self.run_[0].keep_heights(**keys)
        self.assertIsNotNone(kept.update(self.run_[4]))
        np.testing.assert_array_equal(kept.heights, self.run_[4].heights(**keys).heights)
        kept.update()
        np.testing.assert_array_equal(kept.heights, self.run_[0].heights(**keys).heights)

    def test_indices(self):
        self.assertEqual(self.run_[-1].number, 4)
        for wrong in (5, -6):
            with self.assertRaises(IndexError):
                self.run_[wrong]
        with self.assertRaises(firn.NameRefused):
            firn.open("nowhere")

    def test_stats(self):
        stats = self.run_.stats
        self.assertEqual(stats["step"].tolist(), list(range(len(stats["step"]))))
        self.assertAlmostEqual(stats.time[-1] + stats.dt[-1], 4 / 24, places=6)
        self.assertEqual(stats["force_y_0"].dtype, float)
        self.assertIn("kinetic", stats)
        with self.assertRaises(AttributeError):
            _ = stats.colour

    def test_measure(self):
        m = self.run_.measure(threads=1)
        self.assertEqual(m.frame.tolist(), [0, 1, 2, 3, 4])
        self.assertEqual(m.center.shape, (5, 3))
        self.assertLess(m.center[-1, 1], m.center[0, 1])
        self.assertEqual(m.forces.shape, (5, 1, 3))
        part = self.run_.measure(frame_begin=1, frame_end=2, region=((-1, 0, -1), (0, 1, 1)))
        self.assertEqual(len(part.frame), 2)
        self.assertLess(part.mass[0], m.mass[1])

    def test_export(self):
        self.run_.export(ply=True, frame_begin=4, output_dir="exported")
        with open("exported/ply/scene.0004.ply", "rb") as file:
            self.assertEqual(file.readline(), b"ply\n")
        with self.assertRaises(TypeError):
            self.run_.export(obj=True)

    def test_render(self):
        seen = []
        done = self.run_.render(frames=[4], output_dir="pictures", overwrite=True, exr=False,
                                set={"render.width": 48, "render.height": 32, "render.samples": 2},
                                progress=lambda now: seen.append(now.picture_done))
        self.assertEqual(done.pictures, 1)
        self.assertTrue(os.path.exists(done.first))
        self.assertIsNone(done.film)
        self.assertTrue(any(seen))
        with self.assertRaises(firn.Refused):
            self.run_.render(set={"mpm.cell": 1}, progress=False)

    def test_pictures(self):
        self.assertEqual(self.run_[4].picture(40).shape, (22, 40, 3))
        self.assertEqual(self.run_._repr_png_()[:4], b"\x89PNG")

    def test_film(self):
        if shutil.which("ffmpeg") is None:
            self.skipTest("there is no ffmpeg")
        firn.film("ball.mp4", (frame.picture(64, 48) for frame in self.run_), fps=12)
        with open("ball.mp4", "rb") as file:
            self.assertIn(b"ftyp", file.read(16))
        with self.assertRaises(ValueError):
            firn.film("none.mp4", [])
        with self.assertRaisesRegex(ValueError, "same size"):
            firn.film("none.mp4", [np.zeros((48, 64, 3)), np.zeros((48, 32, 3))])
        with self.assertRaises(ZeroDivisionError):
            firn.film("none.mp4", (np.full((48, 64, 3), 1 // k) for k in (1, 0)))
        self.assertFalse(os.path.exists("none.mp4"))

    def test_progress_bar(self):
        text = io.StringIO()
        with contextlib.redirect_stderr(text):
            firn.run(firn.Scene(BALL), "bar", overwrite=True, threads=1)
        try:
            import tqdm  # noqa: F401
            self.assertIn("4.0/4 frames", text.getvalue())
        except ImportError:
            self.assertEqual(text.getvalue(), "")  # no terminal

    def test_existing_runs_are_not_overwritten(self):
        with self.assertRaises(firn.Refused):
            firn.run(firn.Scene(BALL), "ball", progress=False)

    def test_damage_is_seen(self):
        shutil.rmtree("damaged", ignore_errors=True)
        shutil.copytree("ball", "damaged")
        path = next(os.path.join(folder, name) for folder, _, names in os.walk("damaged")
                    for name in sorted(names) if ".0002." in name)
        with open(path, "r+b") as file:
            file.seek(os.path.getsize(path) // 2)
            file.write(b"snow!")
        run = firn.open("damaged")
        with self.assertRaises(firn.DamagedFile) as caught:
            _ = run[2].time
        self.assertIsInstance(caught.exception, OSError)
        self.assertEqual(run.verify().damaged, 1)


class Resumed(unittest.TestCase):
    def test_cancel_in_a_callback_and_resume(self):
        whole = firn.Simulation(BED, threads=1)
        whole.frame(3)
        shutil.rmtree("cut", ignore_errors=True)
        sim = firn.Simulation(BED, threads=1, output_dir="cut")

        def stop(now):
            if now.frame_done and now.frame == 1:
                raise ArithmeticError("enough")
        with self.assertRaisesRegex(ArithmeticError, "enough"):
            sim.run(progress=stop)
        sim.close()
        run = firn.open("cut")
        self.assertEqual(run.frames, [0, 1])
        self.assertEqual(run.info.checkpoint, 1)
        again = run.resume(threads=1)
        again.run(progress=False)
        self.assertEqual(again.step_number, whole.step_number)
        self.assertEqual(again.state_hash, whole.state_hash)
        self.assertTrue(run.info.complete)
        self.assertEqual(run.frames, [0, 1, 2, 3])

    def test_a_callback_must_not_keep_a_view(self):
        kept = []
        for folder, options in (("kept", {"output_dir": "kept", "overwrite": True}), ("", {})):
            sim = firn.Simulation(firn.Scene(BALL), threads=1, **options)
            with self.assertRaisesRegex(BufferError, "callback kept a view"):
                sim.run(progress=False, on_frame=lambda s: kept.append(s["position"].array))
            self.assertEqual(len(kept), 1)
            self.assertTrue(np.isfinite(kept[0]).all())
            kept.clear()
            sim.step()

    def test_a_callback_may_read_again_and_again(self):
        sim, seen = bed(), []
        sim.run(progress=False, on_frame=lambda s: seen.append(
            (s.heights(columns=4, rows=4).heights.max(), s.state_hash, s.heights().heights.max())))
        self.assertEqual(len(seen), 3)

    def test_a_callback_cannot_step(self):
        sim = firn.Simulation(firn.Scene(BALL), threads=1)
        with self.assertRaisesRegex(RuntimeError, "callback"):
            sim.run(progress=False, on_frame=lambda s: s.step())
        sim.step()


if __name__ == "__main__":
    unittest.main()
