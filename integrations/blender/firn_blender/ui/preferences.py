# SPDX-License-Identifier: MIT
"""Preferences of the add-on: where the program firn is."""
import bpy
from bpy.props import StringProperty

PACKAGE = __package__.rsplit(".", 1)[0]


class FirnPreferences(bpy.types.AddonPreferences):
    bl_idname = PACKAGE

    program: StringProperty(name="Program", subtype="FILE_PATH",
                            description="The program firn; empty: $FIRN, or the one on the PATH")

    def draw(self, context):
        self.layout.prop(self, "program")


CLASSES = (FirnPreferences,)


def program_path():
    addon = bpy.context.preferences.addons.get(PACKAGE)
    return bpy.path.abspath(addon.preferences.program) if addon else ""


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)


def unregister():
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
