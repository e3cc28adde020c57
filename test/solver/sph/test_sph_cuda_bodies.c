// SPDX-License-Identifier: MIT
// Colliders that deform, change their scale or have a mass, in snow of sph on a device: bitwise as
// on the CPU, frame by frame.
#include "solver/sph/device_sph.h"

#define WAVE FIRN_TEST_TMP "/wave.%03d.obj"
#define TURN FIRN_TEST_TMP "/turn.%03d.obj"

// A box that bends and stretches from key to key; `turns`: every second key has its triangles in
// another order, so that nothing tells which vertex goes where.
static void write_key(const char* pattern, int key, bool turns)
{
    static const int faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                     {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                     {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    char path[300];
    snprintf(path, sizeof path, pattern, key);
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    for (int v = 0; v < 8; v++) {
        const double x = v & 1 ? 0.3 : -0.3, y = v & 2 ? 0.5 : 0.05, z = v & 4 ? 0.4 : -0.4;
        fprintf(file, "v %.6f %.6f %.6f\n", -0.9 + 0.08 * key + x * (1 + 0.1 * key * (y > 0.1)),
                y + 0.02 * key * (z > 0), z);
    }
    for (int f = 0; f < 12; f++) {
        const int* t = faces[turns && key % 2 == 1 ? 11 - f : f];
        fprintf(file, "f %d %d %d\n", t[0] + 1, t[1] + 1, t[2] + 1);
    }
    assert_int_equal(fclose(file), 0);
}

static void write_keys(void)
{
    for (int key = 0; key < 6; key++) {
        write_key(WAVE, key, false);
        write_key(TURN, key, true);
    }
}

// Forces on colliders are integers: bitwise equal, too.
static void loads_agree(const firn_sim* a, const firn_sim* b)
{
    firn_collider_id x, y;
    for (int c = 0; firn_sim_body_at(a, c, &x) == FIRN_OK; c++) {
        firn_body_load step[2], mean[2];
        assert_int_equal(firn_sim_body_at(b, c, &y), FIRN_OK);
        assert_int_equal(firn_sim_body_load(a, x, &step[0], &mean[0]), FIRN_OK);
        assert_int_equal(firn_sim_body_load(b, y, &step[1], &mean[1]), FIRN_OK);
        assert_memory_equal(&step[0], &step[1], sizeof step[0]);
    }
}

// Runs it on both, and compares every frame.
static void as_on_the_cpu(const char* scene, const char* override)
{
    const device_way way = {.scene = scene, .override = override};
    device_way there = way;
    there.on_device = true;
    firn_sim *cpu = device_sim(&way), *other = device_sim(&there);
    uint64_t before = 0;
    for (int frame = 1; frame <= DEVICE_FRAMES; frame++) {
        device_frame(cpu);
        device_frame(other);
        const uint64_t hash = firn_sim_hash(cpu);
        assert_not_equal(hash, before);
        before = hash;
        if (firn_sim_hash(other) != hash) fail_msg("%s: other bits in frame %d", override, frame);
        assert_equal(firn_sim_read(cpu).dt, firn_sim_read(other).dt);
        loads_agree(cpu, other);
    }
    print_message("%s: %d steps\n", override, (int)firn_sim_read(cpu).step);
    firn_sim_destroy(cpu);
    firn_sim_destroy(other);
}

// The box ploughs, whose vertices are followed or whose surface is; with a motion of its own; far
// away at first; and in contact with friction of all kinds.
static void deforming_colliders(void** state)
{
    (void)state;
    static const char* const ways[] = {
        "colliders.1={animation: {file: \"" WAVE "\", voxel: 0.05, fps: 40}, friction: 0.3}",
        "colliders.1={animation: {file: \"" TURN "\", voxel: 0.05, fps: 40}, adhesion: 3}",
        "colliders.1={animation: {file: \"" WAVE "\", voxel: 0.05, fps: 40}, scale: 1.2, "
        "velocity: [1, 0, 0], spin: [0, 1, 0]}",
        "colliders.1={animation: {file: \"" WAVE "\", voxel: 0.05, fps: 40}, "
        "position: [-0.5, 0, 0], velocity: [7, 0, 0]}",
    };
    write_keys();
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) as_on_the_cpu(NULL, ways[k]);
}

// A ball that grows by two thirds, through several scales for which it is sampled.
static void growing_colliders(void** state)
{
    (void)state;
    as_on_the_cpu(
        NULL, "colliders.1={shape: {sphere: {center: [0, 0, 0], radius: 0.3}}, position: [-0.8, "
              "0.3, 0], keyframes: [{time: 0}, {time: 0.08, position: [-0.6, 0.3, 0], scale: "
              "1.7}]}");
}

// A ball falls on the snow and rolls against a chain of boxes that hangs from a joint; a light
// plate lies on the snow, next to a heavy block on the ground that snow slides against.
static const char pushed[] =
    "firn: 1\n"
    "solver: sph\n"
    "time: {frames: 4, fps: 50}\n"
    "sph: {spacing: 0.05}\n"
    "snow:\n"
    "  - shape: {box: {center: [0, 0.15, 0], size: [1.2, 0.3, 0.8]}}\n"
    "    velocity: [1, 0, 0]\n"
    "colliders:\n"
    "  - {shape: {plane: {}}, friction: 0.4}\n"
    "  - {shape: {sphere: {center: [0, 0, 0], radius: 0.15}}, position: [-0.2, 0.5, 0],\n"
    "     velocity: [2, -3, 0], spin: [0, 0, 4], mass: 12, friction: 0.3}\n"
    "  - {shape: {box: {center: [0, 0, 0], size: [0.1, 0.3, 0.1]}}, position: [0.3, 0.5, 0],\n"
    "     mass: 2, friction: 0.5}\n"
    "  - {shape: {box: {center: [0, 0, 0], size: [0.4, 0.05, 0.3]}}, position: [-0.3, 0.33, "
    "-0.2],\n"
    "     mass: 0.3}\n"
    "  - {shape: {box: {center: [0, 0, 0], size: [0.2, 0.4, 0.6]}}, position: [0.75, 0.2001, 0],\n"
    "     mass: 60, friction: 0.6}\n"
    "joints:\n"
    "  - {kind: ball, a: 2, point: [0.3, 0.66, 0]}\n"
    "output: {preview: false, film: false}\n";

static const char* const contacts[] = {"sph={spacing: 0.05}",
                                       "sph={spacing: 0.05, contact: coulomb, gravity_rise: 0.02}",
                                       "sph={spacing: 0.05, contact: paper, elasticity: combined}"};

// Snow, colliders and loads, with every kind of contact.
static void dynamic_colliders(void** state)
{
    (void)state;
    for (size_t k = 0; k < sizeof contacts / sizeof *contacts; k++) {
        as_on_the_cpu(pushed, contacts[k]);
    }
}

// A ball sinks in water and snow swims on it; a light box swims, too, and a plate on a hinge stands
// in honey: what fluids push and drag, beside snow.
static const char bathed[] =
    "firn: 1\n"
    "solver: sph\n"
    "time: {frames: 4, fps: 50}\n"
    "sph: {spacing: 0.05}\n"
    "materials:\n"
    "  pond: {phase: water, density: 1000}\n"
    "  honey: {phase: viscous, viscosity: 5, density: 1200}\n"
    "snow:\n"
    "  - {shape: {box: {center: [-0.3, 0.2, 0], size: [0.6, 0.4, 0.6]}}, material: pond}\n"
    "  - {shape: {box: {center: [0.3, 0.15, 0], size: [0.6, 0.3, 0.6]}}, material: honey,\n"
    "     velocity: [0.5, 0, 0]}\n"
    "  - {shape: {box: {center: [-0.4, 0.5, 0], size: [0.3, 0.2, 0.3]}}}\n"
    "colliders:\n"
    "  - {shape: {plane: {}}, friction: 0.4}\n"
    "  - {shape: {sphere: {center: [0, 0, 0], radius: 0.1}}, position: [-0.1, 0.5, 0],\n"
    "     velocity: [0, -2, 0], mass: 12, friction: 0.3}\n"
    "  - {shape: {box: {center: [0, 0, 0], size: [0.2, 0.1, 0.2]}}, position: [0.2, 0.36, 0.1],\n"
    "     mass: 1}\n"
    "  - {shape: {box: {center: [0, 0, 0], size: [0.1, 0.6, 0.4]}}, position: [0.67, 0.31, 0],\n"
    "     mass: 5, viscosity: 0.1}\n"
    "joints:\n"
    "  - {kind: hinge, a: 3, point: [0.67, 0.62, 0], axis: [0, 0, 1]}\n"
    "output: {preview: false, film: false}\n";

// In water and honey, and where there is no snow.
static void dynamic_colliders_in_fluids(void** state)
{
    (void)state;
    for (size_t k = 0; k < sizeof contacts / sizeof *contacts; k++)
        as_on_the_cpu(bathed, contacts[k]);
    as_on_the_cpu(bathed, "snow.2.material=honey");
}

// Snow that would cross more than two spacings in a step: both roll back to the snapshot, bodies
// included, and go on with shorter steps to the same end.
static void rolls_back_as_on_the_cpu(void** state)
{
    (void)state;
    static const struct {
        const char *scene, *fast;
    } wild[] = {{NULL, "snow.1.velocity=[0, -6, 0]"}, {pushed, "snow.0.velocity=[6, 0, 0]"}};
    for (size_t k = 0; k < sizeof wild / sizeof *wild; k++) {
        uint64_t hash[2];
        int rollbacks[2];
        firn_result result[2];
        for (int side = 0; side < 2; side++) {
            firn_sim* sim = device_sim(&(device_way){.scene = wild[k].scene,
                                                     .override = "sph={spacing: 0.05, dt: 0.02}",
                                                     .also = wild[k].fast,
                                                     .on_device = side == 1});
            result[side] = firn_sim_run(sim);
            rollbacks[side] = (int)firn_sim_read(sim).rollbacks;
            hash[side] = result[side] == FIRN_OK ? firn_sim_hash(sim) : 0;
            firn_sim_destroy(sim);
        }
        print_message("%d rollbacks, result %d\n", rollbacks[0], (int)result[0]);
        assert_greater(rollbacks[0], 0);
        assert_int_equal(rollbacks[0], rollbacks[1]);
        assert_int_equal(result[0], result[1]);
        assert_equal(hash[0], hash[1]);
    }
}

int test_sph_cuda_bodies(void)
{
    if (!device_open_sph()) return FIRN_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deforming_colliders), cmocka_unit_test(growing_colliders),
        cmocka_unit_test(dynamic_colliders), cmocka_unit_test(dynamic_colliders_in_fluids),
        cmocka_unit_test(rolls_back_as_on_the_cpu)};
    return cmocka_run_group_tests_name("sph_cuda_bodies", tests, NULL, NULL);
}
