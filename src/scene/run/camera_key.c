// SPDX-License-Identifier: MIT
// Camera interpolation: one cubic Hermite curve per segment, as for colliders
// (geometry/motion/keyframes.h).
//
// The tangent at an inner key is the mean of the slopes of the two adjacent segments, each weighted
// with the length of the other (Catmull-Rom for non-uniform times); at the first and the last key
// it is 0, because the camera rests outside. Tangents of the field of view are limited so that the
// curve is monotone between two keys (Fritsch and Carlson 1980: at most three times the slope of
// either segment, 0 where their signs differ): an overshoot could reach 180 degrees.
#include "scene/run/camera_key.h"

#include <math.h>

enum { EYE = 0, LOOK_AT = 3, FOV = 6, VALUES = 7 };

static double value_of(const firn_camera_key* key, int v)
{
    return v < LOOK_AT ? key->eye[v - EYE] : v < FOV ? key->look_at[v - LOOK_AT] : key->fov_deg;
}

static double slope_of(const firn_camera_key* key, int v)
{
    return (value_of(key + 1, v) - value_of(key, v)) / (key[1].time - key[0].time);
}

static double rate_at(const firn_render_block* r, int k, int v)
{
    if (k == 0 || k == r->camera_key_count - 1) return 0;
    const firn_camera_key* key = &r->camera_keys[k];
    const double before = key[0].time - key[-1].time, after = key[1].time - key[0].time;
    const double a = slope_of(key - 1, v), b = slope_of(key, v);
    const double rate = (after * a + before * b) / (before + after);
    if (v != FOV) return rate;
    if (!(a * b > 0)) return 0;
    return copysign(fmin(fabs(rate), 3 * fmin(fabs(a), fabs(b))), rate);
}

// Index of the last key at or before `time`; `time` lies within the range of the keys.
static int find_segment(const firn_render_block* r, double time)
{
    int low = 0, high = r->camera_key_count - 1;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (r->camera_keys[middle].time <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// ---- the camera of a file -----------------------------------------------------------------------

// The track has a pose every few milliseconds: linear in between.
static firn_camera_key track_at(const firn_camera_key* track, int32_t count, double time)
{
    const double first = track[0].time, last = track[count - 1].time;
    if (!(time > first)) return track[0];
    if (!(time < last)) return track[count - 1];
    const double at = (time - first) / (last - first) * (count - 1);
    const int32_t k = at < count - 2 ? (int32_t)at : count - 2;
    const double s = at - k;
    const firn_camera_key *a = &track[k], *b = a + 1;
    firn_camera_key key = {.time = time, .fov_deg = a->fov_deg};
    for (int i = 0; i < 3; i++) {
        key.eye[i] = (1 - s) * a->eye[i] + s * b->eye[i];
        key.look_at[i] = (1 - s) * a->look_at[i] + s * b->look_at[i];
        key.up[i] = (1 - s) * a->up[i] + s * b->up[i];
    }
    return key;
}

// -------------------------------------------------------------------------------------------------

firn_camera_key firn_camera_key_at(const firn_render_block* r, double time)
{
    if (r->camera_track_count > 0) return track_at(r->camera_track, r->camera_track_count, time);
    const int count = r->camera_key_count;
    if (count < 1) {
        firn_camera_key still = {.time = time, .fov_deg = r->fov_deg};
        for (int i = 0; i < 3; i++) still.eye[i] = r->eye[i], still.look_at[i] = r->look_at[i];
        return still;
    }
    const firn_camera_key *first = &r->camera_keys[0], *last = &r->camera_keys[count - 1];
    if (!(time > first->time)) return *first;
    if (!(time < last->time)) return *last;
    const int k = find_segment(r, time);
    const firn_camera_key* key = &r->camera_keys[k];
    const double T = key[1].time - key[0].time, s = (time - key[0].time) / T;
    // cubic Hermite basis: of the difference, and of the tangents at both ends
    const double h = s * s * (3 - 2 * s), h0 = s * (1 - s) * (1 - s) * T, h1 = s * s * (s - 1) * T;
    double value[VALUES];
    for (int v = 0; v < VALUES; v++) {
        const double from = value_of(key, v), step = value_of(key + 1, v) - from;
        value[v] = from + h * step + h0 * rate_at(r, k, v) + h1 * rate_at(r, k + 1, v);
    }
    return (firn_camera_key){.time = time,
                             .eye = {value[EYE], value[EYE + 1], value[EYE + 2]},
                             .look_at = {value[LOOK_AT], value[LOOK_AT + 1], value[LOOK_AT + 2]},
                             .fov_deg = value[FOV]};
}
