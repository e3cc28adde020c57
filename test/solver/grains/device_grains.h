// SPDX-License-Identifier: MIT
// The scene of grains on the host and on a CUDA device (device/device_way.h).
#pragma once

// A ball of fresh snow and one of ice fall on a slab; a box pushes them aside; all of it melts and
// freezes again while it happens.
static const char device_scene[] =
    "firn: 1\n"
    "solver: grains\n"
    "time: {frames: 6, fps: 50}\n"
    "grains: {radius: 0.05, heat_speed: 5000}\n"
    "materials:\n"
    "  fresh: {density: 100}\n"
    "  icy: {density: 800}\n"
    "snow:\n"
    "  - shape: {box: {center: [0, 0.21, 0], size: [1.2, 0.4, 1]}}\n"
    "    material: fresh\n"
    "    temperature: -1\n"
    "  - shape: {sphere: {center: [-0.2, 0.7, 0.1], radius: 0.25}}\n"
    "    material: fresh\n"
    "    temperature: -0.01\n"
    "    velocity: [0.5, -3, 0.2]\n"
    "  - shape: {sphere: {center: [0.35, 0.65, 0], radius: 0.2}}\n"
    "    material: icy\n"
    "    temperature: -2\n"
    "    velocity: [0, -2, 0]\n"
    "air:\n"
    "  drag: false\n"
    "  temperature_keys: [{time: 0, temperature: 3000}, {time: 0.06, temperature: 5000}, "
    "{time: 0.06, temperature: -270}]\n"
    "colliders:\n"
    "  - shape: {plane: {}}\n"
    "    friction: 0.5\n"
    "    temperature_of_air: true\n"
    "  - shape: {box: {center: [-1, 0.3, 0], size: [0.4, 0.5, 1.4], rounding: 0.05}}\n"
    "    velocity: [3, 0, 0]\n"
    "    spin: [0, 1, 0]\n"
    "    temperature: 30\n"
    "  - shape: {difference: [{box: {center: [0.5, 0.1, 0.3], size: [0.5, 0.2, 0.5]}}, "
    "{sphere: {center: [0.5, 0.2, 0.3], radius: 0.15}}]}\n"
    "    sticky: true\n"
    "output: {preview: false, film: false}\n";

#define DEVICE_FRAMES 6
#define DEVICE_SIMD "plain"
#include "device/device_way.h"
