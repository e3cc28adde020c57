# SPDX-License-Identifier: MIT
"""Snow for Blender: marks objects, simulates them with firn, plays the result.

core/   plain Python and numpy: scene files, processes, readers; no Blender
scene/  from Blender's objects to a scene of firn
play/   from the files of a run to objects of Blender
ui/     properties, operators, panels
"""

bl_info = {
    "name": "firn: snow",
    "description": "Simulate snow with firn: mark objects, bake, play the cache, render",
    "author": "the authors of firn",
    "version": (0, 2, 0),
    "blender": (3, 4, 0),
    "location": "3D View > Sidebar > firn",
    "doc_url": "",
    "category": "Physics",
}


def register():
    from .ui import registration
    registration.register()


def unregister():
    from .ui import registration
    registration.unregister()
