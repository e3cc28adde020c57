// SPDX-License-Identifier: MIT
// Checkpoints whose checksums are right and whose values are wrong: every field of every solver,
// the header and the block of other state. Each is refused with file, field and particle, or is
// harmless; none crashes or hangs.
#include <float.h>
#include <math.h>

#include "firn/firn.h"
#include "forge.h"
#include "output/sample.h"
#include "sim/sim.h"

// Small, with every optional field: factors, heat, B_p, emitters, a dynamic collider.
#define COMMON                                                             \
    "firn: 1\n"                                                            \
    "time: {frames: 2, fps: 500}\n"                                        \
    "output: {preview: false, film: false, checkpoint: {every: 1}}\n"      \
    "materials: {a: {preset: snow}, b: {preset: snow}}\n"                  \
    "mpm: {cell: 0.03, transfer: apic, integrator: auto}\n"                \
    "sph: {spacing: 0.02}\n"                                               \
    "grains: {radius: 0.01}\n"                                             \
    "ballistic: {spacing: 0.02}\n"                                         \
    "snow:\n"                                                              \
    "  - shape: {box: {center: [0, 0.04, 0], size: [0.08, 0.06, 0.08]}}\n" \
    "    material: b\n"
#define FLOOR      \
    "colliders:\n" \
    "  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n"
#define VARY "    vary: {compression: {noise: {scale: 0.05, amount: 0.2}}}\n"
static const struct {
    const char *solver, *text;
} cases[] = {
    {"mpm", COMMON VARY FLOOR},
    {"sph", COMMON VARY FLOOR "air: {temperature: -5}\n"
                              "emitters:\n"
                              "  - {shape: {box: {center: [0, 0.2, 0], size: [0.1, 0.02, 0.1]}}, "
                              "rate: 5000}\n"},
    {"grains", COMMON FLOOR "air: {temperature: -5}\n"},
    {"ballistic", COMMON FLOOR},
    // Slow to create, because of the integrals over its volume: not in every test.
    {"grains",
     COMMON FLOOR "  - {shape: {sphere: {center: [0, 0.2, 0], radius: 0.03}}, mass: 1}\n"},
};
enum { CASES = 4, WITH_BODY = 4 };

static const char* const dirs[] = {FIRN_TEST_TMP "/mpm", FIRN_TEST_TMP "/sph",
                                   FIRN_TEST_TMP "/grains", FIRN_TEST_TMP "/ballistic",
                                   FIRN_TEST_TMP "/body"};

