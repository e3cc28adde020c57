// SPDX-License-Identifier: MIT
// Two small solvers, and a scene text parsed with them: what the tests of scene/ share.
#pragma once
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "firn_test.h"
#include "scene/data/scene.h"
#include "scene/parse/diagnostics.h"
#include "scene/parse/parse.h"

// Values of the scene text: read as double, stored as firn_real, rotated or scaled a few times:
// some roundings of 6e-8, relative for large values.
#define NEAR(a, b) assert_near(a, b, 1e-6 * (1 + fabs((double)(b))))
#define NEAR3(v, x_, y_, z_) \
    do {                     \
        NEAR((v).x, x_);     \
        NEAR((v).y, y_);     \
        NEAR((v).z, z_);     \
    } while (0)

typedef struct toy_def {
    double cell, flip;
    int32_t integrator;
    int64_t steps;
    bool warm;
    char* note;
    double wind[3];
} toy_def;

static void set_toy_defaults(void* at)
{
    *(toy_def*)at =
        (toy_def){.cell = 0.01, .flip = 0.95, .integrator = 1, .steps = 10, .warm = true};
}

static const char* const toy_integrators[] = {"explicit", "semi-implicit", NULL};
// clang-format off
static const firn_key toy_keys[] = {
    {.name = "cell", .type = FIRN_KEY_REAL, .offset = offsetof(toy_def, cell), .unit = "m",
     .low = 1e-5, .high = 10, .fallback = "0.01", .help = "Grid spacing."},
    {.name = "flip", .type = FIRN_KEY_REAL, .offset = offsetof(toy_def, flip), .unit = "-",
     .low = 0, .high = 1, .fallback = "0.95", .help = "Blend."},
    {.name = "integrator", .type = FIRN_KEY_ENUM, .offset = offsetof(toy_def, integrator),
     .choices = toy_integrators, .fallback = "semi-implicit", .help = "How steps are taken."},
    {.name = "steps", .type = FIRN_KEY_INT, .offset = offsetof(toy_def, steps), .low = 1,
     .high = 100, .fallback = "10", .help = "Steps."},
    {.name = "warm", .type = FIRN_KEY_BOOL, .offset = offsetof(toy_def, warm), .fallback = "true",
     .help = "Warm start."},
    {.name = "note", .type = FIRN_KEY_TEXT, .offset = offsetof(toy_def, note), .fallback = "none",
     .help = "A text that the block owns."},
    {.name = "wind", .type = FIRN_KEY_VEC3, .offset = offsetof(toy_def, wind), .unit = "m/s",
     .fallback = "[0, 0, 0]", .help = "A vector without limits."},
};
// A second solver, with a key that must be given.
static const firn_key other_keys[] = {
    {.name = "radius", .type = FIRN_KEY_REAL, .offset = offsetof(toy_def, cell), .unit = "m",
     .low = 1e-5, .high = 10, .help = "Must be given."},
};
static const firn_key_block toy_block = {.name = "mpm", .help = "A toy.", .keys = toy_keys,
    .key_count = FIRN_KEY_COUNT(toy_keys), .size = sizeof(toy_def),
    .set_defaults = set_toy_defaults};
static const firn_key_block other_block = {.name = "sph", .help = "Another toy.",
    .keys = other_keys, .key_count = FIRN_KEY_COUNT(other_keys), .size = sizeof(toy_def),
    .set_defaults = set_toy_defaults};
// clang-format on
static const firn_scene_solver toy_solvers[] = {{"mpm", &toy_block}, {"sph", &other_block}};

static inline firn_result parse_length(const char* text, size_t length,
                                       const firn_scene_options* options, firn_scene_data* scene,
                                       firn_diagnostics* diagnostics)
{
    return firn_scene_parse_text(text, length, "test.yaml", toy_solvers, 2, options, scene,
                                 diagnostics);
}

// Parses a text that must be right; the caller destroys the scene.
static inline firn_scene_data parse_good(const char* text, const firn_scene_options* options)
{
    firn_scene_data scene;
    firn_diagnostics diagnostics = {0};
    const firn_result result = parse_length(text, strlen(text), options, &scene, &diagnostics);
    if (result != FIRN_OK) {
        char* messages = firn_diagnostics_text(&diagnostics);
        print_error("%s\n%s", text, messages);
        firn_free(messages);
    }
    firn_diagnostics_destroy(&diagnostics);
    assert_int_equal(result, FIRN_OK);
    return scene;
}

static inline const toy_def* toy(const firn_scene_data* scene)
{
    return scene->solver_def;
}

static inline bool has_message(const firn_diagnostics* diagnostics, int line, int column,
                               const char* fragment)
{
    for (firn_local i = 0; i < diagnostics->count; i++) {
        const firn_diagnostic* d = &diagnostics->items[i];
        if (d->line == line && d->column == column && strstr(d->message, fragment) != NULL)
            return true;
    }
    return false;
}
