// SPDX-License-Identifier: MIT
// How long a picture of the window takes, without a window: a block of grains on the ground, new
// positions sent for every picture, as a simulation that runs sends them.
#pragma once
#include <stdbool.h>

typedef struct view_bench_row {
    int grains;
    int width, height;        // [pixels]
    double spheres, surface;  // [s] a picture, the fastest
    char driver[96];          // what draws: "llvmpipe (LLVM 15, 256 bits)"
} view_bench_row;

// Fills `out_row` with the fastest of so many pictures in each style. False: `problem` says why.
bool view_draw_bench(int grains, int pictures, view_bench_row* out_row, char* problem,
                     int problem_size);
