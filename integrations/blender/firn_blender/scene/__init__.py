# SPDX-License-Identifier: MIT
"""From objects of Blender to a scene of firn."""
