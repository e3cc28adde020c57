// SPDX-License-Identifier: MIT
// The scene's camera at a given time, for a picture of the scene's size.
#pragma once
#include "render/camera.h"
#include "scene/data/render_block.h"

firn_camera firn_camera_of_scene(const firn_render_block* render, double time);
