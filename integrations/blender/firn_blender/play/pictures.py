# SPDX-License-Identifier: MIT
"""Pictures by `firn render`: with Blender's camera and sun, and back as an image sequence."""
import bpy

from ..core import messages, scene_text
from ..core.bake import Bake, Step
from ..scene import record, shot
from ..scene.write import folder_of, fps_of, unit_of
from .playback import paused

ARGUMENT_MAX = 120000  # [bytes] of one argument of a command line: 128 KiB on Linux


class PictureError(Exception):
    """The pictures cannot be rendered. The text says why."""


def present_shot(context, cache, frames):
    """The block `render` for the camera and the sun as they are now."""
    scene = context.scene
    camera = shot.Shot(scene, fps_of(scene), unit_of(scene))
    with paused():
        record.play(scene, [], [camera.look], cache.play_start, cache.play_start + frames,
                    context.evaluated_depsgraph_get, lambda share: None)
    return camera


def arguments(block, samples):
    out = ["--size", f"{block.pop('width')}x{block.pop('height')}", "--samples", str(samples)]
    for key, value in block.items():
        setting = f"render.{key}={scene_text.flow(value)}"
        if len(setting.encode()) > ARGUMENT_MAX:
            raise PictureError("the camera has too many key frames for one call: render fewer "
                               "frames at a time")
        out += ["--set", setting]
    return out


def start(context, cache, program, first, last):
    """The command that renders frames `first` to `last` of the cache; and warnings."""
    folder = folder_of(cache)
    frames = folder.last_frame()
    if frames < 0:
        raise PictureError("there is no frame to render: bake first")
    first, last = max(first, 0), min(last, frames)
    if last < first:
        raise PictureError(f"the cache has frames up to {frames + cache.play_start} only")
    camera = present_shot(context, cache, last)
    argv = [program, "render", folder.run, "--frames", f"{first}:{last}", "--overwrite",
            "--no-film", "--json", *arguments(camera.render_block(first, last), cache.samples)]
    if cache.threads:
        argv += ["--threads", str(cache.threads)]
    owners = messages.Owners.load(folder.owners)
    return Bake([Step("render", argv)], folder.path, owners,
                detached=not bpy.app.background), camera.warnings


def load(scene, cache):
    """The pictures as an image sequence, also behind the camera's view; None if there are none."""
    files = folder_of(cache).files("pictures")
    if not files:
        return None
    first, last = min(files), max(files)
    name = f"{cache.name} pictures"
    image = bpy.data.images.get(name)
    if image is None:
        image = bpy.data.images.load(files[first])
        image.name = name
    image.filepath = files[first]
    image.source = "SEQUENCE" if last > first else "FILE"
    camera = scene.camera
    if camera is not None and camera.type == "CAMERA":
        backgrounds = camera.data.background_images
        background = next((b for b in backgrounds if b.image == image), None)
        if background is None:
            background = backgrounds.new()
            background.image = image
        user = background.image_user
        user.frame_start = cache.play_start + first
        user.frame_duration = last - first + 1
        # The file of frame f has the number f - frame_start + 1 + offset.
        user.frame_offset = first - 1
        camera.data.show_background_images = True
    return image
