// SPDX-License-Identifier: MIT
// Target state: a forged block of firn_sim_save, as in the save file of a game, is restored.
//
// The input is a list of changes to a good block, so that it does not go stale when the format
// changes: a byte that chooses the simulation, then
//     0 offset(3) n(1) bytes(n)   writes bytes
//     1 offset(3) value(1)        writes a value of a table, at a multiple of 4
//     2 section(1) size(3)        gives a section another size, and the size to its head
//     3 section(1) offset(2) value(1)  as 1, from the start of a section
// Size, scene and checksum of the block are made right afterwards.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "firn/edit.h"
#include "firn/firn.h"
#include "firn/play.h"
#include "firn/world.h"
#include "fuzz/fuzz.h"

#define CAP ((uint64_t)256 << 20)  // [bytes] of a small simulation
#define BLOCK_MAX (1u << 20)       // [bytes] that a block may grow to
#define HEAD 72                    // [bytes] of the head in state.c, and where its values are:
#define HEAD_SIZE 24
#define HEAD_CHECKSUM 32
#define SECTION 16  // [bytes] of the head of a section: tag, size

#define REST                                                                 \
    "time: {frames: 20, fps: 100}\n"                                         \
    "snow: [{shape: {box: {center: [0, 0.1, 0], size: [0.1, 0.1, 0.1]}}}]\n" \
    "colliders: [{shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}},\n" \
    "  {shape: {box: {center: [0, 0, 0], size: [0.1, 0.4, 0.4]}}, position: [-0.4, 0, 0]"

// All kinds of joints; bodies that touch the ground and each other.
#define BODIES                                                                                 \
    "},\n"                                                                                     \
    "  {shape: {box: {center: [0, 0, 0], size: [0.1, 0.1, 0.1]}}, position: [0.3, 0.05, 0],\n" \
    "   mass: 2},\n"                                                                           \
    "  {shape: {sphere: {center: [0, 0, 0], radius: 0.05}}, position: [0.3, 0.15, 0],\n"       \
    "   mass: 0.5},\n"                                                                         \
    "  {shape: {box: {center: [0, 0, 0], size: [0.1, 0.1, 0.1]}}, position: [0.5, 0.3, 0],\n"  \
    "   density: 300}]\n"                                                                      \
    "joints: [{kind: hinge, a: 2, point: [0.25, 0, 0], axis: [0, 0, 1], angle_low: -0.5},\n"   \
    "  {kind: rope, a: 3, b: 4, point: [0.3, 0.2, 0], point_b: [0.5, 0.3, 0]},\n"              \
    "  {kind: spring, a: 4, b: 2, point: [0.5, 0.3, 0], point_b: [0.3, 0.1, 0],\n"             \
    "   stiffness: 100},\n"                                                                    \
    "  {kind: rod, a: 4, b: 1, point: [0.5, 0.3, 0], point_b: [-0.4, 0.1, 0]},\n"              \
    "  {kind: ball, a: 4, b: 3, point: [0.4, 0.2, 0], break_force: 20},\n"                     \
    "  {kind: fixed, a: 3, b: 2, point: [0.3, 0.1, 0], break_torque: 1}]\n"

static const char* const scenes[] = {
    "firn: 1\nsolver: ballistic\nballistic: {spacing: 0.05, dt: 0.002}\n" REST "}]\n",
    "firn: 1\nsolver: mpm\nmpm: {cell: 0.05}\n" REST "}]\n",
    "firn: 1\nsolver: sph\nsph: {spacing: 0.05}\nair: {temperature: -5, velocity: [1, 0, 0]}\n"
    "emitters: [{shape: {box: {center: [0, 0.5, 0], size: [0.1, 0.1, 0.1]}},\n"
    "            rate: 1000}]\n" REST "}]\n",
    "firn: 1\nsolver: grains\ngrains: {radius: 0.025}\n" REST ", mass: 2}]\n",
    "firn: 1\nsolver: mpm\nmpm: {cell: 0.05}\n" REST BODIES,
    "firn: 1\nsolver: sph\nsph: {spacing: 0.05}\n" REST BODIES,
    "firn: 1\nsolver: grains\ngrains: {radius: 0.025}\n" REST BODIES,
    "firn: 1\nsolver: sph\nsph: {spacing: 0.05}\n"
    "materials: {default: {phase: water, becomes: {material: b, after: 0.004}},\n"
    "  b: {phase: viscous, viscosity: 5, becomes: {material: c, below: -1}},\n"
    "  c: {preset: snow, becomes: {material: default, above: -0.5}}}\n"
    "air: {temperature: -5}\n" REST "}]\n",
};
enum { SCENES = sizeof scenes / sizeof *scenes };

typedef struct seed {
    firn_scene* scene;
    char* block;  // a good one
    size_t size;
    firn_sim* sim;  // has the state of the block; creating it for every input would take most of
                    // the time
    uint64_t hash;  // of its state
} seed;

