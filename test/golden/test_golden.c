// SPDX-License-Identifier: MIT
// Stored state hashes: a few frames of small scenes (golden/*.yaml) that use what each solver has.
// A change of any bit of a result shows here, on any compiler.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "firn/firn.h"
#include "firn_test.h"

typedef struct golden_row {
    const char* scene;    // golden/<scene>.yaml
    const char* variant;  // of that scene; "": none
    const char* simd;
    uint64_t hash;
} golden_row;

static const golden_row golden[] = {
#define GOLDEN(scene, variant, simd, hash) {scene, variant, simd, hash},
#include "golden/golden_hashes.h"
#undef GOLDEN
};

// Null: this machine lacks the SIMD level.
static firn_sim* create(const golden_row* row, const char* simd, int threads)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/test/golden/%s.yaml", FIRN_SOURCE_DIR, row->scene);
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    firn_load_def load = firn_default_load_def();
    if (*row->variant) load.variant = row->variant;
    if (firn_scene_load(scene, path, &load) != FIRN_OK) fail_msg("%s", firn_scene_messages(scene));
    firn_sim_def def = firn_default_sim_def();
    def.threads = threads;
    def.simd = simd;
    firn_sim* sim = NULL;
    firn_error error;
    const firn_result r = firn_sim_create(scene, &def, &sim, &error);
    if (r != FIRN_OK && r != FIRN_REFUSED_BACKEND) fail_msg("%s", error.text);
    firn_scene_destroy(scene);
    return r == FIRN_OK ? sim : NULL;
}

// False: this machine lacks the SIMD level. "plain" runs the plain loops of the best level there
// is: its hashes hold with fused multiply-add, on x86-64-v3 and above.
static bool find_hash(const golden_row* row, int threads, uint64_t* out_hash)
{
    if (strcmp(row->simd, "plain") == 0) {
        firn_sim* fused = create(row, "x86-64-v3", threads);
        if (fused == NULL) return false;
        firn_sim_destroy(fused);
    }
    firn_sim* sim = create(row, row->simd, threads);
    if (sim == NULL) return false;
    assert_int_equal(firn_sim_run(sim), FIRN_OK);
    *out_hash = firn_sim_hash(sim);
    firn_sim_destroy(sim);
    return true;
}

static void hashes(void** state)
{
    (void)state;
    int wrong = 0, checked = 0;
    for (size_t k = 0; k < sizeof golden / sizeof *golden; k++) {
        const golden_row* row = &golden[k];
        uint64_t hash;
        if (!find_hash(row, 1 + (int)k % 3, &hash)) continue;
        checked++;
        print_message("GOLDEN(\"%s\", \"%s\", \"%s\", 0x%016" PRIx64 ")%s\n", row->scene,
                      row->variant, row->simd, hash, hash == row->hash ? "" : "  differs");
        wrong += hash != row->hash;
    }
    assert_int_equal(wrong, 0);
    assert_at_least(checked, 4);  // the baseline is everywhere
}

int test_golden(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hashes)};
    return cmocka_run_group_tests_name("golden", tests, NULL, NULL);
}
