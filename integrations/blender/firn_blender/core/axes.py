# SPDX-License-Identifier: MIT
"""Blender has Z up, firn has Y up: firn (x, y, z) = Blender (x, z, -y). Lengths in firn are metres;
`unit` is the length of a Blender unit in metres (scene.unit_settings.scale_length)."""
import numpy as np

# Rows are firn's axes in Blender's: v_firn = TO_FIRN @ v_blender. A rotation.
TO_FIRN = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])


def to_firn(vectors, unit=1.0):
    """Blender's vectors [..., 3] in firn's axes and metres."""
    return np.asarray(vectors, dtype=np.float64) @ TO_FIRN.T * unit


def to_blender(vectors, unit=1.0):
    """firn's vectors [..., 3] in Blender's axes and units, of the same type."""
    vectors = np.asarray(vectors)
    out = np.empty_like(vectors)  # by columns: there may be millions
    out[..., 0] = vectors[..., 0] / unit
    out[..., 1] = vectors[..., 2] / -unit
    out[..., 2] = vectors[..., 1] / unit
    return out


def quaternion(rotation):
    """Unit quaternion [w, x, y, z] of a rotation matrix [3, 3], with w >= 0."""
    m = np.asarray(rotation, dtype=np.float64)
    # Shepperd: divide by the largest of the four components.
    squares = np.array([1 + m[0, 0] + m[1, 1] + m[2, 2], 1 + m[0, 0] - m[1, 1] - m[2, 2],
                        1 - m[0, 0] + m[1, 1] - m[2, 2], 1 - m[0, 0] - m[1, 1] + m[2, 2]])
    off = np.array([[squares[0], m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]],
                    [m[2, 1] - m[1, 2], squares[1], m[1, 0] + m[0, 1], m[0, 2] + m[2, 0]],
                    [m[0, 2] - m[2, 0], m[1, 0] + m[0, 1], squares[2], m[2, 1] + m[1, 2]],
                    [m[1, 0] - m[0, 1], m[0, 2] + m[2, 0], m[2, 1] + m[1, 2], squares[3]]])
    q = off[int(np.argmax(squares))]
    q = q / np.linalg.norm(q)
    return -q if q[0] < 0 else q


def rotation_matrix(q):
    """Rotation matrix [3, 3] of a quaternion [w, x, y, z] of any length but zero."""
    w, x, y, z = np.asarray(q, dtype=np.float64) / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def rotation_to_firn(rotation):
    """A rotation matrix [3, 3] of Blender's world in firn's axes."""
    return TO_FIRN @ np.asarray(rotation, dtype=np.float64) @ TO_FIRN.T


def rotation_to_blender(rotation):
    """A rotation matrix [3, 3] of firn's world in Blender's axes."""
    return TO_FIRN.T @ np.asarray(rotation, dtype=np.float64) @ TO_FIRN
