# SPDX-License-Identifier: MIT
"""Operators: mark, check, bake, resume, stop. With a window, commands run in the background; in
`blender -b`, or with wait=True, an operator returns when its commands have ended."""
import os
import shutil

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty

from ..core import bake as baking
from ..core import program
from ..play import playback
from ..scene.evaluate import ObjectError
from ..scene.write import frame_range, write
from . import jobs, preferences, properties


class CacheOperator:
    """An operator on a cache: the one called `cache`, or the active one."""
    cache: StringProperty(name="Cache", description="Name of the cache; empty: the active one")
    wait: BoolProperty(name="Wait", options={"SKIP_SAVE"},
                       description="Return when it has ended; the default without a window")

    def find(self, context):
        found = properties.cache_of(context.scene, self.cache)
        if found is None:
            self.report({"ERROR"}, f"there is no cache called '{self.cache}'" if self.cache else
                        "there is no cache: add one in the panel, or with bpy.ops.firn.cache_add()")
        return found

    def fail(self, cache, text, name=""):
        """Show an error at the object that it is about."""
        obj = bpy.data.objects.get(name) if name else None
        item = (obj.firn if obj else cache).messages.add()
        item.severity, item.text = "error", text
        cache.state, cache.status = "failed", f"{name}: {text}" if name else text
        self.report({"ERROR"}, cache.status)
        return {"CANCELLED"}

    def is_busy(self, cache):
        """Reports that a command of this cache runs; its state stays as it is."""
        if jobs.is_running(cache):
            self.report({"ERROR"}, f"{cache.name}: it is running: stop it first")
            return True
        return False

    def waits(self):
        return self.wait if self.properties.is_property_set("wait") else bpy.app.background

    def launch(self, context, cache, bake):
        """Start, or run to the end."""
        jobs.add(cache, bake)
        if not self.waits():
            return {"FINISHED"}
        state = jobs.wait(cache, lambda line: print(f"firn: {cache.name}: {line}", flush=True))
        if state == "failed":
            self.report({"ERROR"}, cache.status)
            return {"CANCELLED"}
        return {"FINISHED"}


def clear_messages(scene, cache):
    cache.messages.clear()
    for obj in scene.objects:
        obj.firn.messages.clear()


def prepare(operator, context, cache):
    """Write the scene of a cache; what `scene.write.write` returns, or None after an error."""
    if operator.is_busy(cache):
        return None
    clear_messages(context.scene, cache)
    manager = context.window_manager
    manager.progress_begin(0, 1)
    try:
        with playback.paused():
            return write(context, cache, manager.progress_update)
    except ObjectError as error:
        operator.fail(cache, str(error), error.name)
    except OSError as error:
        operator.fail(cache, f"'{error.filename}' cannot be written: {error.strerror}")
    finally:
        manager.progress_end()
    return None


def start_bake(steps, written):
    """Without a window, Ctrl-C in the terminal interrupts firn as well, which saves its state."""
    return baking.Bake(steps, written.folder.path, written.owners,
                       detached=not bpy.app.background)


def show_warnings(warnings):
    for name, text in warnings:
        item = bpy.data.objects[name].firn.messages.add()
        item.severity, item.text = "warning", text


class FIRN_OT_mark(bpy.types.Operator):
    """Make the selected objects snow, colliders or emitters"""
    bl_idname, bl_label, bl_options = "firn.mark", "Mark", {"REGISTER", "UNDO"}
    role: EnumProperty(name="Role", items=properties.ROLES)

    def execute(self, context):
        count = 0
        for obj in context.selected_objects:
            if obj.type in {"MESH", "CURVE", "SURFACE", "META", "FONT"}:
                obj.firn.role = self.role
                count += 1
        if count == 0:
            self.report({"WARNING"}, "no object with a surface is selected")
            return {"CANCELLED"}
        return {"FINISHED"}


class FIRN_OT_cache_add(bpy.types.Operator):
    """Add a cache: a simulation with its own settings and files"""
    bl_idname, bl_label, bl_options = "firn.cache_add", "Add Cache", {"REGISTER", "UNDO"}
    name: StringProperty(name="Name", default="snow")

    def execute(self, context):
        properties.add_cache(context.scene, self.name)
        return {"FINISHED"}


