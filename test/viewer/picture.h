// SPDX-License-Identifier: MIT
// Pictures for tests: a drawing without a screen, simple scenes, and what a pixel shows.
#pragma once
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firn_test.h"
#include "viewer/draw/draw.h"
#include "viewer/gl/headless.h"

#define WIDTH 160
#define HEIGHT 120

typedef struct picture {
    uint8_t rgb[HEIGHT][WIDTH][3];  // top row first
} picture;

static view_headless* headless;
static view_draw* drawing;

// Opens what all tests of a file draw with. False: there is no OpenGL here; says why.
static inline bool open_drawing(int width, int height)
{
    char problem[256];
    if (!view_headless_create(width, height, &headless, problem, sizeof problem)) {
        printf("skipped: %s\n", problem);
        return false;
    }
    if (view_draw_create(&drawing, problem, sizeof problem)) return true;
    printf("skipped: %s\n", problem);
    view_headless_destroy(headless);
    return false;
}

static inline void close_drawing(void)
{
    view_draw_destroy(drawing);
    view_headless_destroy(headless);
}

// The eye at (0, 0, 5), looking at the origin; nothing is there. Half the height is 2 m there.
static inline view_frame empty_frame(void)
{
    return (view_frame){.width = WIDTH,
                        .height = HEIGHT,
                        .camera = {{0, 0, 5}, {0, 0, 0}, 2 * 21.8014095f},  // atan(2 / 5)
                        .sun = {0.3f, 0.8f, 0.5f},
                        .shadows = true};
}

static inline picture draw_picture(const view_frame* frame)
{
    picture p;
    view_draw_frame(drawing, frame);
    view_draw_read(drawing, WIDTH, HEIGHT, &p.rgb[0][0][0]);
    return p;
}

// The pixel that shows a place at the origin's distance [m].
static inline const uint8_t* pixel_at(const picture* p, float x, float y)
{
    const int column = (int)floorf(WIDTH * 0.5f + x * HEIGHT / 4.0f);
    const int row = (int)floorf(HEIGHT * 0.5f - y * HEIGHT / 4.0f);
    assert_in_range(column, 0, WIDTH - 1);
    assert_in_range(row, 0, HEIGHT - 1);
    return p->rgb[row][column];
}

static inline int brightness(const uint8_t* rgb)
{
    return (299 * rgb[0] + 587 * rgb[1] + 114 * rgb[2]) / 1000;
}

// Largest difference of a band, of 255. Up to 2 or 3 count as equal: rounding to 8 bits, and blends
// that drivers round differently. Limits from 10 on tell surfaces, shadows and colours apart.
static inline int difference(const uint8_t* a, const uint8_t* b)
{
    int most = 0;
    for (int k = 0; k < 3; k++) most = abs(a[k] - b[k]) > most ? abs(a[k] - b[k]) : most;
    return most;
}

// Of all bands of all pixels.
static inline double mean_difference(const uint8_t* a, const uint8_t* b, int width, int height)
{
    double sum = 0;
    for (int k = 0; k < 3 * width * height; k++) sum += abs(a[k] - b[k]);
    return sum / (3.0 * width * height);
}

static inline int mesh_of_box(float half)
{
    float vertices[24][3], normals[24][3];
    int32_t triangles[12][3];
    for (int face = 0; face < 6; face++) {
        const int a = face / 2, b = (a + 1) % 3, c = (a + 2) % 3;
        const float side = face % 2 == 0 ? -1.0f : 1.0f;
        for (int k = 0; k < 4; k++) {
            float* v = vertices[4 * face + k];
            float* n = normals[4 * face + k];
            v[a] = half * side;
            v[b] = half * (k == 1 || k == 2 ? side : -side);  // counter-clockwise from outside
            v[c] = half * (k >= 2 ? 1.0f : -1.0f);
            n[a] = side;
            n[b] = n[c] = 0;
        }
        for (int k = 0; k < 3; k++) {
            triangles[2 * face][k] = 4 * face + k;
            triangles[2 * face + 1][k] = 4 * face + (k == 0 ? 0 : k + 1);
        }
    }
    const int mesh =
        view_draw_add_mesh(drawing, (const float(*)[3])vertices, (const float(*)[3])normals, 24,
                           (const int32_t(*)[3])triangles, 12);
    assert_at_least(mesh, 0);
    return mesh;
}

static inline view_collider body_at(int mesh, float x, float y, float z)
{
    return (view_collider){.mesh = mesh,
                           .position = {x, y, z},
                           .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                           .scale = 1,
                           .normal = {0, 1, 0},
                           .colour = {0.5f, 0.5f, 0.5f}};
}

static inline view_collider ground_at(float height)
{
    view_collider ground = body_at(-1, 0, 0, 0);
    ground.point[1] = height;
    ground.colour[0] = ground.colour[1] = ground.colour[2] = 0.3f;
    return ground;
}
