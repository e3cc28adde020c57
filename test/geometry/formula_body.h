// SPDX-License-Identifier: MIT
// Deforming bodies whose key frames come from formulas: neither OpenVDB nor mesh files are needed.
#pragma once
#include "core/memory.h"
#include "firn_test.h"
#include "geometry/deform/deform_source.h"
#include "geometry/deform/deform_velocity.h"
#include "geometry/levelset/level_set_sample.h"

// A ball that moves and grows: center + velocity t, radius + growth t; or a box that moves.
typedef struct formula_body {
    firn_vec3 center, velocity;  // [m], [m/s]
    firn_real radius, growth;    // [m], [m/s]
    firn_vec3 half;              // [m] of the box; 0: a ball
    double interval;             // [s] between keys
    int64_t key_count;
    firn_real voxel, band;  // [m]
    bool seen_only;         // velocities from the level sets instead of from the formula
    bool closes;            // the last key is the first
    int64_t bad_key;        // cannot be made; < 0: none
    int made;               // level sets so far
} formula_body;

typedef struct formula_ball {
    firn_vec3 center;
    firn_real radius;
    firn_vec3 half;
} formula_ball;

static inline formula_ball formula_at(const formula_body* f, double t)
{
    return (formula_ball){firn_v3_madd(f->center, (firn_real)t, f->velocity),
                          f->radius + (firn_real)t * f->growth, f->half};
}

static inline firn_real formula_phi(const void* context, firn_vec3 x)
{
    const formula_ball* b = context;
    const firn_vec3 arm = firn_v3_sub(x, b->center);
    if (b->half.x > 0) return firn_phi_box_centred(arm, b->half, 0).distance;
    return firn_v3_length(arm) - b->radius;
}

static inline double formula_time(const void* self, int64_t k)
{
    return ((const formula_body*)self)->interval * (double)k;
}

static inline uint64_t formula_hash(const void* self, int64_t k)
{
    return (uint64_t)k * 977 + (uint64_t)((const formula_body*)self)->key_count;
}

static inline firn_result formula_make(void* self, int64_t k, const firn_level_set** out_phi,
                                       firn_error* error)
{
    formula_body* f = self;
    if (k == f->bad_key) return firn_fail(error, FIRN_REFUSED_IO, "key %d is gone", (int)k);
    __atomic_add_fetch(&f->made, 1, __ATOMIC_RELAXED);
    const int64_t which = f->closes && k == f->key_count - 1 ? 0 : k;
    const formula_ball b = formula_at(f, formula_time(f, which));
    const firn_vec3 half = b.half.x > 0 ? b.half : firn_v3(b.radius, b.radius, b.radius);
    const firn_box3 box = {firn_v3_sub(b.center, half), firn_v3_add(b.center, half)};
    return firn_level_set_build(box, f->voxel, f->band, formula_phi, &b, out_phi, error);
}

static inline firn_result formula_velocity(void* self, const firn_deform_stencil* stencil,
                                           firn_velocity_grid* out_grid, firn_error* error)
{
    const formula_body* f = self;
    if (f->seen_only) return firn_deform_normal_motion(stencil, out_grid, error);
    const firn_box3 none = {{1, 1, 1}, {0, 0, 0}};
    const firn_box3 boxes[3] = {none, stencil->phi->bounds, none};
    FIRN_TRY(firn_deform_grid(boxes, f->voxel, out_grid, error));
    const formula_ball b = formula_at(f, formula_time(f, stencil->here));
    for (int64_t n = 0; n < firn_velocity_grid_count(out_grid); n++) {
        const firn_vec3 arm = firn_v3_sub(firn_velocity_grid_node(out_grid, n), b.center);
        out_grid->value[n] =
            firn_v3_madd(f->velocity, f->growth, firn_v3_normalize(arm, firn_v3(0, 0, 0)));
    }
    return FIRN_OK;
}

static inline firn_result formula_closes(void* self, bool* out_closes, firn_error* error)
{
    (void)error;
    *out_closes = ((const formula_body*)self)->closes;
    return FIRN_OK;
}

static inline void formula_destroy(void* self)
{
    (void)self;
}

static inline firn_deform_source formula_source(formula_body* f)
{
    return (firn_deform_source){.self = f,
                                .key_count = f->key_count,
                                .time = formula_time,
                                .hash = formula_hash,
                                .phi = formula_make,
                                .velocity = formula_velocity,
                                .closes = formula_closes,
                                .destroy = formula_destroy};
}

static inline firn_deforming_def formula_def(size_t memory)
{
    return (firn_deforming_def){
        .animation = {.file = "formula"}, .voxel = 1, .speed = 1, .memory = memory};
}

static inline firn_deforming* formula_open(formula_body* f, const firn_deforming_def* def)
{
    firn_deforming* body;
    assert_int_equal(firn_deforming_create(def, formula_source(f), &body, NULL), FIRN_OK);
    return body;
}

#define FORMULA_ENOUGH ((size_t)1 << 30)  // [bytes]

// A hundred keys.
static inline formula_body formula_long_body(void)
{
    return (formula_body){.velocity = {1, 0, (firn_real)0.25},
                          .radius = (firn_real)0.3,
                          .growth = (firn_real)0.01,
                          .interval = 0.25,
                          .key_count = 100,
                          .voxel = (firn_real)0.1,
                          .band = (firn_real)0.3,
                          .bad_key = -1};
}
