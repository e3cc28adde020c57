// SPDX-License-Identifier: MIT
// Runs the calls that null_each.py has written, each in a process of its own: with valid arguments
// a function succeeds; with a null pointer, unless it may be null, or an id that names nothing it
// is refused with a sentence; it never crashes. Starts in an empty folder.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "firn/firn.h"

#define MUST(call)                                                 \
    do {                                                           \
        if ((call) != FIRN_OK) {                                   \
            fprintf(stderr, "%s: %s\n", #call, firn_last_error()); \
            exit(1);                                               \
        }                                                          \
    } while (0)

static const char yaml[] =
    "firn: 1\nsnow:\n  - shape: {sphere: {center: [0, 1, 0], radius: 0.2}}\n";
static const char* const names[] = {"position", "velocity"};
static const double low[3] = {0, 0, 0}, high[3] = {0.1, 0.1, 0.1};

// Valid arguments. `sim` and `scene` are of solver sph, which has emitters; `grains` pushes `ball`.
static struct fixture {
    firn_scene* scene;
    firn_sim *sim, *grains;
    firn_replay* replay;
    firn_heights* heights;
    firn_recording* recording;
    firn_shape_id shape;
    firn_snow_id snow_id;
    firn_collider_id crate, removed_collider, replayed, ball;
    firn_emitter_id emitter_id, removed_emitter;
    firn_joint_id joint_id;
    firn_joint_def joint;
    firn_force_def force;
    firn_gravity_at gravity;
    uint32_t other_owner;
    firn_load_def load;
    firn_material_def material;
    firn_measured_def measured;
    firn_snow_def snow;
    firn_emitter_def emitter;
    firn_collider_def collider;
    firn_body_animation_def animation;
    firn_text_def text_def;
    firn_mesh_def mesh;
    firn_height_def height_def;
    firn_surface_def surface;
    firn_sim_def sim_def;
    firn_export_def export_def;
    firn_measure_def measure;
    firn_trim_def trim;
    firn_render_def render;
    firn_bench_def bench;
    firn_placement where, high;
    firn_body_pose pose;
    firn_ray ray;
    firn_vec3 up, size;
    uint32_t some;
    char* text;
    const char* frame;
    size_t block_size;
    double out[1 << 12];
    unsigned char zeros[4096], block[1 << 20];
} f;

static void set_definitions(void)
{
    static const char* const overrides[] = {"render.samples=1", "render.width=16",
                                            "render.height=16", "render.denoise=false"};
    f.up = (firn_vec3){0, 1, 0};
    f.size = (firn_vec3){1, 1, 1};
    f.where = (firn_placement){{0, 2, 0}, {1, 0, 0, 0}};
    f.high = (firn_placement){{0, 4, 0}, {1, 0, 0, 0}};
    f.pose = (firn_body_pose){{3, 2, 0}, {1, 0, 0, 0}, 1, {0, 0, 0}, {0, 0, 0}};
    f.ray = (firn_ray){{0, 5, 0}, {0, -1, 0}, 10, false, false};
    f.frame = "run/frames/run.0001.hdf";
    f.load = firn_default_load_def();
    f.material = firn_default_material_def();
    f.measured = firn_default_measured_def();
    f.snow = firn_default_snow_def();
    f.snow.clearance = 0;
    f.emitter = firn_default_emitter_def();
    f.emitter.rate = 100;
    f.collider = firn_default_collider_def();
    f.animation = firn_default_body_animation_def();
    f.animation.file = "cube.%04d.obj";
    f.animation.voxel = (firn_real)0.1;
    f.text_def = firn_default_text_def();
    f.text_def.text = "a";
    f.mesh = firn_default_mesh_def();
    f.mesh.file = "cube.0001.obj";
    f.height_def = firn_default_height_def();
    f.height_def.columns = f.height_def.rows = 8;
    f.surface = firn_default_surface_def();
    f.sim_def = firn_default_sim_def();
    f.export_def = firn_default_export_def();
    f.export_def.ply = true;
    f.measure = firn_default_measure_def();
    f.trim = firn_default_trim_def();
    f.force = firn_default_force_def();
    f.gravity = (firn_gravity_at){0, {0, -9, 0}};
    f.render = firn_default_render_def();
    f.render.overrides = overrides;
    f.render.override_count = 4;
    f.render.film = f.render.exr = false;
    f.render.overwrite = true;
    f.bench = firn_default_bench_def();
    f.bench.particles = 1000;
    f.bench.steps = 2;
    f.bench.repeats = 1;
    f.sim_def.threads = f.measure.threads = f.render.threads = f.bench.threads = 1;
    f.export_def.input_dir = f.measure.input_dir = f.render.input_dir = f.trim.dir = "run";
}

static void write_cube(void)
{
    FILE* cube = fopen("cube.0001.obj", "w");
    if (cube == NULL) exit(1);
    for (int k = 0; k < 8; k++) fprintf(cube, "v %d %d %d\n", k & 1, k >> 1 & 1, k >> 2);
    fputs("f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n", cube);
    fclose(cube);
}

// A ball of snow above a collider. Returns the collider's id.
static firn_collider_id build_scene(const char* solver, firn_scene** out_scene,
                                    firn_shape_id* out_shape)
{
    firn_collider_def collider = f.collider;
    firn_collider_id id;
    const bool is_grains = strcmp(solver, "grains") == 0;
    MUST(firn_scene_create(out_scene));
    MUST(firn_scene_set(*out_scene, "solver", solver));
    MUST(firn_scene_set(*out_scene, is_grains ? "grains.radius" : "sph.spacing", "0.05"));
    MUST(firn_scene_sphere(*out_scene, f.up, (firn_real)0.2, out_shape));
    f.snow.shape = f.emitter.shape = f.collider.shape = collider.shape = *out_shape;
    MUST(firn_scene_add_material(*out_scene, &f.material, NULL));
    MUST(firn_scene_add_snow(*out_scene, &f.snow, NULL));
    collider.position = (firn_vec3){0, -2, 0};
    collider.temperature = -5;
    collider.mass = is_grains ? 1 : 0;
    MUST(firn_scene_add_collider(*out_scene, &collider, &id));
    MUST(firn_scene_set(*out_scene, "time.frames", "1"));
    MUST(firn_scene_set(*out_scene, "output.preview", "false"));
    MUST(firn_scene_set(*out_scene, "output.film", "false"));
    return id;
}

static void build_scenes(void)
{
    firn_scene *grains, *other;
    firn_shape_id shape;
    MUST(firn_scene_create(&other));
    MUST(firn_scene_sphere(other, f.up, 1, &shape));
    f.other_owner = shape.owner;
    firn_scene_destroy(other);
    f.ball = build_scene("grains", &grains, &shape);
    MUST(firn_sim_create(grains, &f.sim_def, &f.grains, NULL));
    firn_scene_destroy(grains);
    f.joint = firn_default_joint_def();
    f.joint.a = f.ball;
    MUST(firn_sim_add_joint(f.grains, &f.joint, &f.joint_id));
    f.crate = build_scene("sph", &f.scene, &f.shape);
    MUST(firn_scene_add_emitter(f.scene, &f.emitter, &f.emitter_id));
}

static void build_sims(void)
{
    firn_sim_def def = f.sim_def;
    firn_sim* run;
    def.output_dir = "run";
    MUST(firn_sim_create(f.scene, &def, &run, NULL));
    MUST(firn_sim_run(run));
    firn_sim_destroy(run);
    MUST(firn_replay_open("run", &f.replay, NULL));
    MUST(firn_replay_body_at(f.replay, 0, &f.replayed));
    MUST(firn_sim_create(f.scene, &f.sim_def, &f.sim, NULL));
    MUST(firn_sim_add_snow(f.sim, f.scene, &f.snow, &f.high, &f.snow_id));
    MUST(firn_sim_add_collider(f.sim, f.scene, &f.collider, &f.pose, &f.removed_collider));
    MUST(firn_sim_remove_collider(f.sim, f.removed_collider));
    MUST(firn_sim_add_emitter(f.sim, f.scene, &f.emitter, &f.removed_emitter));
    MUST(firn_sim_remove_emitter(f.sim, f.removed_emitter));
    MUST(firn_sim_step(f.sim));
    MUST(firn_sim_height_box(f.sim, &f.height_def));
    MUST(firn_heights_create(&f.height_def, &f.heights, NULL));
    MUST(firn_sim_save(f.sim, f.block, sizeof f.block, &f.block_size));
    firn_field_edit edit;
    MUST(firn_sim_field_edit(f.sim, "velocity", &edit));
}

// ---- calls --------------------------------------------------------------------------------------

typedef enum expected { EXPECT_OK, EXPECT_REFUSED, EXPECT_ANY } expected;

static bool judge(const char* call, expected e, firn_result r)
{
    const char* sentence = firn_last_error();
    const char* wrong = NULL;
    if (e == EXPECT_REFUSED && r != FIRN_REFUSED_ARGUMENT) wrong = "is not refused";
    if (e == EXPECT_OK && r != FIRN_OK) wrong = "does not succeed";
    if ((r == FIRN_OK) != (sentence[0] == '\0')) wrong = "has the wrong sentence";
    if (strstr(sentence, "(null)") != NULL) wrong = "prints a null pointer";
    if (wrong != NULL) printf("%s %s: %d '%s'\n", call, wrong, (int)r, sentence);
    return wrong == NULL;
}

static const char* const calls[] = {
#define RESULT(k, text, expect, call) text,
#define OTHER(k, text, expect, call) text,
#include "cases.inc"
#undef RESULT
#undef OTHER
};

static bool run_case(int number)
{
    if (strncmp(calls[number], "firn_recording_", 15) == 0 &&
        firn_recording_begin("before.mp4", 16, 16, 24, &f.recording, NULL) != FIRN_OK)
        return true;                // there is no ffmpeg
    (void)firn_scene_create(NULL);  // leaves a sentence
    // clang-format off
    switch (number) {
#define RESULT(k, text, expect, call) case k: return judge(text, expect, call);
#define OTHER(k, text, expect, call) case k: (void)(call); return true;
#include "cases.inc"
    default: return false;
    }
    // clang-format on
}

int main(void)
{
    set_definitions();
    write_cube();
    build_scenes();
    build_sims();
    int failed = 0;
    for (int k = 0; k < CASES; k++) {
        fflush(stdout);
        const pid_t child = fork();
        if (child == 0) {
            alarm(100);
            const bool good = run_case(k);
            fflush(stdout);
            _exit(good ? 0 : 1);
        }
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) != child) return 1;
        if (WIFSIGNALED(status)) printf("%s: signal %d\n", calls[k], WTERMSIG(status));
        failed += status != 0;
    }
    printf("%d calls, %d wrong\n", CASES, failed);
    return failed != 0;
}
