// SPDX-License-Identifier: MIT
// The page's simulation: what worker.js calls. One `web_page` holds a scene, its simulation, and
// the tools that a visitor moves. Numbers go to the page in `out`, arrays as addresses in the
// memory of the WebAssembly module, both valid until the next call.
#include <emscripten.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "firn/firn.h"
#include "viewer/source/live_colliders.h"

#define OUT_COUNT 64
#define MOVERS 64         // colliders that may be dragged, by their index
#define MEMORY_MAX 1.5e9  // [bytes] of the module's 2 GiB
#define OVERRIDES_MAX 64

enum { WEB_BALL, WEB_PLOW, WEB_TOOLS };

typedef struct web_page {
    firn_scene* scene;
    firn_sim* sim;
    firn_scene* prefabs;  // shapes of tools and snowballs
    firn_shape_id shapes[WEB_TOOLS];
    int tools[WEB_TOOLS];  // index of the collider; -1: not there yet
    view_mover movers[MOVERS];
    firn_body_mesh mesh;  // of web_body_mesh
    char* text;           // of web_yaml
    char error[2000];
    double out[OUT_COUNT];
} web_page;

static int fail(web_page* page, firn_result r)
{
    const char* sentence = firn_last_error();
    strncpy(page->error, r == FIRN_OK ? "" : sentence, sizeof page->error - 1);
    return (int)r;
}

static firn_vec3 vec(double x, double y, double z)
{
    return (firn_vec3){(firn_real)x, (firn_real)y, (firn_real)z};
}

// ---- life ---------------------------------------------------------------------------------------

static void forget_sim(web_page* page)
{
    firn_sim_destroy(page->sim);
    firn_scene_destroy(page->prefabs);
    page->sim = NULL;
    page->prefabs = NULL;
    memset(page->movers, 0, sizeof page->movers);
    for (int k = 0; k < WEB_TOOLS; k++) page->tools[k] = -1;
}

EMSCRIPTEN_KEEPALIVE web_page* web_create(void)
{
    web_page* page = calloc(1, sizeof *page);
    if (page != NULL) forget_sim(page);
    return page;
}

EMSCRIPTEN_KEEPALIVE double* web_out(web_page* page)
{
    return page->out;
}

// The sentence of the last call that did not return 0.
EMSCRIPTEN_KEEPALIVE const char* web_error(web_page* page)
{
    return page->error;
}

// Errors and warnings of the last web_load, in compiler style.
EMSCRIPTEN_KEEPALIVE const char* web_messages(web_page* page)
{
    return page->scene != NULL ? firn_scene_messages(page->scene) : "";
}

// Splits lines "key=value" in place.
static size_t split_lines(char* text, const char* lines[OVERRIDES_MAX])
{
    size_t count = 0;
    for (char* line = strtok(text, "\n"); line != NULL && count < OVERRIDES_MAX;
         line = strtok(NULL, "\n"))
        lines[count++] = line;
    return count;
}

// Reads and checks a scene. `overrides`: lines "mpm.cell=0.02", which are cut up. out: estimated
// particles, memory [bytes], spacing of the grid [m], variants.
EMSCRIPTEN_KEEPALIVE int web_load(web_page* page, const char* yaml, const char* variant,
                                  char* overrides)
{
    const char* lines[OVERRIDES_MAX];
    firn_load_def def = firn_default_load_def();
    def.variant = variant[0] != '\0' ? variant : NULL;
    def.overrides = lines;
    def.override_count = split_lines(overrides, lines);
    def.memory_cap_bytes = (uint64_t)MEMORY_MAX;
    firn_scene_destroy(page->scene);
    page->scene = NULL;
    firn_result r = firn_scene_create(&page->scene);
    if (r == FIRN_OK) r = firn_scene_set_threads(page->scene, 1, NULL);
    if (r == FIRN_OK) r = firn_scene_load_text(page->scene, yaml, "scene.yaml", &def);
    firn_scene_info info;
    if (r == FIRN_OK) r = firn_scene_check(page->scene, 1, &info);
    if (r != FIRN_OK) return fail(page, r);
    page->out[0] = (double)info.particles;
    page->out[1] = info.memory_bytes;
    page->out[2] = info.cell;
    return fail(page, r);
}

