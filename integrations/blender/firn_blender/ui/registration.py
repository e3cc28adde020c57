# SPDX-License-Identifier: MIT
"""Registers everything with Blender, in the order in which it depends on each other."""
import bpy

from ..play import playback
from . import jobs, operators, operators_cache, panels, preferences, properties

CLASSES = operators.CLASSES + operators_cache.CLASSES + panels.CLASSES


def register():
    preferences.register()
    properties.register()
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    playback.register()
    jobs.register()


def unregister():
    jobs.unregister()
    playback.unregister()
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
    properties.unregister()
    preferences.unregister()
