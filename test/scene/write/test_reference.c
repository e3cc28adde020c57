// SPDX-License-Identifier: MIT
// The reference and the schema name every key, the committed page is the generated one, and the
// defaults that the tables print are the defaults that a scene gets.
#include <stdlib.h>

#include "core/file.h"
#include "scene/data/presets.h"
#include "scene/keys/blocks.h"
#include "scene/keys/shape_keys.h"
#include "scene/parse/document.h"
#include "scene/scene_fixture.h"
#include "scene/write/reference.h"
#include "scene/write/scene_write.h"
#include "solver/solver.h"

#define SOLVERS_MAX 16

typedef struct real_solvers {
    firn_scene_solver list[SOLVERS_MAX];
    size_t count;
} real_solvers;

static real_solvers all_solvers(void)
{
    real_solvers s = {.count = firn_solver_count};
    assert_at_most(firn_solver_count, SOLVERS_MAX);
    for (size_t i = 0; i < firn_solver_count; i++)
        s.list[i] = (firn_scene_solver){firn_solvers[i]->name, firn_solvers[i]->keys};
    return s;
}

// ---- every key is there -------------------------------------------------------------------------

typedef void (*key_fn)(const firn_key* key, const void* user);

static void for_each_key(const firn_key_block* block, key_fn visit, const void* user)
{
    for (size_t i = 0; i < block->key_count; i++) {
        visit(&block->keys[i], user);
        if (block->keys[i].block != NULL) for_each_key(block->keys[i].block, visit, user);
    }
}

static void expect_in_markdown(const firn_key* key, const void* text)
{
    char name[100];
    snprintf(name, sizeof name, "`%s`", key->name);
    if (strstr(text, name) == NULL) print_error("no %s in the reference\n", name);
    assert_contains(text, name);
    if (key->help != NULL) assert_contains(text, key->help);
    assert_true(key->help != NULL || key->block != NULL);
}

static void expect_in_schema(const firn_key* key, const void* text)
{
    char name[100];
    snprintf(name, sizeof name, "\"%s\":{", key->name);
    if (strstr(text, name) == NULL) print_error("no %s in the schema\n", name);
    assert_contains(text, name);
}

static void test_all_keys_are_listed(void** state)
{
    (void)state;
    const real_solvers s = all_solvers();
    firn_root root;
    assert_int_equal(firn_root_create(s.list, s.count, &root), FIRN_OK);
    char* markdown = firn_scene_reference_markdown(s.list, s.count);
    char* schema = firn_scene_reference_schema(s.list, s.count);
    assert_non_null(markdown);
    assert_non_null(schema);
    for_each_key(&root.block, expect_in_markdown, markdown);
    for_each_key(&root.block, expect_in_schema, schema);
    for_each_key(&firn_shape_kinds, expect_in_markdown, markdown);
    for_each_key(&firn_shape_kinds, expect_in_schema, schema);
    for (size_t i = 0; i < firn_preset_count; i++)
        assert_contains(markdown, firn_presets[i].source);
    firn_free(markdown);
    firn_free(schema);
    firn_root_destroy(&root);
}

// ---- the schema is a schema ---------------------------------------------------------------------

// Names after "required" and "$ref" must exist.
static void check_schema_node(const firn_doc_node* node)
{
    const firn_doc_node* required = firn_doc_find(node, "required");
    if (required != NULL && required->type == FIRN_DOC_LIST)
        for (const firn_doc_node* r = required->first; r != NULL; r = r->next)
            assert_non_null(firn_doc_find(firn_doc_find(node, "properties"), r->text));
    const firn_doc_node* ref = firn_doc_find(node, "$ref");
    if (ref != NULL) assert_string_equal(ref->text, "#/definitions/shape");
    for (const firn_doc_node* child = node->first; child != NULL; child = child->next)
        check_schema_node(child);
}

static void test_schema_is_json(void** state)
{
    (void)state;
    const real_solvers s = all_solvers();
    char* schema = firn_scene_reference_schema(s.list, s.count);
    firn_diagnostics d = {0};
    firn_doc doc;
    firn_doc_init(&doc, &d);
    const int source = firn_doc_add_source(&doc, "schema", schema, strlen(schema));
    const firn_doc_node* root =
        firn_doc_read(&doc, source, schema, strlen(schema));  // JSON is YAML
    assert_int_equal(d.error_count, 0);
    assert_non_null(root);
    firn_doc_check_duplicates(&doc, root);
    assert_int_equal(d.error_count, 0);
    assert_string_equal(firn_doc_find(root, "$schema")->text,
                        "http://json-schema.org/draft-07/schema#");
    const firn_doc_node* properties = firn_doc_find(root, "properties");
    assert_non_null(
        firn_doc_find(firn_doc_find(firn_doc_find(root, "definitions"), "shape"), "properties"));
    for (size_t i = 0; i < s.count; i++) assert_non_null(firn_doc_find(properties, s.list[i].name));
    check_schema_node(root);
    firn_doc_destroy(&doc);
    firn_free(schema);
}

