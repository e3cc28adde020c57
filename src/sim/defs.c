// SPDX-License-Identifier: MIT
// Defaults of the definition structs, and how those of the caller are read.
#include "sim/defs.h"

#include <math.h>
#include <string.h>

#include "core/result.h"
#include "firn/firn.h"
#include "firn/run.h"
#include "firn/tools.h"
#include "scene/data/emitter.h"
#include "scene/data/snow.h"

// ---- defaults -----------------------------------------------------------------------------------

static firn_material_def material_defaults(void)
{
    // Stomakhin et al. 2013, table 2
    return (firn_material_def){.name = "snow",
                               .density = 400,
                               .young = (firn_real)1.4e5,
                               .poisson = (firn_real)0.2,
                               .hardening = 10,
                               .critical_compression = (firn_real)0.025,
                               .critical_stretch = (firn_real)0.0075,
                               .becomes_after = INFINITY,
                               .becomes_below = NAN,
                               .becomes_above = NAN,
                               .becomes_over = 0.1};
}

static firn_measured_def measured_defaults(void)
{
    return (firn_measured_def){.name = "snow", .density = 250, .temperature = -5};
}

static firn_text_def text_defaults(void)
{
    return (firn_text_def){.font = "DejaVuSans-Bold",
                           .size = 0.3,
                           .depth = 0.1,
                           .line_height = 1,
                           .align = FIRN_ALIGN_LEFT,
                           .voxel = 0.005};
}

static firn_mesh_def mesh_defaults(void)
{
    return (firn_mesh_def){.scale = 1};
}

firn_layer_def firn_default_layer_def(void)
{
    firn_layer_def def = {0};
    for (int q = 0; q < FIRN_VARY_COUNT; q++) def.factor[q] = 1;
    return def;
}

static firn_snow_def snow_defaults(void)
{
    firn_snow_def def = {.particles_per_cell = 8,
                         .loose = 1,
                         .seed = 1,
                         .temperature = FIRN_SNOW_TEMPERATURE,
                         .clearance = 1};
    for (int q = 0; q < FIRN_VARY_COUNT; q++) {
        def.vary[q] = (firn_factor_def){
            .noise_octaves = 3, .noise_seed = 1, .texture_low = 1, .texture_high = 1};
        def.shell.factor[q] = 1;
    }
    return def;
}

static firn_emitter_def emitter_defaults(void)
{
    return (firn_emitter_def){.flake_size = FIRN_FLAKE_SIZE,
                              .flake_density = FIRN_FLAKE_DENSITY,
                              .stop = INFINITY,
                              .seed = 1,
                              .temperature = FIRN_SNOW_TEMPERATURE};
}

static firn_force_def force_defaults(void)
{
    return (firn_force_def){.direction = {0, 1, 0}, .length = 0.5, .period = 1, .seed = 1};
}

static firn_collider_def collider_defaults(void)
{
    return (firn_collider_def){.rotation = {1, 0, 0, 0},
                               .scale = 1,
                               .friction = (firn_real)0.4,
                               .viscosity = -1,
                               .temperature = (firn_real)NAN,
                               .heat_transfer = 50};
}

static firn_body_animation_def body_animation_defaults(void)
{
    return (firn_body_animation_def){
        .first = 1, .last = 1, .fps = 24, .speed = 1, .memory_bytes = (uint64_t)256 << 20};
}

static firn_load_def load_defaults(void)
{
    return (firn_load_def){0};
}

static firn_sim_def sim_defaults(void)
{
    return (firn_sim_def){.backend = "cpu", .frame_end = -1};
}

static firn_height_def height_defaults(void)
{
    return (firn_height_def){.columns = 256, .rows = 256};
}

static firn_export_def export_defaults(void)
{
    return (firn_export_def){.frame_end = -1, .frame_step = 1, .samples = 512, .points = 20000};
}

static firn_measure_def measure_defaults(void)
{
    return (firn_measure_def){.frame_end = -1, .frame_step = 1, .threshold = 100, .smallest = 8};
}

static firn_trim_def trim_defaults(void)
{
    return (firn_trim_def){.frame_end = -1, .frame_step = 1, .compression = -1, .checkpoints = -1};
}

static firn_render_def render_defaults(void)
{
    return (firn_render_def){
        .frame_end = -1, .frame_step = 1, .exr = true, .film = true, .backend = "cpu"};
}

static firn_bench_def bench_defaults(void)
{
    return (firn_bench_def){
        .solver = "mpm", .particles = 300000, .steps = 16, .repeats = 3, .backend = "cpu"};
}

static firn_joint_def joint_defaults(void)
{
    return (firn_joint_def){.kind = FIRN_JOINT_BALL,
                            .axis = {0, 0, 1},
                            .angle_low = -(firn_real)INFINITY,
                            .angle_high = (firn_real)INFINITY,
                            .length = -1,
                            .break_force = (firn_real)INFINITY,
                            .break_torque = (firn_real)INFINITY};
}

static firn_surface_def surface_defaults(void)
{
    return (firn_surface_def){.threshold = 0.5};
}

// ---- definitions of the caller ------------------------------------------------------------------

// How every definition begins.
typedef struct def_head {
    uint32_t cookie, size;
} def_head;

// Largest of them.
typedef union any_def {
    def_head head;
    firn_material_def material;
    firn_measured_def measured;
    firn_text_def text;
    firn_mesh_def mesh;
    firn_snow_def snow;
    firn_emitter_def emitter;
    firn_collider_def collider;
    firn_body_animation_def body_animation;
    firn_load_def load;
    firn_sim_def sim;
    firn_height_def height;
    firn_export_def export;
    firn_measure_def measure;
    firn_render_def render;
    firn_trim_def trim;
    firn_bench_def bench;
    firn_surface_def surface;
    firn_joint_def joint;
    firn_force_def force;
} any_def;