static firn_sim* start(const firn_scene* scene)
{
    firn_sim_def def = firn_default_sim_def();
    def.threads = 1;
    def.memory_cap_bytes = CAP;
    firn_sim* sim = NULL;
    firn_error error;
    firn_fuzz_require(firn_sim_create(scene, &def, &sim, &error) == FIRN_OK, error.text);
    return sim;
}

static void require_ok(const firn_sim* sim, firn_result r)
{
    firn_fuzz_require(r == FIRN_OK, firn_sim_error(sim));
}

// Changes that a block can have: snow was added and removed, a collider moved, gravity set.
static void change(firn_sim* sim)
{
    for (int k = 0; k < 3; k++) require_ok(sim, firn_sim_step(sim));
    firn_collider_id box;
    require_ok(sim, firn_sim_body_at(sim, 1, &box));
    const firn_body_pose pose = {.position = {(firn_real)-0.3, 0, 0},
                                 .rotation = {1, 0, 0, 0},
                                 .velocity = {1, 0, 0},
                                 .scale = 1};
    firn_body_info info;
    require_ok(sim, firn_sim_body(sim, box, &info));
    if (!(info.mass > 0)) require_ok(sim, firn_sim_body_move(sim, box, &pose));
    require_ok(sim, firn_sim_set_gravity(sim, (firn_vec3){0, -9, 0}));
    firn_scene* prefabs;
    firn_snow_def snow = firn_default_snow_def();
    firn_fuzz_require(firn_scene_create(&prefabs) == FIRN_OK, "no memory for a scene");
    const firn_vec3 center = {0, (firn_real)0.4, 0};
    (void)firn_scene_sphere(prefabs, center, (firn_real)0.05, &snow.shape);
    firn_snow_id id;
    require_ok(sim, firn_sim_add_snow(sim, prefabs, &snow, NULL, &id));
    firn_scene_destroy(prefabs);
    require_ok(sim, firn_sim_step(sim));
}

// The simulation and its block.
static seed* find_seed(uint8_t number)
{
    static seed seeds[SCENES];
    seed* s = &seeds[number % SCENES];
    if (s->scene == NULL) {
        firn_fuzz_require(firn_scene_create(&s->scene) == FIRN_OK, "no memory for a scene");
        const char* text = scenes[number % SCENES];
        if (firn_scene_load_text(s->scene, text, "fuzz", NULL) != FIRN_OK)
            firn_fuzz_require(false, firn_scene_messages(s->scene));
    }
    if (s->sim != NULL) return s;
    s->sim = start(s->scene);
    if (s->block == NULL) {
        change(s->sim);
        require_ok(s->sim, firn_sim_save(s->sim, NULL, 0, &s->size));
        s->block = malloc(s->size);
        firn_fuzz_require(s->block != NULL, "no memory for a block");
        require_ok(s->sim, firn_sim_save(s->sim, s->block, s->size, &s->size));
    }
    require_ok(s->sim, firn_sim_restore(s->sim, s->block, s->size));
    s->hash = firn_sim_hash(s->sim);
    return s;
}

// ---- changes of a block -------------------------------------------------------------------------

typedef struct forged {
    char* block;  // [BLOCK_MAX]
    size_t size;
} forged;

static size_t read_number(const uint8_t* data)
{
    return data[0] | (size_t)data[1] << 8 | (size_t)data[2] << 16;
}

static void write_value(forged* f, size_t offset, uint8_t which)
{
    const double reals[] = {NAN,    INFINITY, -INFINITY, 0,    -1,   1e-320,
                            1e-300, 1e300,    1e15,      -1e9, 1e30, 4503599627370496.0};
    const int64_t counts[] = {-1,        0,         1,          2,           INT32_MAX,
                              INT32_MIN, INT64_MAX, UINT32_MAX, 1ll << 33,   1ll << 53,
                              INT64_MIN, 1000000,   100000000,  10000000000, 65536};
    const float singles[] = {NAN, INFINITY, -INFINITY, -1, 0, 1e-40f, 1e-30f, 1e20f, 1e38f};
    enum { REALS = sizeof reals / sizeof *reals, COUNTS = sizeof counts / sizeof *counts };
    const int k = which % (REALS + COUNTS + (int)(sizeof singles / sizeof *singles));
    char bytes[8];
    size_t n = 8;
    if (k < REALS)
        memcpy(bytes, &reals[k], 8);
    else if (k < REALS + COUNTS)
        memcpy(bytes, &counts[k - REALS], 8);
    else
        memcpy(bytes, &singles[k - REALS - COUNTS], n = 4);
    offset = offset % f->size / 4 * 4;
    if (offset + n <= f->size) memcpy(f->block + offset, bytes, n);
}

