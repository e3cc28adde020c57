// SPDX-License-Identifier: MIT
// Target checkpoint: a forged checkpoint with correct checksums is resumed, and two steps follow.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_hdf5.h"
#include "output/frame/frame.h"
#include "run/run_folder.h"

#define CAP_BASE ((uint64_t)256 << 20)  // [bytes] a small simulation and its checkpoint

#define WORLD(solver, more, snow, bodies)                                                     \
    "firn: 1\nsolver: " solver "\ntime: {frames: 2, fps: 100}\n" more "materials: {a: {" snow \
    "}}\n"                                                                                    \
    "colliders: [{shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}}" bodies "]\n"
#define SCENE(solver, more) WORLD(solver, more, "preset: snow", "")
#define BODIES                                                                               \
    ",\n {shape: {box: {center: [0, 0, 0], size: [0.1, 0.1, 0.1]}}, mass: 2,\n"              \
    "  position: [0.3, 0.05, 0]},\n"                                                         \
    " {shape: {sphere: {center: [0, 0, 0], radius: 0.05}}, position: [0.3, 0.15, 0],\n"      \
    "  mass: 0.5}]\n"                                                                        \
    "joints: [{kind: hinge, a: 1, point: [0.25, 0, 0], axis: [0, 0, 1], angle_low: -0.5},\n" \
    " {kind: rope, a: 2, b: 1, point: [0.3, 0.2, 0], point_b: [0.3, 0, 0]}"
#define PHASES                                               \
    "phase: water, becomes: {material: b, after: 0.004}},\n" \
    " b: {phase: viscous, viscosity: 5, becomes: {material: c, below: -1}}, c: {preset: snow"
#define BOX "snow: [{shape: {box: {center: [0, 0.3, 0], size: [0.2, 0.1, 0.1]}}, material: a}]\n"

static const struct {
    const char *solver, *text;
    bool from_file;    // two particles: packing grains into a shape would be most of the time
    const char* name;  // of the scene that the file must be of; null: any other
} scenes[] = {
    {"mpm", SCENE("mpm", "mpm: {cell: 0.05}\n") BOX, false, NULL},
    {"sph", SCENE("sph", "sph: {spacing: 0.05}\n") BOX, false, NULL},
    {"grains", SCENE("grains", "grains: {radius: 0.025}\n"), true, NULL},
    {"ballistic", SCENE("ballistic", "ballistic: {spacing: 0.05}\n") BOX, false, NULL},
    {"mpm", WORLD("mpm", "mpm: {cell: 0.05}\n", "preset: snow", BODIES) BOX, false, "bodies"},
    {"sph", WORLD("sph", "sph: {spacing: 0.05}\n", "preset: snow", BODIES) BOX, false, "bodies"},
    {"grains", WORLD("grains", "grains: {radius: 0.025}\n", "preset: snow", BODIES), true,
     "bodies"},
    {"sph", WORLD("sph", "sph: {spacing: 0.05}\n", PHASES, "") BOX, false, "phases"},
};
enum { SCENES = sizeof scenes / sizeof scenes[0] };

static const char* scratch_folder(void)
{
    const char* folder = getenv("TMPDIR");
    return folder != NULL ? folder : "/tmp";
}

static char points[512];

static void remove_points(void)
{
    unlink(points);
}

static void write_points(void)
{
    if (points[0] != '\0') return;
    snprintf(points, sizeof points, "%s/firn-fuzz-%d.points.ply", scratch_folder(), (int)getpid());
    FILE* file = fopen(points, "wx");
    firn_fuzz_require(file != NULL, "cannot write to $TMPDIR");
    atexit(remove_points);
    fputs("ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\n"
          "property float z\nend_header\n0 0.3 0\n0.05 0.3 0\n",
          file);
    firn_fuzz_require(fclose(file) == 0, "cannot write to $TMPDIR");
}

