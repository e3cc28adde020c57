// SPDX-License-Identifier: MIT
// The scene's camera at a given time: interpolated between the keys of `render.camera`, that of its
// glTF file, or static.
#pragma once
#include "scene/data/render_block.h"

// Eye, look_at and fov follow smooth curves through all keys. Before the first and after the last
// key the camera rests; it starts and stops with zero velocity. The field of view stays within the
// range of the two adjacent keys.
firn_camera_key firn_camera_key_at(const firn_render_block* render, double time);