static firn_sim* start(int k, int64_t frame_end, bool resume)
{
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    char solver[64];
    snprintf(solver, sizeof solver, "solver=%s", cases[k].solver);
    const char* override = solver;
    firn_load_def load = firn_default_load_def();
    load.overrides = &override;
    load.override_count = 1;
    if (firn_scene_load_text(scene, cases[k].text, "forged", &load) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    firn_sim_def def = firn_default_sim_def();
    def.threads = 1;
    def.output_dir = dirs[k];
    def.frame_end = frame_end;
    def.resume = resume;
    def.overwrite = !resume;
    firn_sim* sim;
    firn_error error;
    if (firn_sim_create(scene, &def, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
    firn_scene_destroy(scene);
    return sim;
}

// The run of a case up to frame 1, as it was written; `sim` has its fields.
typedef struct original {
    int solver;
    const char* dir;
    firn_sim* sim;
    firn_sim* next;  // to resume with; null: not created yet
    char file[256], path[1024];
    char *state, *manifest;
    size_t state_bytes, manifest_bytes;
    const firn_particles* particles;
} original;

// Made by the first test that needs it and restored by each: grains take long to seed.
static original originals[WITH_BODY + 1];

static original* begin(int k)
{
    original* o = &originals[k];
    if (o->sim != NULL) return o;
    *o = (original){.solver = k, .dir = dirs[k], .sim = start(k, 1, false)};
    if (firn_sim_run(o->sim) != FIRN_OK) fail_msg("%s", firn_sim_error(o->sim));
    o->particles = o->sim->solver->particles(o->sim->self);
    assert_true(o->particles->count > 20);
    firn_manifest m;
    assert_int_equal(firn_manifest_read(o->dir, &m, NULL), FIRN_OK);
    const char* file = firn_manifest_find(&m, FIRN_ENTRY_CHECKPOINT, 1)->file;
    snprintf(o->file, sizeof o->file, "%s", file);
    snprintf(o->path, sizeof o->path, "%s/%s", dirs[k], file);
    firn_manifest_destroy(&m);
    o->state = sample_bytes(o->path, &o->state_bytes);
    char path[1024];
    snprintf(path, sizeof path, "%s/manifest.json", o->dir);
    o->manifest = sample_bytes(path, &o->manifest_bytes);
    return o;
}

static void restore(const original* o)
{
    sample_put(o->path, o->state, o->state_bytes);
    char path[1024];
    snprintf(path, sizeof path, "%s/manifest.json", o->dir);
    sample_put(path, o->manifest, o->manifest_bytes);
}

static int end_all(void** state)
{
    (void)state;
    for (int k = 0; k <= WITH_BODY; k++) {
        firn_sim_destroy(originals[k].sim);
        firn_sim_destroy(originals[k].next);
        firn_free(originals[k].state);
        firn_free(originals[k].manifest);
    }
    return 0;
}

// Seals the forged checkpoint and resumes the run to frame 2. A refusal leaves the simulation as it
// was, so that it serves the next checkpoint, too.
static firn_result resume(original* o, char* out_text, size_t size)
{
    forge_seal(o->dir, o->file, 1, o->particles, o->particles->count);
    if (o->next == NULL) o->next = start(o->solver, 2, true);
    const firn_result r = firn_sim_run(o->next);
    snprintf(out_text, size, "%s", firn_sim_error(o->next));
    if (r == FIRN_REFUSED_DAMAGED) return r;
    firn_sim_destroy(o->next);
    o->next = NULL;
    return r;
}

// Refused as damaged, with all of these in the message.
static void refused(original* o, const char* what, const char* field, const char* particle)
{
    char text[2048];
    const firn_result r = resume(o, text, sizeof text);
    if (r != FIRN_REFUSED_DAMAGED || strstr(text, o->path) == NULL || strstr(text, field) == NULL ||
        strstr(text, particle) == NULL)
        fail_msg("%s, %s: result %d with the message: %s", cases[o->solver].solver, what, (int)r,
                 text);
    restore(o);
}

static void untouched_state_resumes(void** state)
{
    (void)state;
    for (int k = 0; k < CASES; k++) {
        original* o = begin(k);
        char text[2048];
        if (resume(o, text, sizeof text) != FIRN_OK) fail_msg("%s", text);
        restore(o);
    }
}

// Values that no state has, for a real field by its name.
static int wrong_reals(const char* field, double out[4])
{
    int n = 0;
    out[n++] = (double)NAN;
    out[n++] = (double)INFINITY;
    const char* const positive[] = {"mass",   "volume",  "plastic_det",   "stiffness",
                                    "radius", "density", "fresh_density", "listed_radius"};
    for (size_t k = 0; k < sizeof positive / sizeof *positive; k++)
        if (strcmp(field, positive[k]) == 0) {
            out[n++] = -1;
            if (strcmp(field, "listed_radius") != 0) out[n++] = 0;
        }
    return n;
}

// And for a field of integers: its largest; -1: all are valid.
static double wrong_integer(const char* field)
{
    const char* const limited[] = {"material", "phase", "broken"};
    for (size_t k = 0; k < sizeof limited / sizeof *limited; k++)
        if (strcmp(field, limited[k]) == 0) return 255;
    return -1;
}

static void every_field_is_checked(void** state)
{
    (void)state;
    for (int k = 0; k < CASES; k++) {
        original* o = begin(k);
        for (int f = 0; f < o->particles->field_count; f++) {
            const firn_field* field = &o->particles->fields[f];
            const bool real = field->type != FIRN_FIELD_U8 && field->type != FIRN_FIELD_U32;
            const size_t each = real ? field->size / sizeof(firn_real) : 1;
            double wrong[4] = {wrong_integer(field->name)};
            const int count = real ? wrong_reals(field->name, wrong) : wrong[0] >= 0;
            char array[128], what[256], quoted[64];
            snprintf(array, sizeof array, "/particles/%s", field->name);
            snprintf(quoted, sizeof quoted, "'%s'", field->name);
            for (int w = 0; w < count; w++) {
                const size_t particle = w % 2 == 0 ? 7 : (size_t)o->particles->count - 1;
                forge_element(o->path, array, particle * each + each / 2, wrong[w]);
                snprintf(what, sizeof what, "%s = %g", field->name, wrong[w]);
                char number[64];
                snprintf(number, sizeof number, "particle %zu", particle);
                refused(o, what, quoted, number);
            }
        }
    }
}

static void ids_are_unique(void** state)
{
    (void)state;
    for (int k = 0; k < CASES; k++) {
        original* o = begin(k);
        const uint32_t* id = firn_particles_find(o->particles, "id")->data;
        forge_element(o->path, "/particles/id", 3, id[9]);
        refused(o, "the same id twice", "'id'", "particle");
        if (k == 1 || k == 2) {  // solvers that count their particles
            forge_element(o->path, "/particles/id", 3, 4e9);
            refused(o, "an id beyond the next one", "'id'", "particle 3");
        }
    }
}

static void shapes_and_types_are_checked(void** state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {  // the same code for all solvers
        original* o = begin(k);
        const hsize_t n = (hsize_t)o->particles->count;
        forge_array(o->path, "/particles/mass", H5T_IEEE_F64BE, n, 1);
        refused(o, "big-endian masses", "mass", "wrong type");
        forge_array(o->path, "/particles/velocity",
                    sizeof(firn_real) == 4 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE, n, 2);
        refused(o, "velocities of two columns", "velocity", "wrong shape");
        forge_array(o->path, "/particles/material", H5T_STD_U8LE, n - 1, 1);
        refused(o, "a material less", "material", "rows");
        forge_array(o->path, "/particles/id", H5T_STD_U32LE, n + 1, 1);
        refused(o, "an id more", "id", "rows");
        const int64_t counts[] = {-1, (int64_t)n + 1, (int64_t)n - 1, INT64_MAX, (int64_t)1 << 40};
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            forge_attribute(o->path, "/particles", "count", H5T_NATIVE_INT64, &counts[c]);
            refused(o, "a wrong count", "particles", "");
        }
    }
}

static void header_is_checked(void** state)
{
    (void)state;
    original* o = begin(0);
    const int64_t integers[] = {-1, INT64_MAX, INT64_MIN, 2};
    for (size_t k = 0; k < 4; k++) {
        forge_attribute(o->path, "/firn", "frame", H5T_NATIVE_INT64, &integers[k]);
        refused(o, "a wrong frame", "frame", "");
        if (integers[k] == 2) continue;
        forge_attribute(o->path, "/firn", "step", H5T_NATIVE_INT64, &integers[k]);
        refused(o, "a wrong step", "step", "");
    }
    const double times[] = {(double)NAN, (double)INFINITY, -1, 1e300, 0, 0.5};
    for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
        forge_attribute(o->path, "/firn", "time", H5T_NATIVE_DOUBLE, &times[k]);
        refused(o, "a wrong time", "time", "");
    }
    const double sizes[] = {(double)NAN, -1, 0, (double)INFINITY};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        forge_attribute(o->path, "/firn", "fps", H5T_NATIVE_DOUBLE, &sizes[k]);
        refused(o, "a wrong rate", "fps", "");
        forge_attribute(o->path, "/firn", "cell", H5T_NATIVE_DOUBLE, &sizes[k]);
        refused(o, "a wrong cell", "cell", "");
    }
}

