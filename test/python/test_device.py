# SPDX-License-Identifier: MIT
"""Fields on a GPU: DLPack tensors are followed to the memory of the device, and what lies there is
compared with what the library copies to the host. Needs the NVIDIA driver, but neither numpy nor a
library that reads tensors, so that it also runs on a bare machine:

    PYTHONPATH=PACKAGE python3 -m unittest test_device
"""
import ctypes
import struct
import unittest

import firn

BALL = """firn: 1
mpm: {cell: 0.08}
snow:
  - shape: {sphere: {center: [0, 0.3, 0], radius: 0.2}}
    velocity: [0.5, -2, 0]
colliders:
  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}
"""
GRAINS = """firn: 1
solver: grains
grains: {radius: 0.05}
snow:
  - shape: {box: {center: [0, 0.2, 0], size: [0.6, 0.4, 0.6]}}
    velocity: [0.5, -1, 0]
colliders:
  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}
"""


class Tensor(ctypes.Structure):
    """DLTensor of DLPack's specification."""
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
                ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class Managed(ctypes.Structure):
    """DLManagedTensor."""
    _fields_ = [("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class Versioned(ctypes.Structure):
    """DLManagedTensorVersioned."""
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32),
                ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
                ("flags", ctypes.c_uint64), ("tensor", Tensor)]


def opened(capsule, name, kind):
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return kind.from_address(get(capsule, name))


def copied(tensor):
    """The rows of a tensor of floats on a device, as tuples."""
    cuda = ctypes.CDLL("libcuda.so.1")
    count = tensor.shape[0]
    width = 1
    for d in range(1, tensor.ndim):
        width *= tensor.shape[d]
    step = tensor.strides[0] if tensor.strides else width
    size = 4 * ((count - 1) * step + width)
    block = ctypes.create_string_buffer(size)
    copy = cuda.cuMemcpyDtoH_v2
    copy.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_size_t]
    status = copy(block, tensor.data + tensor.byte_offset, size)
    if status != 0:
        raise RuntimeError(f"cuMemcpyDtoH: {status}")
    return [struct.unpack_from(f"<{width}f", block, 4 * step * p) for p in range(count)]


def on_host(field):
    with memoryview(field) as view:
        flat = view.cast("B").cast("f")
        width = len(flat) // view.shape[0]
        return [tuple(flat[width * p:width * (p + 1)]) for p in range(view.shape[0])]


@unittest.skipUnless(firn.devices(), "there is no GPU")
class Device(unittest.TestCase):
    def check_fields(self, sim, names):
        for name in names:
            field = sim[name]
            kind, number = field.__dlpack_device__()
            self.assertEqual((kind, f"cuda:{number}"), (2, sim.info.backend))
            capsule = field.__dlpack__(stream=None, max_version=(1, 0), dl_device=(kind, number))
            managed = opened(capsule, b"dltensor_versioned", Versioned)
            self.assertEqual((managed.major, managed.flags & 1), (1, 1))  # read-only
            tensor = managed.tensor
            self.assertEqual((tensor.device_type, tensor.device_id), (2, number))
            self.assertEqual((tensor.code, tensor.bits, tensor.lanes), (2, 32, 1))
            self.assertEqual(tuple(tensor.shape[:tensor.ndim]), field.shape)
            self.assertEqual(copied(tensor), on_host(field), name)
            with self.assertRaises(BufferError):
                sim.step()
            del managed, tensor, capsule

    def test_memory_of_the_device_is_that_of_the_fields(self):
        for text, names in ((BALL, ("position", "velocity", "mass")), (GRAINS, ("position",))):
            sim = firn.Simulation(firn.Scene(text), backend="cuda")
            sim.step(3)
            self.check_fields(sim, names)
            sim.step(2)
            self.check_fields(sim, names)

    def test_consumers_that_want_the_host(self):
        sim = firn.Simulation(firn.Scene(BALL), backend="cuda")
        sim.step(3)
        field = sim["position"]
        capsule = field.__dlpack__(dl_device=(1, 0))
        tensor = opened(capsule, b"dltensor", Managed).tensor
        self.assertEqual((tensor.device_type, tensor.device_id), (1, 0))
        values = (ctypes.c_float * (3 * len(sim))).from_address(tensor.data)
        flat = [x for row in on_host(field) for x in row]
        self.assertEqual(list(values), flat)
        del capsule
        with self.assertRaises(BufferError):
            field.__dlpack__(dl_device=(1, 0), copy=False)
        sim.step()


if __name__ == "__main__":
    unittest.main()
