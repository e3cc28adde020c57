// SPDX-License-Identifier: MIT
// Picking: the collider under the mouse.
#pragma once
#include "viewer/session.h"

// The nearest collider hit by the ray for which `may_hold` is true, or -1; `out_point`: hit [m].
typedef bool (*view_pick_fn)(const view_session* s, int collider, const firn_body_info* info);
int view_pick(const view_session* s, const view_ray* ray, view_pick_fn may_hold,
              view_vec* out_point);
// Index of the particle that the ray hits first; -1: none, or a collider is in front.
int64_t view_pick_particle(const view_session* s, const view_ray* ray);
// Intersects a ray with a plane; false: no intersection in front of the eye.
bool view_ray_plane(const view_ray* ray, view_vec point, view_vec normal, view_vec* out_point);