// The message must not help to forge.
static void hash_is_not_revealed(void** state)
{
    (void)state;
    original* o = begin(0);
    char text[2048], right[32];
    forge_element(o->path, "/particles/velocity", 0, 0.125);
    snprintf(right, sizeof right, "%016llx",
             (unsigned long long)forge_hash(o->path, o->particles, o->particles->count));
    forge_seal(o->dir, o->file, 1, o->particles, o->particles->count);
    const uint64_t other = 1;
    forge_attribute(o->path, "/firn", "state_hash", H5T_NATIVE_UINT64, &other);
    firn_error error;
    forge_seal_file(o->path, FIRN_SEAL_CHECKPOINT);
    firn_manifest m;
    assert_int_equal(firn_manifest_read(o->dir, &m, &error), FIRN_OK);
    assert_int_equal(firn_manifest_add(&m, o->dir, FIRN_ENTRY_CHECKPOINT, 1, o->file, &error),
                     FIRN_OK);
    assert_int_equal(firn_manifest_write(o->dir, &m, &error), FIRN_OK);
    firn_manifest_destroy(&m);
    firn_sim* sim = start(0, 2, true);
    assert_int_equal(firn_sim_run(sim), FIRN_REFUSED_DAMAGED);
    snprintf(text, sizeof text, "%s", firn_sim_error(sim));
    firn_sim_destroy(sim);
    if (strstr(text, right) != NULL || strstr(text, "hash") == NULL) fail_msg("%s", text);
    restore(o);
}