// Replaces the simulation by one of the loaded scene. `room`: particles that may be added later.
EMSCRIPTEN_KEEPALIVE int web_start(web_page* page, int threads, const char* simd, double room)
{
    forget_sim(page);
    firn_sim_def def = firn_default_sim_def();
    def.threads = threads;
    def.simd = simd[0] != '\0' ? simd : NULL;
    def.memory_cap_bytes = (uint64_t)MEMORY_MAX;
    firn_scene_info info;
    firn_result r = firn_scene_check(page->scene, 1, &info);
    if (room > 0) def.particles_max = 2 * info.particles + (int64_t)room;
    if (r == FIRN_OK) r = firn_sim_create(page->scene, &def, &page->sim, NULL);
    if (r == FIRN_OK) r = firn_scene_create(&page->prefabs);
    if (r == FIRN_OK)
        r = view_tools_shapes(page->prefabs, &page->shapes[WEB_BALL], &page->shapes[WEB_PLOW]);
    return fail(page, r);
}

// The name of preset k; null past the end. out: density, young, hardening, critical compression
// and stretch.
EMSCRIPTEN_KEEPALIVE const char* web_preset(web_page* page, int k)
{
    firn_preset_info preset;
    if (k >= firn_preset_list_count() || firn_preset_at(k, &preset) != FIRN_OK) return NULL;
    const firn_material_def* m = &preset.material;
    const double values[] = {m->density, m->young, m->hardening, m->critical_compression,
                             m->critical_stretch};
    memcpy(page->out, values, sizeof values);
    return preset.name;
}

// The scene with all overrides as YAML text.
EMSCRIPTEN_KEEPALIVE const char* web_yaml(web_page* page)
{
    firn_text_free(page->text);
    page->text = page->scene != NULL ? firn_scene_yaml(page->scene) : NULL;
    return page->text != NULL ? page->text : "";
}

// ---- time ---------------------------------------------------------------------------------------

static firn_result movers_before(web_page* page, double seconds)
{
    firn_result r = FIRN_OK;
    for (int k = 0; k < MOVERS && r == FIRN_OK; k++)
        if (page->movers[k].kind == VIEW_MOVER_PULL)
            r = view_mover_before(page->sim, k, &page->movers[k], seconds);
    return r;
}

// Advances by `seconds`, within `wall` seconds. out: simulated and wall-clock time [s], steps.
EMSCRIPTEN_KEEPALIVE int web_advance(web_page* page, double seconds, double wall)
{
    firn_advance done = {0};
    firn_result r = movers_before(page, seconds);
    if (r == FIRN_OK) r = firn_sim_advance_by(page->sim, seconds, wall, &done);
    for (int k = 0; k < MOVERS; k++) view_mover_after(&page->movers[k], done.simulated);
    page->out[0] = done.simulated;
    page->out[1] = done.wall;
    page->out[2] = (double)done.steps;
    return fail(page, r);
}

// Advances to the next frame of the scene, as `firn run` does.
EMSCRIPTEN_KEEPALIVE int web_frame(web_page* page)
{
    return fail(page, firn_sim_frame(page->sim));
}

EMSCRIPTEN_KEEPALIVE int web_step(web_page* page)
{
    return fail(page, firn_sim_step(page->sim));
}

// out: upper and lower half of the state's hash.
EMSCRIPTEN_KEEPALIVE void web_hash(web_page* page)
{
    const uint64_t hash = firn_sim_hash(page->sim);
    page->out[0] = (double)(hash >> 32);
    page->out[1] = (double)(hash & 0xffffffffu);
}

// ---- what is drawn ------------------------------------------------------------------------------

