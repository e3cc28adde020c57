# SPDX-License-Identifier: MIT
"""Camera, sun and picture size of a scene of Blender, as the block `render` of a scene of firn."""
import math

import numpy as np

from ..core import axes
from .evaluate import ObjectError

KEYS_MAX = 1000  # of a moving camera: they travel in one argument of a command line (128 KiB)


def sun_object(scene):
    suns = [o for o in scene.objects if o.type == "LIGHT" and o.data.type == "SUN"
            and not o.hide_render]
    return max(suns, key=lambda o: o.data.energy, default=None)


def vertical_fov(camera, render):
    """Vertical field of view [degrees]. Blender's angle belongs to the side that `sensor_fit`
    names, by default the longer one."""
    width = render.resolution_x * render.pixel_aspect_x
    height = render.resolution_y * render.pixel_aspect_y
    fit = camera.sensor_fit
    if fit == "AUTO":
        fit = "HORIZONTAL" if width >= height else "VERTICAL"
        sensor = camera.sensor_width
    else:
        sensor = camera.sensor_width if fit == "HORIZONTAL" else camera.sensor_height
    across = sensor if fit == "VERTICAL" else sensor * height / width
    return math.degrees(2 * math.atan(across / (2 * camera.lens)))


class Shot:
    """Looks at the camera frame by frame (`look`), then gives the block (`render_block`)."""

    def __init__(self, scene, fps, unit):
        self.scene, self.fps, self.unit = scene, fps, unit
        self.camera = scene.camera
        self.poses = []      # (time, eye, look_at, fov)
        self.optics = {}
        self.warnings = []
        if self.camera is not None:
            self.check(self.camera)

    def check(self, obj):
        if obj.type != "CAMERA" or obj.data.type != "PERSP":
            raise ObjectError(obj.name, "firn renders with perspective cameras only")
        if abs(obj.data.shift_x) > 1e-6 or abs(obj.data.shift_y) > 1e-6:
            self.warnings.append((obj.name, "the shift of the camera is not part of pictures by "
                                            "firn"))

    def look(self, depsgraph, frame):
        if self.camera is None:
            return
        camera = self.camera.evaluated_get(depsgraph)
        matrix = np.array(camera.matrix_world, dtype=np.float64)
        eye = axes.to_firn(matrix[:3, 3], self.unit)
        forward = axes.to_firn(-matrix[:3, 2] / np.linalg.norm(matrix[:3, 2]))
        lens = camera.data.dof
        distance = 1.0
        if lens.use_dof:
            distance = lens.focus_distance * self.unit
            if lens.focus_object is not None:
                target = np.array(lens.focus_object.matrix_world, dtype=np.float64)[:3, 3]
                distance = float(axes.to_firn(target, self.unit) @ forward - eye @ forward)
            self.optics = {"lens": camera.data.lens / 1000 / lens.aperture_fstop,
                           "focus": max(distance, 0.0)}
        right = axes.to_firn(matrix[:3, 0] / np.linalg.norm(matrix[:3, 0]))
        if abs(right[1]) > 0.002 and frame == 0:
            self.warnings.append((self.camera.name, "firn keeps the horizon level: the roll of the "
                                                    "camera is not part of its pictures"))
        self.poses.append((frame / self.fps, eye, eye + forward * max(distance, 1e-3),
                           vertical_fov(camera.data, self.scene.render)))

    def camera_block(self, first=0, last=None):
        """The camera for frames `first` to `last`, counted from 0."""
        poses = self.poses[max(first - 2, 0):None if last is None else last + 3]
        start = poses[0]
        still = all(np.abs(np.concatenate([p[1] - start[1], p[2] - start[2]])).max() < 1e-6
                    and abs(p[3] - start[3]) < 1e-4 for p in poses)
        if still:
            return {"eye": rounded(start[1]), "look_at": rounded(start[2]),
                    "fov": round(start[3], 4), **self.optics}
        step = -(-len(poses) // KEYS_MAX)
        return {"keys": [{"time": round(t, 6), "eye": rounded(eye), "look_at": rounded(at),
                          "fov": round(fov, 4)} for t, eye, at, fov in poses[::step]],
                **self.optics}

    def render_block(self, first=0, last=None):
        """The block `render`, without the picture's quality."""
        out = {}
        if self.poses:
            out["camera"] = self.camera_block(first, last)
        render = self.scene.render
        scale = render.resolution_percentage / 100
        out["width"] = even(render.resolution_x * scale)
        out["height"] = even(render.resolution_y * scale)
        sun = sun_object(self.scene)
        if sun is not None:
            towards = np.array(sun.matrix_world, dtype=np.float64)[:3, 2]
            out["sun"] = rounded(axes.to_firn(towards / np.linalg.norm(towards)))
            # Energy pi [W/m^2] gives a white surface the radiance 1, as firn's sun of strength 1.
            out["sun_strength"] = float(sun.data.energy / math.pi)
            out["sun_size"] = float(min(max(math.degrees(sun.data.angle), 0.05), 90))
        if render.use_motion_blur:
            out["shutter"] = float(min(render.motion_blur_shutter, 1))
        return out


def rounded(vector):
    return [round(float(x), 6) for x in vector]


def even(pixels):
    return max(16, 2 * round(pixels / 2))


def surface(obj):
    """How a collider looks in pictures of firn, from its first material."""
    if obj.hide_render:
        return {"kind": "hidden"}
    if getattr(obj, "is_shadow_catcher", False):
        return {"kind": "shadow_catcher"}
    material = obj.active_material
    if material is None:
        return None
    colour, roughness, metal = list(material.diffuse_color)[:3], material.roughness, \
        material.metallic
    if material.use_nodes and material.node_tree:
        node = next((n for n in material.node_tree.nodes if n.type == "BSDF_PRINCIPLED"), None)
        if node is not None:
            colour = list(node.inputs["Base Color"].default_value)[:3]
            roughness = node.inputs["Roughness"].default_value
            metal = node.inputs["Metallic"].default_value
    out = {"kind": "diffuse", "colour": [min(max(float(c), 0.0), 1.0) for c in colour]}
    if metal > 0.5 or roughness < 0.7:
        out["kind"] = "metal" if metal > 0.5 else "rough"
        out["roughness"] = min(max(float(roughness), 0.02), 1.0)
    return out
