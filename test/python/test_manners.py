# SPDX-License-Identifier: MIT
"""Threads, interrupts, imports: how the package behaves in someone else's process."""
import gc
import inspect
import os
import pydoc
import shutil
import signal
import subprocess
import sys
import threading
import time
import unittest
import weakref

import firn
from snow import BALL, ball


def endless(**options):
    """A simulation that no test waits for."""
    return firn.Simulation(firn.Scene(BALL, set={"time.frames": 1000000}), threads=1, **options)


def interrupt_after(seconds):
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    return timer


class Interrupts(unittest.TestCase):
    def test_ctrl_c_leaves_a_state_that_goes_on(self):
        for call in (lambda s: s.frame(10**6), lambda s: s.step(10**9), lambda s: s.advance(1e6),
                     lambda s: s.run(progress=False)):
            sim = endless()
            interrupt_after(0.1)
            with self.assertRaises(KeyboardInterrupt):
                call(sim)
            steps = sim.step_number
            self.assertGreater(steps, 0)
            sim.step(3)
            other = endless()
            other.step(steps + 3)
            self.assertEqual(sim.state_hash, other.state_hash)

    def test_ctrl_c_ends_a_run_with_a_checkpoint(self):
        shutil.rmtree("stopped", ignore_errors=True)
        sim = endless(output_dir="stopped")
        interrupt_after(0.2)
        with self.assertRaises(KeyboardInterrupt):
            sim.run(progress=False)
        steps, last = sim.step_number, sim.frame_number + 1
        sim.close()
        again, first = endless(output_dir="stopped", resume=True, frame_end=last), []
        again.run(progress=lambda now: first.append(now.step))
        whole = endless()
        whole.frame(last)
        self.assertEqual((again.state_hash, again.step_number),
                         (whole.state_hash, whole.step_number))
        self.assertGreaterEqual(first[0], steps)  # it did not start again

    def test_cancel_from_another_thread(self):
        sim = endless()
        threading.Timer(0.1, sim.cancel).start()
        with self.assertRaises(firn.Interrupted) as caught:
            sim.frame(10**6)
        self.assertIn("continue", str(caught.exception))
        sim.step()
        sim.cancel()
        with self.assertRaises(firn.Interrupted):
            sim.step()
        sim.step()


class Threads(unittest.TestCase):
    def test_the_gil_is_released_and_the_simulation_guarded(self):
        sim = endless()
        outcome = []

        def work():
            try:
                sim.frame(10**6)
            except firn.Interrupted:
                outcome.append("interrupted")
        thread = threading.Thread(target=work)
        thread.start()
        while sim._core.serial() == 0:  # this loop runs while the thread steps
            time.sleep(0.001)
        for call in (sim.step, lambda: sim["position"].array, lambda: sim.time, sim.close,
                     lambda: sim.picture(8)):
            with self.assertRaisesRegex(RuntimeError, "another thread"):
                call()
        sim.cancel()
        thread.join()
        self.assertEqual(outcome, ["interrupted"])
        sim.step()

    def test_two_simulations_on_two_threads(self):
        hashes = [None, None]

        def work(k):
            sim = ball()
            sim.frame(2)
            hashes[k] = sim.state_hash
        threads = [threading.Thread(target=work, args=(k,)) for k in range(2)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertIsNotNone(hashes[0])
        self.assertEqual(*hashes)

    def test_two_simulations_of_one_scene_add_snow_at_once(self):
        scene = firn.Scene(BALL)
        failures = []

        def work():
            try:
                sim = firn.Simulation(scene, threads=1)
                for k in range(20):
                    sim.add_snow(firn.sphere((0, 0, 0), 0.1), material="ball", at=(k + 2, 1, 0))
            except Exception as error:  # noqa: BLE001
                failures.append(error)
        simulations = [threading.Thread(target=work) for _ in range(2)]
        for t in simulations:
            t.start()
        for t in simulations:
            t.join()
        self.assertEqual(failures, [])


class Callbacks(unittest.TestCase):
    def test_log(self):
        lines = []
        sim = firn.Simulation(firn.Scene(BALL, set={"mpm.dt": 0.02, "mpm.integrator": "explicit"}),
                              threads=1, log=lambda *line: lines.append(line))
        try:
            sim.frame(4)
        except firn.Diverged as error:  # both are possible with such steps
            self.assertIn("step", str(error))
        self.assertTrue(any(row[0] == "warning" and row[1] == "sim.rollback" for row in lines), lines)

    def test_an_exception_in_a_callback_ends_the_call(self):
        sim = endless()
        with self.assertRaises(ZeroDivisionError):
            sim.run(progress=lambda now: 1 / 0)
        sim.step()

    def test_cycles_are_collected(self):
        lines = []
        sim = ball(log=lambda *line: lines.append((sim, line)))
        core = weakref.ref(sim)
        del sim
        gc.collect()
        self.assertIsNone(core())

    def test_no_leak(self):
        from firn import _firn
        for _ in range(3):
            sim = ball()
            x = sim["position"].array
            del x, sim
        gc.collect()
        self.assertEqual([o for o in gc.get_objects() if isinstance(o, _firn.Sim)], [])


class Imports(unittest.TestCase):
    def run_python(self, text):
        return subprocess.run([sys.executable, "-c", text], check=True, capture_output=True,
                              text=True).stdout

    def test_import_is_quiet(self):
        out = self.run_python(
            "import os, sys\n"
            "opened = []\n"
            "sys.addaudithook(lambda e, a: opened.append(a[0]) if e == 'open' else None)\n"
            "files = len(os.listdir('/proc/self/fd'))\n"
            "import firn\n"
            "here = os.path.dirname(firn.__file__)\n"
            "library = os.path.dirname(os.__file__)\n"
            "print(len(os.listdir('/proc/self/task')), len(os.listdir('/proc/self/fd')) - files,\n"
            "      'numpy' in sys.modules,\n"
            "      [f for f in opened if not str(f).startswith((here, library))])\n")
        self.assertEqual(out, "1 0 False []\n")

    def test_help(self):
        text = pydoc.plain(pydoc.render_doc(firn.Simulation))
        self.assertIn("Step to the next frame time", text)
        self.assertIn("critical_stretch", pydoc.plain(pydoc.render_doc(firn.Scene.add_material)))
        missing = [name for name in firn.__all__ if not getattr(firn, name).__doc__]
        self.assertEqual(missing, [])

    def test_every_public_member_has_help(self):
        for name in ("Scene", "Simulation", "Run", "Frame", "Field", "Collider", "Shape", "Check"):
            for key in dir(getattr(firn, name)):
                member = getattr(getattr(firn, name), key)
                slot = inspect.ismemberdescriptor(member)
                if not key.startswith("_") and key not in dir(tuple) and not slot:
                    self.assertTrue(isinstance(member, str) or member.__doc__, f"{name}.{key}")


if __name__ == "__main__":
    unittest.main()
