// SPDX-License-Identifier: MIT
// Stored state hashes: two frames of a small scene that uses seeding, variation, every kind of body
// and both integrators. Any change of any bit of a result shows here, on any compiler.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "firn/firn.h"
#include "firn_test.h"

static const char scene_text[] =
    "firn: 1\n"
    "solver: mpm\n"
    "time: {frames: 2, fps: 60}\n"
    "mpm: {cell: 0.015}\n"
    "ballistic: {spacing: 0.015}\n"
    "materials:\n"
    "  packed: {preset: snow, young: 1.2e5}\n"
    "snow:\n"
    "  - shape: {sphere: {center: [0, 0.07, 0], radius: 0.055}}\n"
    "    material: packed\n"
    "    velocity: [0.5, -4, 0]\n"
    "    spin: [0, 3, 1]\n"
    "    vary: {stiffness: {noise: {scale: 0.03, amount: 0.5}},\n"
    "           shell: {thickness: 0.015, stiffness: 2, density: 1.2}}\n"
    "  - shape: {box: {center: [0.12, 0.04, 0], size: [0.06, 0.06, 0.06]}}\n"
    "    material: packed\n"
    "    velocity: [-2, 0, 0.2]\n"
    "colliders:\n"
    "  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n"
    "    friction: 0.5\n"
    "  - shape: {sphere: {center: [-0.08, 0.0, 0], radius: 0.05}}\n"
    "    sticky: true\n"
    "    velocity: [0.3, 0, 0]\n"
    "    spin: [0, 0, 5]\n";

typedef struct variant {
    const char* name;
    const char* solver;    // null: as the scene says
    const char* override;  // null: none
} variant;

static const variant variants[] = {{"semi-implicit", NULL, NULL},
                                   {"explicit", NULL, "mpm.integrator=explicit"},
                                   {"apic", NULL, "mpm.transfer=apic"},
                                   {"ballistic", "ballistic", NULL}};

// False: this machine lacks the level.
static bool hash_of(const variant* v, const char* simd, int threads, uint64_t* out_hash)
{
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    firn_load_def load = firn_default_load_def();
    load.solver = v->solver;
    load.overrides = &v->override;
    load.override_count = v->override != NULL;
    if (firn_scene_load_text(scene, scene_text, "golden", &load) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    firn_sim_def def = firn_default_sim_def();
    def.threads = threads;
    def.simd = simd;
    firn_sim* sim = NULL;
    firn_error error;
    const firn_result r = firn_sim_create(scene, &def, &sim, &error);
    if (r != FIRN_OK && r != FIRN_REFUSED_BACKEND) fail_msg("%s", error.text);
    if (r == FIRN_OK) {
        assert_int_equal(firn_sim_run(sim), FIRN_OK);
        assert_int_equal(firn_sim_read(sim).frame, 2);
        *out_hash = firn_sim_hash(sim);
        firn_sim_destroy(sim);
    }
    firn_scene_destroy(scene);
    return r == FIRN_OK;
}

static const struct {
    const char *scene, *simd;
    uint64_t hash;
} golden[] = {
#define GOLDEN(scene, simd, hash) {scene, simd, hash},
#include "golden/golden_hashes.h"
#undef GOLDEN
};

static void hashes(void** state)
{
    (void)state;
    int wrong = 0, checked = 0;
    for (size_t k = 0; k < sizeof golden / sizeof *golden; k++) {
        for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
            uint64_t hash;
            if (strcmp(variants[v].name, golden[k].scene) != 0) continue;
            if (!hash_of(&variants[v], golden[k].simd, 1 + (int)k % 3, &hash)) continue;
            checked++;
            print_message("GOLDEN(\"%s\", \"%s\", 0x%016" PRIx64 ")%s\n", golden[k].scene,
                          golden[k].simd, hash, hash == golden[k].hash ? "" : "  differs");
            wrong += hash != golden[k].hash;
        }
    }
    assert_int_equal(wrong, 0);
    assert_true(checked >= 4);  // the baseline is everywhere
}

int test_golden(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hashes)};
    return cmocka_run_group_tests_name("golden", tests, NULL, NULL);
}
