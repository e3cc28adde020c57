// SPDX-License-Identifier: MIT
// The scenes that ship: listed, documented, without mistakes or warnings in any variant, and each
// takes two steps.
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/file.h"
#include "core/memory.h"
#include "firn/firn.h"
#include "firn_test.h"

#define SCENES FIRN_SOURCE_DIR "/scenes"

static bool exists(const char* folder, const char* file)
{
    char path[1000];
    struct stat s;
    snprintf(path, sizeof path, SCENES "/%s/%s", folder, file);
    return stat(path, &s) == 0;
}

static char* read_file(const char* path)
{
    char* text = NULL;
    size_t bytes;
    firn_error error = {0};
    if (firn_file_read(path, 1 << 20, &text, &bytes, &error) != FIRN_OK)
        print_error("%s\n", error.text);
    assert_non_null(text);
    return text;
}

// Calls `visit` with "demo/snowball-drop" for every line of scenes/LIST.
static int for_each_scene(void (*visit)(const char* folder))
{
    char* list = read_file(SCENES "/LIST");
    int count = 0;
    char* rest = NULL;
    for (char* line = strtok_r(list, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        if (line[0] == '#') continue;
        line[strcspn(line, " ")] = 0;
        visit(line);
        count++;
    }
    firn_free(list);
    return count;
}

static void check_folder(const char* folder)
{
    if (!exists(folder, "scene.yaml") || !exists(folder, "README.md")) print_error("%s\n", folder);
    assert_true(exists(folder, "scene.yaml"));
    assert_true(exists(folder, "README.md"));
    if (strncmp(folder, "validation/", 11) == 0) assert_true(exists(folder, "expected.csv"));
}

static int count_folders(void)
{
    static const char* const kinds[] = {"demo", "validation", "bench"};
    int count = 0;
    for (int i = 0; i < 3; i++) {
        char path[1000];
        snprintf(path, sizeof path, SCENES "/%s", kinds[i]);
        DIR* d = opendir(path);
        if (d == NULL) continue;
        for (struct dirent* e = readdir(d); e != NULL; e = readdir(d)) count += e->d_name[0] != '.';
        closedir(d);
    }
    return count;
}

static void test_list_is_complete(void** state)
{
    (void)state;
    assert_int_equal(for_each_scene(check_folder), count_folders());
}

// Loads a variant and expects not even a warning. False: it needs a library that this build was
// made without, and says so.
static bool load_clean(firn_scene* scene, const char* path, const char* variant)
{
    firn_load_def def = firn_default_load_def();
    def.variant = variant;
    firn_scene_info info;
    const bool ok = firn_scene_load(scene, path, &def) == FIRN_OK &&
                    firn_scene_check(scene, 1, &info) == FIRN_OK &&
                    firn_scene_warning_count(scene) == 0;
    if (!ok && strstr(firn_scene_messages(scene), "built without") != NULL) return false;
    if (!ok)
        print_error("%s %s\n%s", path, variant != NULL ? variant : "", firn_scene_messages(scene));
    assert_true(ok);
    assert_greater(strlen(info.title), 10);
    return true;
}

// Particles that a scene has at least after two steps: where snow falls, there may be none yet.
static int64_t fewest_particles(const char* path)
{
    char* text = read_file(path);
    const int64_t fewest = strstr(text, "\nemitters:") != NULL ? 0 : 1000;
    firn_free(text);
    return fewest;
}

static void take_two_steps(firn_scene* scene, const char* path)
{
    const firn_sim_def def = firn_default_sim_def();
    firn_sim* sim = NULL;
    firn_error error = {0};
    if (firn_sim_create(scene, &def, &sim, &error) != FIRN_OK)
        print_error("%s: %s\n", path, error.text);
    assert_non_null(sim);
    for (int i = 0; i < 2; i++) {
        const firn_result result = firn_sim_step(sim);
        if (result != FIRN_OK) print_error("%s: %s\n", path, firn_sim_error(sim));
        assert_int_equal(result, FIRN_OK);
    }
    const int64_t count = firn_sim_read(sim).particle_count;
    if (count < fewest_particles(path)) print_error("%s: %d particles\n", path, (int)count);
    assert_at_least(count, fewest_particles(path));
    firn_sim_destroy(sim);
}

// The scene is loaded once for both: meshes take long.
static void load_and_step(const char* folder)
{
    char path[1000];
    snprintf(path, sizeof path, SCENES "/%s/scene.yaml", folder);
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    const bool whole = load_clean(scene, path, NULL);
    if (whole) take_two_steps(scene, path);
    for (int i = 0; whole && firn_scene_variant(scene, i) != NULL; i++) {
        char name[100];
        snprintf(name, sizeof name, "%s", firn_scene_variant(scene, i));
        load_clean(scene, path, name);
    }
    firn_scene_destroy(scene);
}

static void test_variants_are_clean_and_step(void** state)
{
    (void)state;
    for_each_scene(load_and_step);
    load_and_step("TEMPLATE");
}

// snowball-drop --variant paper is the paper's: table 3 and section 10.
static void test_paper_variant(void** state)
{
    (void)state;
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    firn_load_def def = firn_default_load_def();
    def.variant = "paper";
    assert_int_equal(firn_scene_load(scene, SCENES "/demo/snowball-drop/scene.yaml", &def),
                     FIRN_OK);
    firn_scene_info info;
    assert_int_equal(firn_scene_check(scene, 1, &info), FIRN_OK);
    // the paper has 3.0e5 particles and steps of 0.5 ms; frames are met with slightly shorter steps
    assert_greater(info.particles, 2.97e5);
    assert_less(info.particles, 3.07e5);
    assert_equal(info.cell, 0.0048);
    assert_greater(info.dt, 4.9e-4);
    assert_at_most(info.dt, 5e-4);
    firn_scene_destroy(scene);
}

// The README's example is a scene, and the one that ships as first-scene.
static void test_readme_example(void** state)
{
    (void)state;
    char* readme = read_file(FIRN_SOURCE_DIR "/README.md");
    char* begin = strstr(readme, "```yaml\nfirn: 1\n");
    assert_non_null(begin);
    begin += strlen("```yaml\n");
    char* end = strstr(begin, "```");
    assert_non_null(end);
    *end = 0;
    char* shipped = read_file(SCENES "/demo/first-scene/scene.yaml");
    // Every line of the README stands in the file, in order (the file also has a title and
    // variants).
    const char* at = shipped;
    char* rest = NULL;
    for (char* line = strtok_r(begin, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        line[strcspn(line, "#")] = 0;  // comments may differ
        for (size_t n = strlen(line); n > 0 && line[n - 1] == ' '; n--) line[n - 1] = 0;
        const char* found = strstr(at, line);
        if (found == NULL) print_error("not in first-scene: %s\n", line);
        assert_non_null(found);
        at = found + strlen(line);
    }
    firn_free(shipped);
    firn_free(readme);
}

int test_scene_library(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list_is_complete),
        cmocka_unit_test(test_variants_are_clean_and_step),
        cmocka_unit_test(test_paper_variant),
        cmocka_unit_test(test_readme_example),
    };
    return cmocka_run_group_tests_name("scene_library", tests, NULL, NULL);
}
