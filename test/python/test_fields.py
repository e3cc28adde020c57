# SPDX-License-Identifier: MIT
"""Fields are the simulation's own memory: views pin it, copies do not, nothing dangles."""
import gc
import io
import unittest
import weakref

import numpy as np

import firn
from snow import ball, bed


def resident():
    """[bytes] of memory that this process has now."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


class Views(unittest.TestCase):
    def setUp(self):
        self.sim = ball()
        self.sim.step(2)

    def test_views_are_zero_copy_and_read_only(self):
        field = self.sim["position"]
        a, b = np.asarray(field), np.asarray(field)
        self.assertEqual(a.ctypes.data, b.ctypes.data)
        self.assertEqual(a.shape, (len(self.sim), 3))
        self.assertEqual(a.dtype, np.dtype(field.dtype))
        self.assertFalse(a.flags.writeable)
        with self.assertRaises(ValueError):
            a[0, 0] = 1
        self.assertEqual(a.__array_interface__["data"][0], field.__array_interface__["data"][0])
        self.assertEqual(memoryview(field).nbytes, a.nbytes)

    def test_all_fields(self):
        for name in self.sim.fields:
            field = self.sim[name]
            self.assertEqual(field.name, name)
            self.assertEqual(field.array.shape, field.shape)
            self.assertEqual(len(field), len(self.sim))
            self.assertIn(name, repr(field))
        self.assertEqual(self.sim["def_grad_elastic"].shape[1:], (3, 3))
        self.assertEqual(self.sim["position"].unit, "m")
        self.assertEqual(self.sim["id"].array.dtype, np.uint32)
        self.assertIn("position", self.sim)
        with self.assertRaises(firn.NameRefused):
            self.sim["colour"]

    def refuse_all(self):
        for call in (self.sim.step, self.sim.frame, lambda: self.sim.advance(0.01),
                     lambda: self.sim.run(progress=False),
                     self.sim.close, lambda: self.sim.restore(b""),
                     lambda: self.sim.remove_particles([0]),
                     lambda: self.sim.write(velocity=0)):
            with self.assertRaisesRegex(BufferError, "views of this simulation's fields are alive"):
                call()

    def test_a_step_while_a_view_is_alive_is_refused(self):
        before = self.sim.state_hash
        for view in (np.asarray, memoryview, np.from_dlpack, lambda f: f.array[5:, 1]):
            kept = view(self.sim["position"])
            self.refuse_all()
            del kept
        self.assertEqual(self.sim.state_hash, before)
        self.sim.step()

    def test_array_interface_pins_as_long_as_the_field_lives(self):
        field = self.sim["velocity"]
        self.assertEqual(field.__array_interface__["version"], 3)
        self.refuse_all()
        del field
        self.sim.step()

    def test_a_field_without_a_view_does_not_pin(self):
        field = self.sim["position"]
        before = field.copy()
        self.sim.step()
        self.assertFalse(np.array_equal(before, field.copy()))  # it is that of now
        self.assertTrue(before.flags.owndata and before.flags.writeable)

    def test_views_outlive_everything(self):
        x = self.sim["position"].array
        expected = x.copy()
        alive = weakref.ref(self.sim)
        del self.sim
        gc.collect()
        self.assertIsNone(alive())  # the wrapper is gone, the memory is not
        np.testing.assert_array_equal(x, expected)

    def test_closed(self):
        field = self.sim["position"]
        self.sim.close()
        self.sim.close()
        for call in (self.sim.step, lambda: self.sim["mass"], lambda: field.array, field.copy,
                     lambda: len(self.sim)):
            with self.assertRaisesRegex(ValueError, "closed"):
                call()
        self.assertIn("closed", repr(field))
        self.assertIn("closed", repr(self.sim))

    def test_dlpack(self):
        mass = self.sim["mass"]
        self.assertEqual(mass.__dlpack_device__(), (1, 0))
        np.testing.assert_array_equal(np.from_dlpack(mass), mass.copy())
        self.assertIn('"dltensor"', repr(mass.__dlpack__()))
        self.assertIn('"dltensor_versioned"', repr(mass.__dlpack__(max_version=(1, 0))))
        for keys in (dict(copy=True), dict(dl_device=(2, 0)), dict(dl_device=(1, 1), copy=False)):
            with self.assertRaises(BufferError):
                mass.__dlpack__(**keys)
        with self.assertRaises(TypeError):
            mass.__dlpack__(dl_device=1)
        self.assertIsNotNone(mass.__dlpack__(stream=None, dl_device=(1, 0), copy=False))
        self.sim.step()  # capsules that nobody took have let go

    def test_a_writable_buffer_is_refused(self):
        with self.assertRaises((BufferError, TypeError)):
            io.BytesIO(bytes(10**5)).readinto(self.sim["position"])


class Edits(unittest.TestCase):
    def setUp(self):
        self.sim = ball()
        self.sim.step(2)

    def test_edit_one_field(self):
        before = self.sim["velocity"].copy()
        with self.sim.edit("velocity") as v:
            v[:, 1] += 3
        np.testing.assert_array_equal(self.sim["velocity"].copy(), before + np.float32([0, 3, 0]))
        self.sim.step()
        self.assertGreater(self.sim["velocity"].copy()[:, 1].mean(), 0.5)

    def test_edit_several_fields(self):
        before = self.sim["position"].copy()
        with self.sim.edit("position", "velocity") as (x, v):
            x[:, 0] += 1
            v[:] = 0
        np.testing.assert_array_equal(self.sim["position"].copy(), before + np.float32([1, 0, 0]))
        self.assertEqual(np.abs(self.sim["velocity"].copy()).max(), 0)

    def test_assignment(self):
        self.sim["velocity"] = (0, 5, 0)
        self.assertTrue((self.sim["velocity"].copy() == np.float32([0, 5, 0])).all())
        with self.assertRaises(ValueError):
            self.sim["velocity"] = np.zeros((3, 7))

    def test_an_exception_takes_nothing(self):
        before = self.sim.state_hash
        with self.assertRaises(ZeroDivisionError):
            with self.sim.edit("velocity") as v:
                v[:] = 7
                1 / 0
        self.assertEqual(self.sim.state_hash, before)

    def test_all_or_nothing(self):
        before = self.sim["position"].copy()
        with self.assertRaises(firn.ArgumentRefused):
            self.sim.write(position=before + 1, velocity=np.nan)
        with self.assertRaises(firn.NameRefused):
            self.sim.write(position=before + 1, mass=1)
        np.testing.assert_array_equal(self.sim["position"].copy(), before)
        self.sim.write(velocity=0)  # what was refused is not taken by a later call
        np.testing.assert_array_equal(self.sim["position"].copy(), before)

    def test_a_step_within_an_edit(self):
        with self.assertRaisesRegex(firn.ArgumentRefused, "stepped or edited"):
            with self.sim.edit("velocity") as v:
                v[:] = 0
                self.sim.step()

    def test_an_edited_array_stays_valid(self):
        with self.sim.edit("velocity") as v:
            v[:] = 1
        self.sim.step(5)
        self.assertTrue((v == 1).all())

    def test_hash_after_an_edit_needs_no_views(self):
        self.sim["velocity"] = 0
        x = self.sim["position"].array
        with self.assertRaises(BufferError):
            _ = self.sim.state_hash
        del x
        _ = self.sim.state_hash
        x = self.sim["position"].array
        _ = self.sim.state_hash
        del x


class Large(unittest.TestCase):
    def test_a_million_particles_are_viewed_without_memory(self):
        scene = firn.Scene(solver="ballistic", ballistic={"spacing": 0.01})
        scene.add_snow(firn.box((0, 1, 0), (1, 1, 1)))
        sim = firn.Simulation(scene, threads=1)
        self.assertGreaterEqual(len(sim), 1_000_000)
        np.asarray(sim["mass"])  # whatever numpy allocates once
        before = resident()
        views = [np.asarray(sim[name]) for name in sim.fields]
        grown = resident() - before
        self.assertGreater(sum(v.nbytes for v in views), 24e6)
        self.assertLess(grown, 1e6)  # the promise; 0 was measured


class Grains(unittest.TestCase):
    def test_other_types(self):
        sim = bed()
        self.assertEqual(sim["phase"].array.dtype, np.uint8)
        self.assertEqual(sim["radius"].array.ndim, 1)
        sim["temperature"] = -2.0
        self.assertAlmostEqual(float(sim["temperature"].array.mean()), -2, places=4)


if __name__ == "__main__":
    unittest.main()