class FIRN_OT_cache_remove(bpy.types.Operator):
    """Remove the cache from the file; its files stay on disk"""
    bl_idname, bl_label, bl_options = "firn.cache_remove", "Remove Cache", {"REGISTER", "UNDO"}

    def execute(self, context):
        settings = context.scene.firn
        cache = properties.cache_of(context.scene)
        if cache is None:
            return {"CANCELLED"}
        if jobs.is_running(cache):
            self.report({"ERROR"}, "it is running: stop it first")
            return {"CANCELLED"}
        settings.caches.remove(settings.active)
        settings.active = max(0, settings.active - 1)
        return {"FINISHED"}


class FIRN_OT_check(CacheOperator, bpy.types.Operator):
    """Write the scene; find mistakes, estimate particles, memory and time"""
    bl_idname, bl_label = "firn.check", "Check"

    def execute(self, context):
        cache = self.find(context)
        written = prepare(self, context, cache) if cache else None
        if written is None:
            return {"CANCELLED"}
        try:
            path = program.find(preferences.program_path())
        except program.ProgramError as error:
            return self.fail(cache, str(error))
        check = baking.check_step(path, written.folder.scene,
                                  {"threads": cache.threads, "memory": cache.memory})
        show_warnings(written.warnings)
        return self.launch(context, cache, start_bake([check], written))


class FIRN_OT_bake(CacheOperator, bpy.types.Operator):
    """Simulate: write the scene, check it, compute all frames"""
    bl_idname, bl_label = "firn.bake", "Bake"
    resume: BoolProperty(name="Resume", options={"SKIP_SAVE"},
                         description="Continue a bake that was stopped, with the same result as an "
                                     "uninterrupted one")

    def invoke(self, context, event):
        cache = properties.cache_of(context.scene, self.cache)
        if cache is not None and not self.resume and playback.folder_of(cache).has_run():
            return context.window_manager.invoke_confirm(self, event)
        return self.execute(context)

    def execute(self, context):
        cache = self.find(context)
        written = prepare(self, context, cache) if cache else None
        if written is None:
            return {"CANCELLED"}
        try:
            path = program.find(preferences.program_path())
        except program.ProgramError as error:
            return self.fail(cache, str(error))
        cache.play_start = frame_range(context.scene, cache)[0]
        folder = written.folder
        steps = baking.bake_steps(path, {"scene": folder.scene, "run": folder.run}, {
            "backend": cache.backend, "threads": cache.threads, "memory": cache.memory,
            "resume": self.resume, "overwrite": not self.resume and folder.has_run(),
            "mesh": cache.mesh})
        show_warnings(written.warnings)
        if not self.resume:  # exports are not part of the run that --overwrite removes
            shutil.rmtree(os.path.join(folder.run, "mesh"), ignore_errors=True)
        return self.launch(context, cache, start_bake(steps, written))


class FIRN_OT_cancel(CacheOperator, bpy.types.Operator):
    """Stop after the present step and save the state; Resume continues"""
    bl_idname, bl_label = "firn.cancel", "Stop"

    def execute(self, context):
        cache = self.find(context)
        if cache is None or not jobs.is_running(cache):
            return {"CANCELLED"}
        jobs.running[cache.key].cancel()
        if self.waits():
            jobs.wait(cache, lambda line: None)
        return {"FINISHED"}


class FIRN_OT_open_log(CacheOperator, bpy.types.Operator):
    """Open what firn reported as a text"""
    bl_idname, bl_label = "firn.open_log", "Log"

    def execute(self, context):
        cache = self.find(context)
        if cache is None:
            return {"CANCELLED"}
        try:
            with open(playback.folder_of(cache).log, encoding="utf-8", errors="replace") as file:
                log = file.read()
        except OSError:
            self.report({"WARNING"}, "there is no log yet")
            return {"CANCELLED"}
        name = f"{cache.name}.log"
        text = bpy.data.texts.get(name) or bpy.data.texts.new(name)
        text.clear()
        text.write(log)
        self.report({"INFO"}, f"the text '{name}' in the text editor has it")
        return {"FINISHED"}


CLASSES = (FIRN_OT_mark, FIRN_OT_cache_add, FIRN_OT_cache_remove, FIRN_OT_check, FIRN_OT_bake,
           FIRN_OT_cancel, FIRN_OT_open_log)
