// SPDX-License-Identifier: MIT
// The scene's camera at a time: where the keys of `render.camera` say, or always the same.
#pragma once
#include "render/camera.h"
#include "scene/data/scene.h"

// Between two keys eye, look_at and fov follow smooth curves that meet every key exactly; before
// the first key and after the last the camera rests, and it starts and stops without a jerk. The
// angle of view never leaves the range of the two keys next to it.
firn_camera firn_camera_of_scene(const firn_render_block* render, double time);
// The same as a key: in double, before a picture's size comes in.
firn_camera_key firn_camera_key_at(const firn_render_block* render, double time);
