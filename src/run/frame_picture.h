// SPDX-License-Identifier: MIT
// The preview picture of a frame, of a run on disk or of a simulation in memory.
#pragma once
#include "output/frame/frame.h"
#include "render/image/image.h"
#include "sim/sim.h"

// Draws a frame with the colliders of `scene` at the poses that the frame has for them. Its arrays
// are borrowed; those that are null are not needed. The caller destroys the image.
firn_result firn_frame_picture(const firn_frame* frame, const firn_scene_data* scene,
                               firn_image* out_image, firn_error* error);
// The same in `width` x `height` pixels, copied to pixels[height][width][3].
firn_result firn_frame_pixels(const firn_frame* frame, const firn_scene_data* scene, int width,
                              int height, uint8_t* pixels, firn_error* error);
// A frame with all fields that the simulation has; arrays are those of the simulation. `density`:
// [count], may be null.
firn_frame firn_frame_borrow(const firn_sim* sim, firn_real* density);