// out: time, dt [s], step, particles, bodies, temperature of the air, threads, memory [bytes],
// kinetic energy [J].
EMSCRIPTEN_KEEPALIVE void web_state(web_page* page)
{
    const firn_sim_info info = firn_sim_read(page->sim);
    const double values[] = {info.time,
                             info.dt,
                             (double)info.step,
                             (double)info.particle_count,
                             (double)firn_sim_body_count(page->sim),
                             firn_sim_temperature(page->sim),
                             (double)info.threads,
                             (double)info.memory_bytes,
                             info.kinetic};
    memcpy(page->out, values, sizeof values);
}

// out: eye, look_at [m], field of view [degrees], direction of the sun, spacing [m], frames per
// second, frames.
EMSCRIPTEN_KEEPALIVE int web_view(web_page* page)
{
    firn_view_info view;
    const firn_result r = firn_sim_view(page->sim, &view);
    if (r != FIRN_OK) return fail(page, r);
    for (int k = 0; k < 3; k++) {
        page->out[k] = view.eye[k];
        page->out[3 + k] = view.look_at[k];
        page->out[7 + k] = view.sun[k];
    }
    page->out[6] = view.fov;
    page->out[10] = view.spacing;
    page->out[11] = view.fps;
    page->out[12] = (double)view.frames;
    return fail(page, r);
}

// Address of a field's values, in the order of the particles; null: the solver has none.
EMSCRIPTEN_KEEPALIVE const void* web_field(web_page* page, const char* name)
{
    firn_field_view view;
    return firn_sim_field(page->sim, name, &view) == FIRN_OK ? view.data : NULL;
}

static firn_collider_id body_id(web_page* page, int k)
{
    firn_collider_id id = {0};
    (void)firn_sim_body_at(page->sim, k, &id);
    return id;
}

// out: position, rotation (w first), scale; whether it is bounded, visible; point and normal of a
// plane; colour; mass; whether something moves it; the box around it.
EMSCRIPTEN_KEEPALIVE int web_body(web_page* page, int k)
{
    firn_body_info b;
    const firn_result r = firn_sim_body(page->sim, body_id(page, k), &b);
    if (r != FIRN_OK) return fail(page, r);
    const firn_vec3 v = b.pose.velocity, w = b.pose.spin;
    const bool moves = v.x != 0 || v.y != 0 || v.z != 0 || w.x != 0 || w.y != 0 || w.z != 0;
    const double values[] = {b.pose.position.x,
                             b.pose.position.y,
                             b.pose.position.z,
                             b.pose.rotation.w,
                             b.pose.rotation.x,
                             b.pose.rotation.y,
                             b.pose.rotation.z,
                             b.pose.scale,
                             b.bounded,
                             !b.hidden,
                             b.point.x,
                             b.point.y,
                             b.point.z,
                             b.normal.x,
                             b.normal.y,
                             b.normal.z,
                             b.colour[0],
                             b.colour[1],
                             b.colour[2],
                             b.mass,
                             moves,
                             b.low.x,
                             b.low.y,
                             b.low.z,
                             b.high.x,
                             b.high.y,
                             b.high.z};
    memcpy(page->out, values, sizeof values);
    return fail(page, r);
}

// The triangles of a body. out: vertices and triangles (numbers), then the addresses of vertices,
// normals and triangles.
EMSCRIPTEN_KEEPALIVE int web_body_mesh(web_page* page, int k)
{
    firn_body_mesh_free(&page->mesh);
    page->mesh = (firn_body_mesh){0};
    const firn_result r = firn_sim_body_mesh(page->sim, body_id(page, k), &page->mesh, NULL);
    page->out[0] = (double)page->mesh.vertex_count;
    page->out[1] = (double)page->mesh.triangle_count;
    page->out[2] = (double)(uintptr_t)page->mesh.vertices;
    page->out[3] = (double)(uintptr_t)page->mesh.normals;
    page->out[4] = (double)(uintptr_t)page->mesh.triangles;
    return fail(page, r);
}

