# SPDX-License-Identifier: MIT
"""NumPy reads particle fields through DLPack: another implementation of the interface than ours.

    dlpack.py LIBFIRN
"""
import ctypes
import sys

try:
    import numpy
except ImportError:
    print("no numpy: skipped")
    sys.exit(77)

SCENE = b"""firn: 1
mpm: {cell: 0.05}
snow:
  - shape: {sphere: {center: [0, 0.2, 0], radius: 0.15}}
    velocity: [1, -3, 0]
"""

firn = ctypes.CDLL(sys.argv[1])
new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Def(ctypes.Structure):
    """The head of a firn_sim_def; the library has defaults for the rest."""
    _fields_ = [("cookie", ctypes.c_uint32), ("bytes", ctypes.c_uint32)]


class Field:
    """What numpy.from_dlpack wants; NumPy calls the tensor's deleter."""

    def __init__(self, sim, name):
        tensor = ctypes.c_void_p()
        assert firn.firn_sim_dlpack(sim, name, ctypes.byref(tensor)) == 0
        self.capsule = new_capsule(tensor, b"dltensor", None)

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, **_):
        return self.capsule


def main():
    definition = Def(0xf10a0000, 8)  # FIRN_DEF_SIM, float
    scene, sim = ctypes.c_void_p(), ctypes.c_void_p()
    assert firn.firn_scene_create(ctypes.byref(scene)) == 0
    assert firn.firn_scene_load_text(scene, SCENE, b"dlpack", None) == 0
    assert firn.firn_sim_create(scene, ctypes.byref(definition), ctypes.byref(sim), None) == 0
    for _ in range(3):
        assert firn.firn_sim_step(sim) == 0
    x, f, mass, ids = (numpy.from_dlpack(Field(sim, name))
                       for name in (b"position", b"def_grad_elastic", b"mass", b"id"))
    count = len(x)
    print(count, "particles:", x.dtype, x.shape, f.shape, mass.shape, ids.dtype)
    assert count > 500 and x.shape == (count, 3) and f.shape == (count, 3, 3)
    assert mass.shape == ids.shape == (count,) and ids.dtype == numpy.uint32
    assert sorted(ids) == list(range(count))
    center = (mass[:, None] * x.astype(float)).sum(0) / mass.sum()
    assert abs(center[0]) < 0.02 and abs(center[1] - 0.2) < 0.02, center  # it has hardly moved
    assert numpy.allclose(numpy.linalg.det(f), 1, atol=0.1)
    del x, f, mass, ids
    firn.firn_sim_destroy(sim)
    firn.firn_scene_destroy(scene)


main()
