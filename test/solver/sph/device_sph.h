// SPDX-License-Identifier: MIT
// The scene of sph on the host and on a CUDA device (device/device_way.h).
#pragma once
#include <math.h>

#include "core/simd/simd.h"

// A ball falls on a slab in a corner, and a box ploughs through it: contact with one collider and
// with several, on resting and moving ones; packed, torn and loose snow.
static const char device_scene[] =
    "firn: 1\n"
    "solver: sph\n"
    "time: {frames: 4, fps: 50}\n"
    "sph: {spacing: 0.05}\n"
    "materials:\n"
    "  fresh: {density: 300}\n"
    "  icy: {density: 600, young: 1e6}\n"
    "snow:\n"
    "  - shape: {box: {center: [0, 0.21, 0], size: [1.2, 0.4, 1]}}\n"
    "    material: fresh\n"
    "  - shape: {sphere: {center: [-0.2, 0.75, 0.1], radius: 0.25}}\n"
    "    material: icy\n"
    "    velocity: [0.5, -3, 0.2]\n"
    "colliders:\n"
    "  - shape: {plane: {}}\n"
    "    friction: 0.5\n"
    "  - shape: {box: {center: [-1, 0.3, 0], size: [0.8, 0.5, 1.4], rounding: 0.05}}\n"
    "    velocity: [2, 0, 0]\n"
    "    spin: [0, 1, 0]\n"
    "    adhesion: 5\n"
    "  - shape: {difference: [{box: {center: [0.5, 0.1, 0.3], size: [0.5, 0.2, 0.5]}}, "
    "{sphere: {center: [0.5, 0.2, 0.3], radius: 0.15}}]}\n"
    "    sticky: true\n"
    "output: {preview: false, film: false}\n";

#define DEVICE_FRAMES 4
#define DEVICE_SIMD NULL
#include "device/device_way.h"

// False: there is no device, or the host has no fused multiply-add; said why.
static inline bool device_open_sph(void)
{
    if (!firn_simd_has(3)) {
        print_message("skipped: the CPU has no fused multiply-add, and rounds otherwise\n");
        return false;
    }
    return device_open();
}