// What a ray meets first. out: kind (0 none, 1 snow, 2 a collider), distance [m], point, index of
// the collider.
EMSCRIPTEN_KEEPALIVE int web_ray(web_page* page, double x, double y, double z, double dx, double dy,
                                 double dz)
{
    firn_ray_hit hit;
    const firn_result r = firn_sim_ray(page->sim, vec(x, y, z), vec(dx, dy, dz), 1e4, &hit);
    if (r != FIRN_OK) return fail(page, r);
    const double values[] = {hit.kind,    hit.distance, hit.point.x,
                             hit.point.y, hit.point.z,  (double)hit.collider.slot1 - 1};
    memcpy(page->out, values, sizeof values);
    return fail(page, r);
}

// ---- what a visitor does ------------------------------------------------------------------------

// Puts a tool into the scene at a point, `size` metres wide. out: index of its collider.
EMSCRIPTEN_KEEPALIVE int web_tool(web_page* page, int tool, double x, double y, double z,
                                  double yaw, double size)
{
    firn_result r = FIRN_OK;
    if (page->tools[tool] < 0) {
        firn_collider_def def = firn_default_collider_def();
        def.shape = page->shapes[tool];
        def.position = vec(x, y, z);
        def.scale = (firn_real)size;
        def.friction = (firn_real)(tool == WEB_BALL ? VIEW_BALL_FRICTION : VIEW_PLOW_FRICTION);
        const int index = firn_sim_body_count(page->sim);
        r = firn_sim_add_collider(page->sim, page->prefabs, &def, NULL, NULL);
        if (r != FIRN_OK) return fail(page, r);
        page->tools[tool] = index;
    }
    const int index = page->tools[tool];
    if (index < MOVERS)
        r = view_mover_place(page->sim, index, &page->movers[index], (view_vec){x, y, z}, yaw,
                             size);
    page->out[0] = index;
    return fail(page, r);
}

// Lets a collider follow a point, at most `speed_max` m/s fast. A plow turns to where it goes.
EMSCRIPTEN_KEEPALIVE void web_pull(web_page* page, int index, double x, double y, double z,
                                   double speed_max)
{
    if (index < 0 || index >= MOVERS) return;
    const view_pull pull = {.target = {x, y, z},
                            .speed_max = fmin(speed_max, VIEW_FOLLOW_SPEED),
                            .steers = index == page->tools[WEB_PLOW]};
    view_mover_pull(&page->movers[index], &pull);
}

EMSCRIPTEN_KEEPALIVE int web_release(web_page* page, int index)
{
    if (index < 0 || index >= MOVERS) return 0;
    return fail(page, view_mover_release(page->sim, index, &page->movers[index]));
}

// Throws a ball of snow, of the simulation's first material.
EMSCRIPTEN_KEEPALIVE int web_throw(web_page* page, double x, double y, double z, double vx,
                                   double vy, double vz, double radius)
{
    firn_scene* store;
    firn_result r = firn_scene_create(&store);
    if (r != FIRN_OK) return fail(page, r);
    firn_snow_def def = firn_default_snow_def();
    def.velocity = vec(vx, vy, vz);
    const firn_placement where = {vec(x, y, z), {1, 0, 0, 0}};
    r = firn_scene_sphere(store, vec(0, 0, 0), (firn_real)radius, &def.shape);
    if (r == FIRN_OK) r = firn_sim_add_snow(page->sim, store, &def, &where, NULL);
    r = (firn_result)fail(page, r);
    firn_scene_destroy(store);
    return r;
}

EMSCRIPTEN_KEEPALIVE int web_set_temperature(web_page* page, double celsius)
{
    return fail(page, firn_sim_set_temperature(page->sim, celsius));
}

EMSCRIPTEN_KEEPALIVE int web_set_gravity(web_page* page, double x, double y, double z)
{
    return fail(page, firn_sim_set_gravity(page->sim, vec(x, y, z)));
}