// Writes the defaults of a kind. Returns its size; 0: there is no such kind.
static uint32_t defaults_of(uint32_t kind, any_def* out, const char** out_name)
{
#define FIRN_DEF_CASE(KIND, name)      \
    case KIND:                         \
        *out_name = #name;             \
        out->name = name##_defaults(); \
        return sizeof out->name
    switch (kind) {
        FIRN_DEF_CASE(FIRN_DEF_MATERIAL, material);
        FIRN_DEF_CASE(FIRN_DEF_MEASURED, measured);
        FIRN_DEF_CASE(FIRN_DEF_TEXT, text);
        FIRN_DEF_CASE(FIRN_DEF_MESH, mesh);
        FIRN_DEF_CASE(FIRN_DEF_SNOW, snow);
        FIRN_DEF_CASE(FIRN_DEF_EMITTER, emitter);
        FIRN_DEF_CASE(FIRN_DEF_COLLIDER, collider);
        FIRN_DEF_CASE(FIRN_DEF_BODY_ANIMATION, body_animation);
        FIRN_DEF_CASE(FIRN_DEF_LOAD, load);
        FIRN_DEF_CASE(FIRN_DEF_SIM, sim);
        FIRN_DEF_CASE(FIRN_DEF_HEIGHT, height);
        FIRN_DEF_CASE(FIRN_DEF_EXPORT, export);
        FIRN_DEF_CASE(FIRN_DEF_MEASURE, measure);
        FIRN_DEF_CASE(FIRN_DEF_RENDER, render);
        FIRN_DEF_CASE(FIRN_DEF_TRIM, trim);
        FIRN_DEF_CASE(FIRN_DEF_BENCH, bench);
        FIRN_DEF_CASE(FIRN_DEF_SURFACE, surface);
        FIRN_DEF_CASE(FIRN_DEF_JOINT, joint);
        FIRN_DEF_CASE(FIRN_DEF_FORCE, force);
    default: return 0;
    }
#undef FIRN_DEF_CASE
}

#define KIND(cookie) ((cookie) >> 16 & 0x7fu)
#define IS_DOUBLE(cookie) (((cookie)&0x800000u) != 0)
#define VERSION(cookie) ((cookie)&0xffffu)
#define MARK(cookie) ((cookie) >> 24)

void firn_def_init(void* def, uint32_t cookie, uint32_t size)
{
    if (def == NULL || size < sizeof(def_head)) return;
    any_def own = {0};
    const char* name;
    // of the other precision, fields are elsewhere: it stays empty and is refused
    const bool same = IS_DOUBLE(cookie) == IS_DOUBLE(FIRN_DEF_COOKIE(0));
    const uint32_t known = same ? defaults_of(KIND(cookie), &own, &name) : 0;
    firn_give(def, size, &own, known);
    const def_head head = {cookie, size};
    memcpy(def, &head, sizeof head);
}

firn_result firn_def_take(firn_def_kind kind, const void* def, void* out_own, firn_error* error)
{
    any_def own = {0};
    const char* name = "";
    const uint32_t known = defaults_of((uint32_t)kind, &own, &name);
    const uint32_t cookie = FIRN_DEF_COOKIE(kind);
    def_head head = {0};
    if (def != NULL) memcpy(&head, def, sizeof head);
    if (MARK(head.cookie) != MARK(cookie) || KIND(head.cookie) != KIND(cookie) ||
        head.size < sizeof head)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "the firn_%s_def is %s: initialise it with firn_default_%s_def()", name,
                         def == NULL ? "null" : "not initialised", name);
    if (IS_DOUBLE(head.cookie) != IS_DOUBLE(cookie))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "the program was compiled for %s, the library is %s: FIRN_DOUBLE must be "
                         "defined for libfirn-double, and only for it",
                         IS_DOUBLE(head.cookie) ? "double" : "float",
                         IS_DOUBLE(cookie) ? "double" : "float");
    if (head.size > known) {
        const int v = (int)VERSION(head.cookie);
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "the firn_%s_def has %u bytes and the library knows %u: the program was "
                         "compiled with firn %d.%d.%d, the library is %s; use a library that is as "
                         "new",
                         name, (unsigned)head.size, (unsigned)known, v / 10000, v / 100 % 100,
                         v % 100, FIRN_VERSION_TEXT);
    }
    memcpy(&own, def, head.size);
    own.head = (def_head){cookie, known};
    memcpy(out_own, &own, known);
    return FIRN_OK;
}

// ---- what goes out ------------------------------------------------------------------------------

void firn_give(void* out, uint32_t size, const void* own, size_t own_size)
{
    if (out == NULL) return;
    const size_t both = size < own_size ? size : own_size;
    memcpy(out, own, both);
    memset((char*)out + both, 0, size - both);
}

firn_result firn_rows_give(void* rows, int count, size_t own_size, uint32_t size, firn_error* error)
{
    if (size > own_size)
        return firn_fail(
            error, FIRN_REFUSED_ARGUMENT,
            "the program knows rows of %u bytes, the library (%s) of %u: use a library "
            "that is as new",
            (unsigned)size, FIRN_VERSION_TEXT, (unsigned)own_size);
    for (int k = 1; k < count && size < own_size; k++)
        memmove((char*)rows + (size_t)k * size, (const char*)rows + (size_t)k * own_size, size);
    return FIRN_OK;
}
