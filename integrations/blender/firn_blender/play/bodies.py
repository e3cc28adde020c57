# SPDX-License-Identifier: MIT
"""The motion of colliders that the simulation moved, as key frames of their delta transforms: the
object's own transform stays, so that the next bake starts from it."""
import bpy
from mathutils import Matrix, Vector

from ..core import axes, body_poses, messages
from ..scene.write import folder_of, unit_of

PATHS = ("delta_location", "delta_rotation_quaternion", "delta_rotation_euler")


def clear(obj):
    """Remove the motion of an earlier bake."""
    action = obj.animation_data.action if obj.animation_data else None
    if action is not None:
        for curve in [c for c in action.fcurves if c.data_path in PATHS]:
            action.fcurves.remove(curve)
    obj.delta_location = (0, 0, 0)
    obj.delta_rotation_quaternion = (1, 0, 0, 0)
    obj.delta_rotation_euler = (0, 0, 0)


def problem(obj):
    if obj.parent is not None:
        return "its motion cannot be shown: it has a parent"
    if obj.rotation_mode == "AXIS_ANGLE":
        return "its motion cannot be shown: set its rotation mode to Quaternion or Euler"
    return ""


def put_pose(obj, pose, frame, unit):
    """Key the delta that takes the object from its own transform along with the collider."""
    position, quaternion, _ = pose
    turned = Matrix(axes.rotation_to_blender(axes.rotation_matrix(quaternion)).tolist())
    moved = Vector(axes.to_blender(position, unit).tolist())
    obj.delta_location = turned @ obj.location + moved - obj.location
    obj.keyframe_insert("delta_location", frame=frame)
    if obj.rotation_mode == "QUATERNION":
        now = turned.to_quaternion()
        if now.dot(obj.delta_rotation_quaternion) < 0:
            now.negate()
        obj.delta_rotation_quaternion = now
        obj.keyframe_insert("delta_rotation_quaternion", frame=frame)
    else:
        obj.delta_rotation_euler = turned.to_euler(obj.rotation_mode,
                                                    obj.delta_rotation_euler)
        obj.keyframe_insert("delta_rotation_euler", frame=frame)


def load(scene, cache):
    """Key the motion of all dynamic colliders; [(object, text)] of those that it cannot."""
    folder = folder_of(cache)
    names = messages.Owners.load(folder.owners).colliders
    moved, problems = {}, []
    for frame, path in sorted(folder.files("frames").items()):
        for number, pose in body_poses.read(path).items():
            moved.setdefault(number, []).append((frame, pose))
    for number, poses in moved.items():
        obj = bpy.data.objects.get(names[number]) if number < len(names) else None
        if obj is None:
            continue
        if problem(obj):
            problems.append((obj.name, problem(obj)))
            continue
        clear(obj)
        for frame, pose in poses:
            put_pose(obj, pose, cache.play_start + frame, unit_of(scene))
        for curve in obj.animation_data.action.fcurves:
            if curve.data_path in PATHS:
                for key in curve.keyframe_points:
                    key.interpolation = "LINEAR"
    return problems
