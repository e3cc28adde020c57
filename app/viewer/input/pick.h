// SPDX-License-Identifier: MIT
// Which body is under the mouse.
#pragma once
#include "viewer/session.h"

// The nearest body that `may_hold` says yes to, or -1; `out_point`: where the ray meets it [m].
typedef bool (*view_pick_fn)(const view_session* s, int body, const firn_body_info* info);
int view_pick(const view_session* s, const view_ray* ray, view_pick_fn may_hold,
              view_vec* out_point);
// Where a ray meets a plane; false: it does not, or behind the eye.
bool view_ray_meets(const view_ray* ray, view_vec point, view_vec normal, view_vec* out_point);
