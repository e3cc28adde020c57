# SPDX-License-Identifier: MIT
"""Commands of firn that run while Blender is used: a timer asks them how far they are."""
import atexit
import traceback

import bpy
from bpy.app.handlers import persistent

from ..core import body_poses
from ..play import bodies, pictures, playback
from . import properties

INTERVAL = 0.25  # [s]
running = {}     # key of a cache: core.bake.Bake


def cache_with(key):
    """(scene, cache) of a key; (None, None) once it has been removed."""
    for scene in bpy.data.scenes:
        for cache in scene.firn.caches:
            if cache.key == key:
                return scene, cache
    return None, None


def is_running(cache):
    return cache.key in running


def add(cache, bake):
    running[cache.key] = bake
    cache.state, cache.status, cache.progress = "running", "starting", 0
    cache.messages.clear()
    if not bpy.app.background and not bpy.app.timers.is_registered(tick):
        bpy.app.timers.register(tick, first_interval=INTERVAL, persistent=True)


def time_text(seconds):
    minutes, seconds = divmod(int(seconds + 0.5), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {seconds} s" if minutes \
        else f"{seconds} s"


def describe(bake):
    if bake.cancelled:
        return "stopping: the present step is finished first"
    if bake.step == "check":
        return "checking the scene"
    if bake.step == "mesh":
        return "writing surfaces"
    if bake.frame < 0:
        return "preparing"
    what = "picture" if bake.step == "render" else "frame"
    left = f", {time_text(bake.seconds_left)} left" if bake.seconds_left else ""
    return f"{what} {bake.frame} of {bake.frame_end}{left}"


def take_estimate(cache, answer):
    for key in ("particles", "memory_bytes", "disk_bytes", "seconds"):
        setattr(cache, key, answer.get(key) or 0)


def place_messages(cache, found):
    """Each message at the object that it is about; the others at the cache. Returns these."""
    by_owner = {}
    for message in found:
        obj = bpy.data.objects.get(message.owner) if message.owner else None
        by_owner.setdefault(obj, []).append(message)
    for obj, messages in by_owner.items():
        properties.set_messages(cache if obj is None else obj.firn, messages)
    return by_owner.get(None, [])


def update(scene, cache, bake):
    """What panels show of a command."""
    if bake.estimate:
        take_estimate(cache, bake.estimate)
    if bake.frame_end > 0 and bake.frame >= 0:
        cache.progress = 100 * bake.frame / bake.frame_end
    cache.status = describe(bake)
    if bake.step == "run" and bake.frame >= 0:
        if cache.points and cache.points_object is None:
            playback.add_points(scene, cache)
        playback.refresh(scene)


def load_bodies(scene, cache):
    """Key the motion of dynamic colliders; what cannot be shown becomes a message."""
    try:
        for name, text in bodies.load(scene, cache):
            item = bpy.data.objects[name].firn.messages.add()
            item.severity, item.text = "warning", text
    except (OSError, body_poses.FrameError) as error:
        item = cache.messages.add()
        item.severity, item.text = "warning", str(error)


def finish(scene, cache, bake, step):
    """After the last command."""
    place_messages(cache, bake.messages)
    cache.state = bake.state
    errors = [m for m in bake.messages if m.severity == "error"]
    if bake.state == "interrupted":
        cache.status = "stopped" + (": Resume continues it" if step in ("run", "mesh") else "")
    elif bake.state == "failed":
        where = f"{errors[0].owner}: " if errors and errors[0].owner else ""
        cache.status = where + errors[0].text if errors else "failed"
    else:
        cache.status = "done"
        cache.progress = 100
    if step in ("run", "mesh") and bake.state != "failed":
        for kind in ("points", "mesh", "volume"):
            if getattr(cache, kind):
                playback.ADD[kind](scene, cache)
        load_bodies(scene, cache)
        playback.refresh(scene)
    if step == "render" and bake.state != "failed":
        pictures.load(scene, cache)


def poll(key):
    """Move on; whether the command still runs."""
    bake = running[key]
    scene, cache = cache_with(key)
    if cache is None:
        bake.cancel()
        del running[key]
        return False
    kind = bake.steps[0].name
    going = bake.poll()
    if going:
        update(scene, cache, bake)
        return True
    del running[key]
    if bake.estimate:
        take_estimate(cache, bake.estimate)
    finish(scene, cache, bake, kind)
    return False


def redraw():
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type in {"VIEW_3D", "PROPERTIES"}:
                area.tag_redraw()


def tick():
    for key in list(running):
        try:
            poll(key)
        except Exception:  # a timer that raises is removed, and nobody would ask firn any more
            running.pop(key).cancel()
            traceback.print_exc()
    redraw()
    return INTERVAL if running else None


def wait(cache, report):
    """Until the commands of a cache have ended; `report` gets each new line of its status."""
    key, last = cache.key, ""
    while poll(key):
        if cache.status != last:
            last = cache.status
            report(last)
        running[key].process.wait(0.1)
    return cache.state


def cancel_all():
    """Interrupted as by Ctrl-C: what runs saves its state, and can be resumed."""
    for bake in running.values():
        bake.cancel()


@persistent
def on_load(*_):
    """A file that was saved during a bake does not say any more that it runs."""
    for scene in bpy.data.scenes:
        for cache in scene.firn.caches:
            if cache.state == "running" and not is_running(cache):
                cache.state, cache.status = "interrupted", "stopped: Resume continues it"


def register():
    bpy.app.handlers.load_post.append(on_load)
    atexit.register(cancel_all)


def unregister():
    bpy.app.handlers.load_post.remove(on_load)
    cancel_all()
    running.clear()
    if bpy.app.timers.is_registered(tick):
        bpy.app.timers.unregister(tick)
    atexit.unregister(cancel_all)