static void test_committed_page_is_current(void** state)
{
    (void)state;
    const real_solvers s = all_solvers();
    char* generated = firn_scene_reference_markdown(s.list, s.count);
    char* committed = NULL;
    size_t bytes;
    firn_error error = {0};
    const firn_result read = firn_file_read(FIRN_SOURCE_DIR "/docs/scene-reference.md", 1 << 20,
                                            &committed, &bytes, &error);
    if (read != FIRN_OK) print_error("%s\n", error.text);
    assert_int_equal(read, FIRN_OK);
    if (strcmp(generated, committed) != 0)
        print_error("run: firn help scene --markdown > docs/scene-reference.md\n");
    assert_string_equal(generated, committed);
    firn_free(generated);
    firn_free(committed);
}

// ---- printed defaults are real
// -------------------------------------------------------------------

// Whether a default is a value, not a sentence such as "chosen by the solver".
static bool is_value(const firn_key* key)
{
    if (key->fallback == NULL || key->fallback[0] == 0) return false;
    switch (key->type) {
    case FIRN_KEY_BOOL:
    case FIRN_KEY_FLAGS:
    case FIRN_KEY_ENUM: return true;
    case FIRN_KEY_VEC3:
    case FIRN_KEY_ROTATION: return key->fallback[0] == '[';
    case FIRN_KEY_INT:
    case FIRN_KEY_REAL: return strchr("0123456789.-", key->fallback[0]) != NULL;
    default: return false;
    }
}

// The scene as data says it, with `extra` appended to the text.
static char* written(const real_solvers* s, const char* text)
{
    firn_scene_data scene;
    firn_diagnostics d = {0};
    const firn_result result =
        firn_scene_parse_text(text, strlen(text), "test.yaml", s->list, s->count, NULL, &scene, &d);
    if (result != FIRN_OK) {
        char* messages = firn_diagnostics_text(&d);
        print_error("%s\n%s", text, messages);
        firn_free(messages);
    }
    firn_diagnostics_destroy(&d);
    assert_int_equal(result, FIRN_OK);
    firn_free(scene.effective);
    scene.effective = NULL;
    char* data = firn_scene_to_yaml(&scene);
    firn_scene_data_destroy(&scene);
    assert_non_null(data);
    return data;
}

// `format` takes the block's text, "{key: value}".
static void check_defaults(const real_solvers* s, const firn_key_block* block, const char* format,
                           const char* base)
{
    for (size_t i = 0; i < block->key_count; i++) {
        const firn_key* key = &block->keys[i];
        if (!is_value(key)) continue;
        char pair[300], text[2000];
        snprintf(pair, sizeof pair, "%s: %s", key->name, key->fallback);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(text, sizeof text, format, pair);
#pragma GCC diagnostic pop
        char* with = written(s, text);
        char* without = written(s, base);
        if (strcmp(with, without) != 0)
            print_error("the default of '%s' in '%s' is not %s\n", key->name, block->name,
                        key->fallback);
        assert_string_equal(with, without);
        firn_free(with);
        firn_free(without);
    }
}

#define BALL "shape: {sphere: {radius: 1}}"

static void test_printed_defaults(void** state)
{
    (void)state;
    const real_solvers s = all_solvers();
    firn_root root;
    assert_int_equal(firn_root_create(s.list, s.count, &root), FIRN_OK);
    check_defaults(&s, &root.block, "firn: 1\n%s\n", "firn: 1\n");
    check_defaults(&s, &firn_time_keys, "firn: 1\ntime: {%s}\n", "firn: 1\n");
    check_defaults(&s, &firn_output_keys, "firn: 1\noutput: {%s}\n", "firn: 1\n");
    check_defaults(&s, &firn_render_keys, "firn: 1\nrender: {%s}\n", "firn: 1\n");
    check_defaults(&s, &firn_snow_keys, "firn: 1\nsnow: [{" BALL ", %s}]\n",
                   "firn: 1\nsnow: [{" BALL "}]\n");
    check_defaults(&s, &firn_collider_keys, "firn: 1\ncolliders: [{" BALL ", %s}]\n",
                   "firn: 1\ncolliders: [{" BALL "}]\n");
    for (size_t i = 0; i < s.count; i++) {
        char format[200], base[200];
        snprintf(format, sizeof format, "firn: 1\nsolver: %s\n%s: {%%s}\n", s.list[i].name,
                 s.list[i].name);
        snprintf(base, sizeof base, "firn: 1\nsolver: %s\n", s.list[i].name);
        check_defaults(&s, s.list[i].keys, format, base);
    }
    firn_root_destroy(&root);
}

static void test_without_memory(void** state)
{
    (void)state;
    const real_solvers s = all_solvers();
    for (int which = 0; which < 2; which++) {
        const uint64_t before = firn_memory_read().bytes;
        uint64_t k = 1;
        for (;; k++) {
            firn_memory_fail_at(k, false);
            char* text = which == 0 ? firn_scene_reference_markdown(s.list, s.count)
                                    : firn_scene_reference_schema(s.list, s.count);
            firn_memory_fail_at(0, false);
            firn_free(text);
            assert_equal(firn_memory_read().bytes, before);
            if (text != NULL) break;
        }
        assert_greater(k, 3);
    }
}

int test_reference(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_keys_are_listed),
        cmocka_unit_test(test_schema_is_json),
        cmocka_unit_test(test_committed_page_is_current),
        cmocka_unit_test(test_printed_defaults),
        cmocka_unit_test(test_without_memory),
    };
    return cmocka_run_group_tests_name("reference", tests, NULL, NULL);
}