// The scene of a solver, loaded once: creating it for every input would be most of the time.
static const firn_scene* find_scene(const char* solver, const char* name)
{
    static firn_scene* loaded[SCENES];
    int k = SCENES - 1;
    while (k > 0 && (strcmp(scenes[k].solver, solver) != 0 ||
                     (scenes[k].name != NULL && strcmp(scenes[k].name, name) != 0)))
        k--;
    if (loaded[k] == NULL) {
        firn_fuzz_require(firn_scene_create(&loaded[k]) == FIRN_OK, "no memory for a scene");
        char text[1600];
        if (scenes[k].from_file) write_points();
        snprintf(text, sizeof text, "%s%s%s%s", scenes[k].text,
                 scenes[k].from_file ? "snow: [{material: a, file: '" : "",
                 scenes[k].from_file ? points : "", scenes[k].from_file ? "'}]\n" : "");
        const firn_result r = firn_scene_load_text(loaded[k], text, "fuzz", NULL);
        firn_fuzz_require(r == FIRN_OK, firn_scene_messages(loaded[k]));
    }
    return loaded[k];
}

static void replace(uint8_t* file, size_t size, uint64_t from, uint64_t to)
{
    for (size_t at = 0; from != 0 && at + sizeof from <= size; at++)
        if (memcmp(file + at, &from, sizeof from) == 0) {
            memcpy(file + at, &to, sizeof to);
            return;
        }
}

// Makes scene and hash of the particles agree with the file, as a forger would.
static const char* forge(firn_sim* sim, uint8_t* file, size_t size, const firn_frame_info* info,
                         firn_local count, size_t extra_size)
{
    firn_error error;
    replace(file, size, info->scene_hash, sim->scene.hash);
    const char* path = firn_fuzz_sealed("h5", FIRN_SEAL_CHECKPOINT, file, size);
    firn_particles* particles = sim->solver->particles(sim->self);
    char* extra = firn_alloc(extra_size + 1, 1);
    firn_fuzz_require(extra != NULL, "more extra state than the size of the file allows");
    const firn_value_limits limits = {.material_count = sim->scene.material_count};
    const firn_result r = firn_checkpoint_read(path, &limits, particles, extra, extra_size, &error);
    firn_fuzz_check(r, &error);
    firn_free(extra);
    if (r == FIRN_OK || particles->capacity < count) return path;
    particles->count = count;  // the arrays have been read, but for their hash
    replace(file, size, info->state_hash, firn_particles_hash(particles));
    particles->count = 0;
    return firn_fuzz_sealed("h5", FIRN_SEAL_CHECKPOINT, file, size);
}

static bool resume(firn_sim* sim, const char* path, int64_t frame)
{
    firn_run_folder folder = {.sim = sim};
    firn_error error;
    firn_result r = firn_manifest_add(&folder.manifest, sim->output_dir, FIRN_ENTRY_CHECKPOINT,
                                      frame, strrchr(path, '/') + 1, &error);
    firn_fuzz_check(r, &error);
    r = firn_run_folder_restore(&folder);
    firn_fuzz_check(r, &sim->error);
    for (int k = 0; k < 2 && r == FIRN_OK; k++) r = firn_sim_step(sim);
    firn_manifest_destroy(&folder.manifest);
    return r == FIRN_OK;
}

bool firn_fuzz_checkpoint(const uint8_t* data, size_t size)
{
    uint8_t* file = (uint8_t*)firn_fuzz_copy(data, size);
    const char* path = firn_fuzz_sealed("h5", FIRN_SEAL_CHECKPOINT, file, size);
    firn_frame_info info;
    firn_local count;
    size_t extra_size;
    firn_error error;
    firn_fuzz_run reading = firn_fuzz_begin(firn_fuzz_cap(size));
    firn_result r = firn_checkpoint_read_info(path, &info, &count, &extra_size, &error);
    firn_fuzz_check(r, &error);
    firn_fuzz_end(&reading);
    bool accepted = false;
    if (r == FIRN_OK) {
        const firn_scene* scene = find_scene(info.solver, info.scene);
        firn_fuzz_run run = firn_fuzz_begin(0);
        firn_sim_def def = firn_default_sim_def();
        def.threads = 1;
        def.memory_cap_bytes = CAP_BASE + FIRN_FUZZ_RATIO * (uint64_t)size;
        def.output_dir = scratch_folder();
        firn_sim* sim = NULL;
        r = firn_sim_create(scene, &def, &sim, &error);
        firn_fuzz_require(r == FIRN_OK, error.text);
        accepted = resume(sim, forge(sim, file, size, &info, count, extra_size), info.frame);
        firn_sim_destroy(sim);
        firn_fuzz_end(&run);
    }
    free(file);
    return accepted;
}
