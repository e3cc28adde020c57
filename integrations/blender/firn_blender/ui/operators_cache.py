# SPDX-License-Identifier: MIT
"""Operators on finished caches: show them, render pictures with firn, load these."""
import bpy
from bpy.props import EnumProperty, IntProperty

from ..core import program
from ..play import pictures, playback
from ..scene.evaluate import ObjectError
from . import jobs, preferences
from .operators import CacheOperator, show_warnings

KINDS = [("points", "Points", "Points with velocity, density and id, drawn as spheres"),
         ("mesh", "Mesh", "The closed surface of the snow"),
         ("volume", "Volume", "The OpenVDB sequence")]


class FIRN_OT_load(CacheOperator, bpy.types.Operator):
    """Show the files of the cache as an object"""
    bl_idname, bl_label, bl_options = "firn.load", "Load", {"REGISTER", "UNDO"}
    kind: EnumProperty(name="Kind", items=KINDS)

    def execute(self, context):
        cache = self.find(context)
        if cache is None:
            return {"CANCELLED"}
        if not playback.folder_of(cache).files(self.kind):
            self.report({"ERROR"}, f"the cache has no files for this: switch on "
                                   f"{self.kind.capitalize()}, and bake")
            return {"CANCELLED"}
        playback.ADD[self.kind](context.scene, cache)
        playback.refresh(context.scene)
        return {"FINISHED"}


class FIRN_OT_load_bodies(CacheOperator, bpy.types.Operator):
    """Key the motion of colliders that the snow moved"""
    bl_idname, bl_label, bl_options = "firn.load_bodies", "Load Bodies", {"REGISTER", "UNDO"}

    def execute(self, context):
        cache = self.find(context)
        if cache is None:
            return {"CANCELLED"}
        jobs.load_bodies(context.scene, cache)
        return {"FINISHED"}


class FIRN_OT_render(CacheOperator, bpy.types.Operator):
    """Render frames of the cache with firn's path tracer, with this camera and sun"""
    bl_idname, bl_label = "firn.render", "Render with firn"
    frame_start: IntProperty(name="Start", description="First frame of Blender")
    frame_end: IntProperty(name="End", default=-1,
                           description="Last frame; before the first one: all of the cache")

    def execute(self, context):
        cache = self.find(context)
        if cache is None:
            return {"CANCELLED"}
        if self.is_busy(cache):
            return {"CANCELLED"}
        some = self.frame_end >= self.frame_start
        first = self.frame_start - cache.play_start if some else 0
        last = self.frame_end - cache.play_start if some else 10**9
        try:
            path = program.find(preferences.program_path())
            bake, warnings = pictures.start(context, cache, path, first, last)
        except ObjectError as error:
            return self.fail(cache, str(error), error.name)
        except (program.ProgramError, pictures.PictureError) as error:
            return self.fail(cache, str(error))
        show_warnings(warnings)
        return self.launch(context, cache, bake)


class FIRN_OT_load_pictures(CacheOperator, bpy.types.Operator):
    """Load firn's pictures as an image sequence, behind the view of the camera"""
    bl_idname, bl_label, bl_options = "firn.load_pictures", "Load Pictures", {"REGISTER", "UNDO"}

    def execute(self, context):
        cache = self.find(context)
        if cache is None:
            return {"CANCELLED"}
        if pictures.load(context.scene, cache) is None:
            self.report({"ERROR"}, "there are no pictures: render first")
            return {"CANCELLED"}
        return {"FINISHED"}


CLASSES = (FIRN_OT_load, FIRN_OT_load_bodies, FIRN_OT_render, FIRN_OT_load_pictures)
