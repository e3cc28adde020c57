// SPDX-License-Identifier: MIT
// Frame time of the window's pictures, measured headless: a block of grains on the ground, with
// positions uploaded for every frame, as for a live simulation.
#pragma once
#include <stdbool.h>

typedef struct view_bench_row {
    int grains;
    int width, height;        // [pixels]
    double spheres, surface;  // [s] fastest frame
    char driver[96];          // GL_RENDERER: "llvmpipe (LLVM 15, 256 bits)"
} view_bench_row;

// Fills `out_row` with the fastest of `pictures` frames per style. False: `problem` says why.
bool view_draw_bench(int grains, int pictures, view_bench_row* out_row, char* problem,
                     int problem_size);