// Every number of the other state, set to what neither it nor its neighbours would be: refused
// with a reason, or the run goes on to the next frame, or it diverges; it ends in any case.
static void other_state_is_checked(void** state)
{
    (void)state;
    const double doubles[] = {(double)NAN, 1e-300, 1e300};
    const int64_t integers[] = {-1};
    for (int k = 0; k < CASES; k++) {
        original* o = begin(k);
        const hid_t file = forge_open(o->path);
        const size_t size = forge_count(file, "/extra");
        H5Fclose(file);
        restore(o);
        int refusals = 0;
        for (size_t at = 0; at + 8 <= size; at += 8)
            for (int v = 0; v < 4; v += k == 2 ? 3 : 1) {
                forge_bytes(o->path, "/extra", at,
                            v < 3 ? (const void*)&doubles[v] : (const void*)&integers[0], 8);
                char text[2048];
                const firn_result r = resume(o, text, sizeof text);
                const bool says = strlen(text) > 20;
                if (r != FIRN_OK &&
                    (!says || (r != FIRN_REFUSED_DAMAGED && r != FIRN_BROKEN_DIVERGED)))
                    fail_msg("%s, byte %zu of %zu, value %d: result %d with the message: '%s'",
                             cases[k].solver, at, size, v, (int)r, text);
                if (r == FIRN_REFUSED_DAMAGED && strstr(text, o->path) == NULL)
                    fail_msg("no file in: %s", text);
                refusals += r == FIRN_REFUSED_DAMAGED;
                restore(o);
            }
        assert_true(refusals > 4);
        forge_array(o->path, "/extra", H5T_STD_U8LE, size - 1, 1);
        refused(o, "other state that is too short", "other state", "");
    }
}

// The pose of a dynamic collider, behind 24 bytes of sim's own and 24 of the solver's.
static void dynamic_colliders_are_checked(void** state)
{
    (void)state;
    original* o = begin(WITH_BODY);
    const firn_real values[] = {(firn_real)NAN, (firn_real)1e30};
    // after the block of grains, the head of the bodies' one: two counts, a time and a gravity
    const size_t first = 48 + 24 + (sizeof(firn_vec3) + 7) / 8 * 8;
    for (size_t v = 0; v < 2; v++)
        for (size_t k = 0; k < 6; k++) {
            forge_bytes(o->path, "/extra", first + sizeof *values * k, &values[v], sizeof *values);
            refused(o, "a collider", "dynamic collider 1", "");
        }
}

// Bonds of grains are bits that count the neighbours of a list.
static void bonds_are_within_lists(void** state)
{
    (void)state;
    original* o = begin(2);
    const hid_t file = forge_open(o->path);
    uint32_t* all = firn_alloc((size_t)o->particles->count, sizeof *all);
    for (firn_local i = 0; i < o->particles->count; i++) all[i] = UINT32_MAX;
    forge_put(file, "/particles/bonds", H5T_NATIVE_UINT32, all);
    forge_put(file, "/particles/bonds_more", H5T_NATIVE_UINT32, all);
    H5Fclose(file);
    firn_free(all);
    refused(o, "bonds with all", "'bonds'", "particle 0");
    forge_element(o->path, "/particles/listed", 3, 1e30);
    refused(o, "listed far away", "'listed'", "particle 1");
    forge_element(o->path, "/particles/listed_radius", 4, 1e3);
    refused(o, "listed with a large radius", "'listed_radius'", "particle 4");
}

int test_run_resume_forged(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(untouched_state_resumes),
        cmocka_unit_test(every_field_is_checked),
        cmocka_unit_test(ids_are_unique),
        cmocka_unit_test(header_is_checked),
        cmocka_unit_test(shapes_and_types_are_checked),
        cmocka_unit_test(hash_is_not_revealed),
        cmocka_unit_test(other_state_is_checked),
        cmocka_unit_test(bonds_are_within_lists),
        cmocka_unit_test(dynamic_colliders_are_checked),
    };
    return cmocka_run_group_tests_name("run_resume_forged", tests, NULL, end_all);
}
