# SPDX-License-Identifier: MIT
"""Panels in the sidebar of the 3D view, tab firn."""
import textwrap

import bpy

from . import choices, jobs
from .properties import cache_of

ICONS = {"error": "ERROR", "warning": "INFO"}


class FirnPanel:
    bl_space_type, bl_region_type, bl_category = "VIEW_3D", "UI", "firn"


def draw_messages(layout, owner, width):
    for message in owner.messages:
        box = layout.box().column(align=True)
        box.alert = message.severity == "error"
        for k, line in enumerate(textwrap.wrap(message.text, width)):
            box.label(text=line, icon=ICONS.get(message.severity, "INFO") if k == 0 else "BLANK1")


def columns(context):
    """Characters that fit into the width of the sidebar."""
    return max(16, int(context.region.width / (8 * context.preferences.view.ui_scale)) - 7)


def bytes_text(count):
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} TB"


class FIRN_PT_object(FirnPanel, bpy.types.Panel):
    bl_label = "Object"

    def draw(self, context):
        layout, obj = self.layout, context.object
        layout.use_property_split, layout.use_property_decorate = True, False
        if obj is None or obj.type not in {"MESH", "CURVE", "SURFACE", "META", "FONT"}:
            layout.label(text="Select an object with a surface", icon="INFO")
            return
        settings = obj.firn
        layout.label(text=obj.name, icon="OBJECT_DATA")
        row = layout.row(align=True)
        row.use_property_split = False
        row.prop(settings, "role", expand=True)
        draw_messages(layout, settings, columns(context))
        if settings.role == "NONE":
            return
        column = layout.column()
        column.prop(settings, "shape")
        if settings.shape == "MESH":
            column.prop(settings, "thickness")
            column.prop(settings, "voxel")
            column.prop(settings, "repair")
        if settings.role == "COLLIDER":
            self.collider(layout, settings)
        else:
            self.snow(context, layout, settings)

    def collider(self, layout, settings):
        column = layout.column()
        column.prop(settings, "dynamic")
        if settings.dynamic:
            column.prop(settings, "mass")
            column.prop(settings, "velocity")
        else:
            column.prop(settings, "motion")
        column = layout.column()
        column.prop(settings, "friction")
        column.prop(settings, "sticky")

    def snow(self, context, layout, settings):
        column = layout.column()
        column.prop(settings, "preset")
        preset = choices.presets().get(settings.preset)
        if preset:
            for line in textwrap.wrap(preset["help"], columns(context)):
                column.label(text=line)
            column.label(text=f"{preset['density']:.4g} kg/m³, Young {preset['young']:.3g} Pa")
        column.prop(settings, "density")
        column = layout.column()
        column.prop(settings, "velocity")
        if settings.role == "SNOW":
            column.prop(settings, "spin")
            column.prop(settings, "noise_amount")
            if settings.noise_amount > 0:
                column.prop(settings, "noise_scale")
            return
        for name in ("rate", "spread", "size", "start", "use_stop"):
            column.prop(settings, name)
        if settings.use_stop:
            column.prop(settings, "stop")
        column.prop(settings, "seed")


class FIRN_UL_caches(bpy.types.UIList):
    def draw_item(self, context, layout, data, item, icon, active_data, active_property):
        layout.prop(item, "name", text="", emboss=False, icon="FREEZE")
        layout.label(text=f"{item.progress:.0f} %" if item.state == "running" else item.state)


class FIRN_PT_cache(FirnPanel, bpy.types.Panel):
    bl_label = "Simulation"

    def draw(self, context):
        layout, settings = self.layout, context.scene.firn
        row = layout.row()
        row.template_list("FIRN_UL_caches", "", settings, "caches", settings, "active", rows=2)
        buttons = row.column(align=True)
        buttons.operator("firn.cache_add", text="", icon="ADD")
        buttons.operator("firn.cache_remove", text="", icon="REMOVE")
        cache = cache_of(context.scene)
        if cache is None:
            return
        layout.use_property_split, layout.use_property_decorate = True, False
        column = layout.column()
        for name in ("folder", "collection", "solver", "backend", "spacing", "use_scene_range"):
            column.prop(cache, name)
        if not cache.use_scene_range:
            column.prop(cache, "frame_start")
            column.prop(cache, "frame_end")
        self.estimate(layout, cache)
        self.run(layout, cache)
        if cache.status and not any(m.text in cache.status for m in cache.messages):
            for line in textwrap.wrap(cache.status, columns(context)):
                layout.label(text=line)
        draw_messages(layout, cache, columns(context))

    def estimate(self, layout, cache):
        layout.operator("firn.check", icon="VIEWZOOM")
        if cache.particles > 0:
            box = layout.box().column(align=True)
            box.label(text=f"{cache.particles:,.0f} particles")
            box.label(text=f"{bytes_text(cache.memory_bytes)} of memory")
            box.label(text=f"{bytes_text(cache.disk_bytes)} on disk")
            box.label(text=f"about {jobs.time_text(cache.seconds)}")

    def run(self, layout, cache):
        if jobs.is_running(cache):
            layout.prop(cache, "progress", slider=True)
            layout.operator("firn.cancel", icon="X")
        else:
            row = layout.row(align=True)
            row.operator("firn.bake", icon="FREEZE")
            row.operator("firn.bake", text="Resume", icon="PLAY").resume = True
        layout.operator("firn.open_log", icon="TEXT")


class FIRN_PT_output(FirnPanel, bpy.types.Panel):
    bl_label, bl_parent_id, bl_options = "Output", "FIRN_PT_cache", {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context):
        return cache_of(context.scene) is not None

    def draw(self, context):
        layout, cache = self.layout, cache_of(context.scene)
        layout.use_property_split, layout.use_property_decorate = True, False
        for name in ("points", "fields", "mesh", "volume", "voxel", "checkpoint_every", "threads",
                     "memory", "powder", "air"):
            layout.prop(cache, name)
        if cache.air:
            layout.prop(cache, "wind")
            layout.prop(cache, "gusts")


class FIRN_PT_playback(FirnPanel, bpy.types.Panel):
    bl_label, bl_parent_id = "Playback", "FIRN_PT_cache"

    @classmethod
    def poll(cls, context):
        return cache_of(context.scene) is not None

    def draw(self, context):
        layout, cache = self.layout, cache_of(context.scene)
        layout.use_property_split, layout.use_property_decorate = True, False
        layout.prop(cache, "play_start")
        row = layout.row(align=True)
        for kind in ("points", "mesh", "volume"):
            row.operator("firn.load", text=kind.capitalize()).kind = kind
        layout.operator("firn.load_bodies")
        column = layout.column()
        column.label(text="Pictures by firn", icon="RENDER_RESULT")
        column.prop(cache, "samples")
        row = column.row(align=True)
        one = row.operator("firn.render", text="Frame")
        one.frame_start = one.frame_end = context.scene.frame_current
        row.operator("firn.render", text="All Frames")
        column.operator("firn.load_pictures")


CLASSES = (FIRN_UL_caches, FIRN_PT_object, FIRN_PT_cache, FIRN_PT_output, FIRN_PT_playback)