// Where a section's head is, and the size of its content. False: there is none.
static bool find_section(const forged* f, int number, size_t* out_at, uint64_t* out_size)
{
    size_t at = HEAD;
    uint64_t own = 0;
    for (int s = 0;; s++) {
        if (at + SECTION > f->size) return false;
        memcpy(&own, f->block + at + 8, sizeof own);
        if (own > f->size - at - SECTION) return false;
        if (s == number) break;
        at += SECTION + (own + 7) / 8 * 8;
    }
    *out_at = at;
    *out_size = own;
    return true;
}

static void resize_section(forged* f, int number, size_t to)
{
    size_t at;
    uint64_t own;
    if (!find_section(f, number, &at, &own)) return;
    const size_t from = (own + 7) / 8 * 8, whole = (to + 7) / 8 * 8, end = at + SECTION + from;
    if (end > f->size || f->size - from + whole > BLOCK_MAX) return;
    memmove(f->block + at + SECTION + whole, f->block + end, f->size - end);
    if (whole > from) memset(f->block + at + SECTION + from, 0, whole - from);
    f->size = f->size - from + whole;
    const uint64_t size = to;
    memcpy(f->block + at + 8, &size, sizeof size);
}

// Returns the bytes read; 0: the end.
static size_t apply(forged* f, const uint8_t* data, size_t size)
{
    if (size < 5) return 0;
    const int kind = data[0] % 4;
    if (kind == 2) {
        resize_section(f, data[1] % 16, read_number(data + 2) % BLOCK_MAX);
        return 5;
    }
    if (kind == 3) {
        size_t at;
        uint64_t own;
        if (find_section(f, data[1] % 16, &at, &own) && own > 0)
            write_value(f, at + SECTION + (data[2] | (size_t)data[3] << 8) % own, data[4]);
        return 5;
    }
    const size_t offset = read_number(data + 1) % f->size;
    if (kind == 1) {
        write_value(f, offset, data[4]);
        return 5;
    }
    size_t n = data[4];
    if (n > size - 5) n = size - 5;
    if (n > f->size - offset) n = f->size - offset;
    memcpy(f->block + offset, data + 5, n);
    return 5 + n;
}

static void seal(forged* f)
{
    if (f->size < HEAD) return;
    const uint64_t size = f->size, sum = firn_hash(f->block + HEAD, f->size - HEAD, 0);
    memcpy(f->block + HEAD_SIZE, &size, sizeof size);
    memcpy(f->block + HEAD_CHECKSUM, &sum, sizeof sum);
}

// ---- the target ---------------------------------------------------------------------------------

// What was accepted is a state like any other: it can be saved, restored and stepped.
static void use(firn_sim* sim, size_t room)
{
    size_t size = 0;
    const uint64_t hash = firn_sim_hash(sim);
    require_ok(sim, firn_sim_save(sim, NULL, 0, &size));
    firn_fuzz_require(size <= 2 * room, "a state is much larger than its block");
    char* block = malloc(size);
    firn_fuzz_require(block != NULL, "no memory for a block");
    require_ok(sim, firn_sim_save(sim, block, size, &size));
    require_ok(sim, firn_sim_restore(sim, block, size));
    firn_fuzz_require(firn_sim_hash(sim) == hash, "a state has another hash after it was restored");
    free(block);
    firn_result r = FIRN_OK;
    for (int k = 0; k < 2 && r == FIRN_OK; k++) r = firn_sim_step(sim);
    if (r != FIRN_OK)
        firn_fuzz_require(firn_sim_error(sim)[0] != '\0', "a failed step has no message");
}

static forged forge(const seed* s, const uint8_t* data, size_t size)
{
    forged f = {malloc(BLOCK_MAX), s->size};
    firn_fuzz_require(f.block != NULL && f.size <= BLOCK_MAX, "no memory for a block");
    memcpy(f.block, s->block, f.size);
    for (size_t at = 0, n; (n = apply(&f, data + at, size - at)) > 0; at += n) continue;
    seal(&f);
    char* exact = malloc(f.size);  // so that a read beyond it is found
    firn_fuzz_require(exact != NULL, "no memory for a block");
    memcpy(exact, f.block, f.size);
    free(f.block);
    f.block = exact;
    return f;
}

bool firn_fuzz_state(const uint8_t* data, size_t size)
{
    if (size == 0) return false;
    seed* s = find_seed(data[0]);
    forged f = forge(s, data + 1, size - 1);
    const firn_result r = firn_sim_restore(s->sim, f.block, f.size);
    if (r == FIRN_OK) {
        use(s->sim, f.size);
        if (firn_sim_restore(s->sim, s->block, s->size) != FIRN_OK) {  // broken by its values
            firn_sim_destroy(s->sim);
            s->sim = NULL;
        }
    } else {
        firn_error error = {.code = r};
        snprintf(error.text, sizeof error.text, "%s", firn_sim_error(s->sim));
        firn_fuzz_check(r, &error);
        firn_fuzz_require(r > 0, "a refused block broke the simulation");
    }
    if (s->sim != NULL)
        firn_fuzz_require(firn_sim_hash(s->sim) == s->hash, "a block changed the state");
    free(f.block);
    return r == FIRN_OK;
}
