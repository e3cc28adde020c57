# SPDX-License-Identifier: MIT
"""From the files of a run to objects of Blender."""
