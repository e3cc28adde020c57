# SPDX-License-Identifier: MIT
"""The part of the add-on that needs no Blender: scenes, files, processes. Python, numpy."""
