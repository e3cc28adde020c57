// SPDX-License-Identifier: MIT
// Orbit camera: looks at a target from a distance, y is up. The pitch stops short of +-90 degrees,
// where left and right would flip.
#pragma once
#include <stdbool.h>

#include "viewer/draw/draw.h"
#include "viewer/vec.h"

#define VIEW_PI 3.14159265358979323846
#define VIEW_PITCH_MAX 1.5533  // [rad], 89 degrees

typedef struct view_orbit {
    view_vec target;    // [m]
    double yaw, pitch;  // [rad] direction of the eye from the target; yaw 0: +z; pitch > 0: above
    double distance;    // [m]
    double fov;         // [degrees], vertical
} view_orbit;

static inline double view_clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static inline view_orbit view_orbit_from(const double eye[3], const double look_at[3], double fov)
{
    const view_vec target = {look_at[0], look_at[1], look_at[2]};
    const view_vec d = view_vec_sub((view_vec){eye[0], eye[1], eye[2]}, target);
    const double distance = view_vec_length(d);
    view_orbit orbit = {.target = target, .pitch = 0.3, .distance = 1, .fov = fov};
    if (!(distance > 0)) return orbit;
    orbit.distance = distance;
    orbit.yaw = atan2(d.x, d.z);
    orbit.pitch =
        view_clamp(asin(view_clamp(d.y / distance, -1, 1)), -VIEW_PITCH_MAX, VIEW_PITCH_MAX);
    return orbit;
}

// Unit vector from the target to the eye.
static inline view_vec view_orbit_back(const view_orbit* orbit)
{
    const double c = cos(orbit->pitch);
    return (view_vec){c * sin(orbit->yaw), sin(orbit->pitch), c * cos(orbit->yaw)};
}

static inline view_vec view_orbit_right(const view_orbit* orbit)
{
    return (view_vec){cos(orbit->yaw), 0, -sin(orbit->yaw)};
}

static inline view_vec view_orbit_up(const view_orbit* orbit)
{
    return view_vec_cross(view_orbit_back(orbit), view_orbit_right(orbit));
}

static inline view_vec view_orbit_eye(const view_orbit* orbit)
{
    return view_vec_add(orbit->target, view_vec_scale(view_orbit_back(orbit), orbit->distance));
}

static inline view_camera view_orbit_camera(const view_orbit* orbit)
{
    const view_vec eye = view_orbit_eye(orbit), at = orbit->target;
    return (view_camera){.eye = {(float)eye.x, (float)eye.y, (float)eye.z},
                         .look_at = {(float)at.x, (float)at.y, (float)at.z},
                         .fov = (float)orbit->fov};
}

// Rotates by a drag of (dx, dy) pixels; the picture's height corresponds to 180 degrees.
static inline void view_orbit_turn(view_orbit* orbit, double dx, double dy, int height)
{
    orbit->yaw = remainder(orbit->yaw - VIEW_PI * dx / height, 2 * VIEW_PI);
    orbit->pitch =
        view_clamp(orbit->pitch + VIEW_PI * dy / height, -VIEW_PITCH_MAX, VIEW_PITCH_MAX);
}

// Pans so that the target stays under the mouse.
static inline void view_orbit_pan(view_orbit* orbit, double dx, double dy, int height)
{
    const double metres = 2 * orbit->distance * tan(orbit->fov * VIEW_PI / 360) / height;
    const view_vec side = view_vec_scale(view_orbit_right(orbit), -dx * metres);
    const view_vec up = view_vec_scale(view_orbit_up(orbit), dy * metres);
    orbit->target = view_vec_add(orbit->target, view_vec_add(side, up));
}

// Each notch of the wheel reduces the distance by 1/8; < 0: increases it.
static inline void view_orbit_zoom(view_orbit* orbit, double notches)
{
    orbit->distance = view_clamp(orbit->distance * pow(0.875, notches), 1e-3, 1e5);
}

// Fits the box into the picture, keeping the viewing direction.
static inline void view_orbit_fit(view_orbit* orbit, const double low[3], const double high[3],
                                  double aspect)
{
    const view_vec a = {low[0], low[1], low[2]}, b = {high[0], high[1], high[2]};
    const double radius = 0.5 * view_vec_length(view_vec_sub(b, a));
    const double half = orbit->fov * VIEW_PI / 360;
    const double narrow = aspect < 1 ? atan(tan(half) * aspect) : half;
    orbit->target = view_vec_scale(view_vec_add(a, b), 0.5);
    orbit->distance = view_clamp(radius / sin(narrow), 1e-3, 1e5);
}

// Ray through pixel (x, y), from the top left corner.
static inline view_ray view_orbit_ray(const view_orbit* orbit, double x, double y, int width,
                                      int height)
{
    const double half = tan(orbit->fov * VIEW_PI / 360);
    const double right = (2 * (x + 0.5) / width - 1) * half * width / height;
    const double up = (1 - 2 * (y + 0.5) / height) * half;
    view_vec along = view_vec_scale(view_orbit_back(orbit), -1);
    along = view_vec_add(along, view_vec_scale(view_orbit_right(orbit), right));
    along = view_vec_add(along, view_vec_scale(view_orbit_up(orbit), up));
    return (view_ray){view_orbit_eye(orbit), view_vec_unit(along)};
}

// Pixel of a point, and its distance along the view axis [m]; false: behind the eye.
static inline bool view_orbit_project(const view_orbit* orbit, view_vec at, int width, int height,
                                      double* out_x, double* out_y, double* out_depth)
{
    const view_vec d = view_vec_sub(at, view_orbit_eye(orbit));
    const double depth = -view_vec_dot(d, view_orbit_back(orbit));
    if (!(depth > 1e-9)) return false;
    const double pixels = 0.5 * height / (tan(orbit->fov * VIEW_PI / 360) * depth);
    *out_x = 0.5 * width + pixels * view_vec_dot(d, view_orbit_right(orbit)) - 0.5;
    *out_y = 0.5 * height - pixels * view_vec_dot(d, view_orbit_up(orbit)) - 0.5;
    *out_depth = depth;
    return true;
}
