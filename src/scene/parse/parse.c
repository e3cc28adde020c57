// SPDX-License-Identifier: MIT
// Reads a scene from text: parses the tree, merges the variant and the overrides, and reads it with
// the tables. Variants that are not selected are checked for errors only.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/text.h"
#include "scene/data/scene.h"
#include "scene/keys/blocks.h"
#include "scene/parse/diagnostics.h"
#include "scene/parse/parse.h"
#include "scene/parse/reader.h"
#include "scene/write/scene_write.h"

#define VARIANTS_MAX 64

typedef struct job {
    const char* name;    // in messages
    const char* folder;  // base of relative paths; null: none
    const char* text;
    size_t length;
    const firn_scene_solver* solvers;
    size_t solver_count;
    const firn_scene_options* options;
    firn_root root;
    firn_doc base;  // the file without variant and overrides
    bool out_of_memory;
} job;

// ---- variants ---------------------------------------------------------------------------------

static const firn_doc_node* find_variants(const job* j)
{
    const firn_doc_node* variants = firn_doc_find(j->base.root, "variants");
    return variants != NULL && variants->type == FIRN_DOC_MAP ? variants : NULL;
}

static void check_variants(job* j)
{
    const firn_doc_node* variants = firn_doc_find(j->base.root, "variants");
    if (variants == NULL || variants->type == FIRN_DOC_NULL) return;
    if (variants->type != FIRN_DOC_MAP) {
        firn_doc_error(&j->base, variants,
                       "'variants' must be a map: a name and a colon before each");
        return;
    }
    if (variants->count > VARIANTS_MAX)
        firn_doc_error(&j->base, variants, "more than %d variants", VARIANTS_MAX);
    for (const firn_doc_node* v = variants->first; v != NULL; v = v->next) {
        if (v->type != FIRN_DOC_MAP && v->type != FIRN_DOC_NULL)
            firn_doc_error(&j->base, v, "variant '%.60s' must be a block of keys", v->key);
        const firn_doc_node* nested = firn_doc_find(v, "variants");
        if (nested != NULL)
            firn_doc_key_error(&j->base, nested, "a variant cannot have variants of its own");
    }
}

static void keep_variant_names(job* j, firn_scene_data* scene)
{
    const firn_doc_node* variants = find_variants(j);
    if (variants == NULL) return;
    if (!firn_reserve((void**)&scene->variant_names, &scene->variant_capacity, variants->count + 1,
                      sizeof *scene->variant_names)) {
        j->out_of_memory = true;
        return;
    }
    for (const firn_doc_node* v = variants->first; v != NULL; v = v->next) {
        char* name = firn_strdup(v->key);
        if (name == NULL)
            j->out_of_memory = true;
        else
            scene->variant_names[scene->variant_count++] = name;
    }
}

// The selected variant; null for the default and after an error.
static const firn_doc_node* choose_variant(job* j)
{
    const char* name = j->options->variant;
    if (name == NULL) return NULL;
    const firn_doc_node* variants = find_variants(j);
    const firn_doc_node* chosen = firn_doc_find(variants, name);
    if (chosen != NULL) return chosen;
    const char* names[VARIANTS_MAX];
    size_t count = 0;
    char list[400] = "", hint[100];
    size_t used = 0;
    for (const firn_doc_node* v = variants ? variants->first : NULL; v && count < VARIANTS_MAX;
         v = v->next) {
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", count > 0 ? ", " : "",
                                     v->key);
        names[count++] = v->key;
    }
    firn_hint(name, names, count, hint, sizeof hint);
    firn_diagnose(j->base.diagnostics, true, j->name, 0, 0,
                  "the scene has no variant '%.60s'%s%s%s", name, hint,
                  count > 0 ? "; it has: " : " and no others", list);
    return NULL;
}

// ---- reading the tree --------------------------------------------------------------------------

// The solver that the tree selects. The tables report an unknown name; here it means the first
// solver.
static int32_t find_solver(const job* j, const firn_doc* work)
{
    const firn_doc_node* node = firn_doc_find(work->root, "solver");
    if (node != NULL && node->type == FIRN_DOC_SCALAR)
        for (size_t i = 0; i < j->solver_count; i++)
            if (strcmp(j->solvers[i].name, node->text) == 0) return (int32_t)i;
    return 0;
}

static void override_solver(const job* j, firn_doc* work)
{
    const char* name = j->options->solver;
    if (name == NULL) return;
    char source_name[100];
    snprintf(source_name, sizeof source_name, "--solver %s", name);
    const int source = firn_doc_add_source(work, source_name, NULL, 0);
    if (source < 0) return;
    firn_doc_node* node = firn_doc_make(work, FIRN_DOC_SCALAR, source, 0, 0);
    char* key = firn_doc_copy_text(work, "solver", 6);
    char* text = firn_doc_copy_text(work, name, strlen(name));
    if (node == NULL || key == NULL || text == NULL) return;
    node->key = key;
    node->text = text;
    firn_doc_node* old = firn_doc_find(work->root, "solver");
    if (old != NULL)
        firn_doc_replace(work->root, old, node);
    else
        firn_doc_append(work->root, node);
}

// Puts a camera of `render.cameras` in the place of `render.camera`.
static void choose_camera(const job* j, firn_doc* work)
{
    const char* name = j->options->camera;
    if (name == NULL) return;
    firn_doc_node* render = firn_doc_find(work->root, "render");
    const firn_doc_node* cameras = firn_doc_find(render, "cameras");
    const firn_doc_node* chosen = firn_doc_find(cameras, name);
    if (chosen == NULL) {
        char list[400] = "";
        size_t used = 0;
        const bool any = cameras != NULL && cameras->type == FIRN_DOC_MAP && cameras->count > 0;
        for (const firn_doc_node* c = any ? cameras->first : NULL; c && used < sizeof list;
             c = c->next)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "",
                                     c->key);
        firn_diagnose(work->diagnostics, true, j->name, 0, 0,
                      "the scene has no camera '%.60s'; %s%s", name,
                      any ? "render.cameras has: " : "it has no render.cameras", list);
        return;
    }
    firn_doc_node* copy = firn_doc_copy(work, chosen);
    char* key = firn_doc_copy_text(work, "camera", 6);
    if (copy == NULL || key == NULL) return;
    firn_doc_node* old = firn_doc_find(render, "camera");
    copy->key = key;
    if (old != NULL)
        firn_doc_replace(render, old, copy);
    else
        firn_doc_append(render, copy);
}

// Required keys of the solver's block are reported even if the scene has no such block.
static void add_missing_block(const job* j, firn_doc* work, int32_t solver)
{
    const firn_key_block* keys = j->solvers[solver].keys;
    if (firn_doc_find(work->root, keys->name) != NULL) return;
    bool required = false;
    for (size_t i = 0; i < keys->key_count; i++) required |= keys->keys[i].fallback == NULL;
    if (!required) return;
    const firn_doc_node* root = work->root;
    firn_doc_node* node =
        firn_doc_make(work, FIRN_DOC_NULL, root->source, root->line, root->column);
    char* key = firn_doc_copy_text(work, keys->name, strlen(keys->name));
    if (node == NULL || key == NULL) return;
    node->key = key;
    node->key_line = root->line;
    node->key_column = root->column;
    firn_doc_append(work->root, node);
}

// A copy of the tree with this variant merged; the base stays as it is.
static bool prepare_tree(job* j, firn_doc* work, const firn_doc_node* variant, bool dry)
{
    if (firn_doc_add_source(work, j->name, j->text, j->length) < 0) return false;
    work->root = firn_doc_copy(work, j->base.root);
    if (work->root == NULL) return false;
    firn_doc_node* variants = firn_doc_find(work->root, "variants");
    if (variants != NULL) firn_doc_remove(work->root, variants);
    if (variant != NULL && variant->type == FIRN_DOC_MAP) {
        firn_doc_node* merged = firn_doc_merge(work, work->root, variant);
        if (merged == NULL) return false;
        work->root = merged;
    }
    if (!dry) {
        choose_camera(j, work);
        for (size_t i = 0; i < j->options->override_count; i++)
            firn_doc_override(work, j->options->overrides[i], "--set ");
        override_solver(j, work);
    }
    return !work->out_of_memory;
}

static bool keep_text(job* j, char** field, char* text)
{
    if (text == NULL) j->out_of_memory = true;
    *field = text;
    return text != NULL;
}

static void keep_rest(job* j, const firn_doc* work, firn_scene_data* scene)
{
    if (firn_doc_find(firn_doc_find(work->root, "render"), "camera") == NULL)
        firn_scene_frame_camera(scene);
    keep_variant_names(j, scene);
    if (!keep_text(j, &scene->effective, firn_doc_write(work->root))) return;
    if (!keep_text(j, &scene->source, firn_strndup(j->text, j->length))) return;
    if (j->options->variant != NULL &&
        !keep_text(j, &scene->variant, firn_strdup(j->options->variant)))
        return;
    if (!firn_scene_keep_locations(scene, work)) j->out_of_memory = true;
    scene->hash = firn_scene_hash(scene);
    if (scene->hash == 0) j->out_of_memory = true;
}

static void read_tree(job* j, const firn_doc_node* variant, bool dry, firn_scene_data* scene,
                      firn_diagnostics* diagnostics)
{
    firn_doc work;
    firn_doc_init(&work, diagnostics);
    const firn_local errors = diagnostics->error_count;
    if (prepare_tree(j, &work, variant, dry)) {
        const int32_t solver = find_solver(j, &work);
        add_missing_block(j, &work, solver);
        firn_scene_reader reader = {.doc = &work,
                                    .scene = scene,
                                    .solvers = j->solvers,
                                    .solver_count = j->solver_count,
                                    .folder = j->folder,
                                    .dry = dry};
        if (firn_scene_use_solver(scene, j->solvers, solver) != FIRN_OK)
            j->out_of_memory = true;
        else
            firn_read_block(&reader, &j->root.block, "scene", work.root, scene, scene);
        j->out_of_memory |= reader.out_of_memory;
        if (!dry && !j->out_of_memory && diagnostics->error_count == errors)
            keep_rest(j, &work, scene);
    }
    j->out_of_memory |= work.out_of_memory;
    firn_doc_destroy(&work);
}

// Checks the variants that are not selected. Skipped where this would take longer than reading the
// file itself.
static void read_other_variants(job* j, const firn_doc_node* chosen, firn_diagnostics* diagnostics)
{
    const firn_doc_node* variants = find_variants(j);
    if (variants == NULL || variants->count > VARIANTS_MAX ||
        (int64_t)variants->count * j->base.node_count > FIRN_DOC_NODES_MAX)
        return;
    for (const firn_doc_node* v = variants->first; v != NULL && !j->out_of_memory; v = v->next) {
        if (v == chosen) continue;
        firn_scene_data scene;
        firn_scene_data_init(&scene);
        firn_diagnostics found = {0};
        read_tree(j, v, true, &scene, &found);
        firn_diagnostics_merge(diagnostics, &found, v->key);
        firn_diagnostics_destroy(&found);
        firn_scene_data_destroy(&scene);
    }
}

static void read_document(job* j, firn_scene_data* scene, firn_diagnostics* diagnostics)
{
    const int source = firn_doc_add_source(&j->base, j->name, j->text, j->length);
    if (source < 0) return;
    j->base.root = firn_doc_read(&j->base, source, j->text, j->length);
    if (j->base.root == NULL) return;
    if (j->base.root->type != FIRN_DOC_MAP) {
        firn_doc_error(&j->base, j->base.root,
                       "a scene is a block of keys that begins with 'firn: 1'");
        return;
    }
    firn_doc_check_duplicates(&j->base, j->base.root);
    check_variants(j);
    const firn_doc_node* chosen = choose_variant(j);
    read_tree(j, chosen, false, scene, diagnostics);
    read_other_variants(j, chosen, diagnostics);
}

static firn_result parse(job* j, const char* path, firn_scene_data* scene,
                         firn_diagnostics* diagnostics)
{
    static const firn_scene_options no_options = {0};
    if (j->options == NULL) j->options = &no_options;
    const firn_local errors = diagnostics->error_count, missing = diagnostics->missing_count;
    firn_locale locale = firn_locale_open();
    firn_scene_data_init(scene);
    firn_doc_init(&j->base, diagnostics);
    if (firn_root_create(j->solvers, j->solver_count, &j->root) == FIRN_OK) {
        read_document(j, scene, diagnostics);
        firn_root_destroy(&j->root);
    } else {
        j->out_of_memory = true;
    }
    j->out_of_memory |= j->base.out_of_memory;
    firn_doc_destroy(&j->base);
    if (!j->out_of_memory) keep_text(j, &scene->name, firn_scene_name_of(j->name));
    if (!j->out_of_memory && path != NULL) keep_text(j, &scene->path, firn_strdup(path));
    firn_diagnostics_sort(diagnostics);
    firn_locale_close(&locale);
    firn_result result = FIRN_OK;
    const firn_local found = diagnostics->error_count - errors;
    if (found > 0)
        result = found == diagnostics->missing_count - missing ? FIRN_REFUSED_BACKEND
                                                               : FIRN_REFUSED_SCENE;
    if (j->out_of_memory) result = FIRN_BROKEN_MEMORY;
    if (result != FIRN_OK) firn_scene_data_destroy(scene);
    return result;
}

firn_result firn_scene_parse_text(const char* text, size_t length, const char* name,
                                  const firn_scene_solver* solvers, size_t solver_count,
                                  const firn_scene_options* options, firn_scene_data* scene,
                                  firn_diagnostics* diagnostics)
{
    job j = {.name = name,
             .text = text,
             .length = length,
             .solvers = solvers,
             .solver_count = solver_count,
             .options = options};
    return parse(&j, NULL, scene, diagnostics);
}

firn_result firn_scene_parse_file(const char* path, const firn_scene_solver* solvers,
                                  size_t solver_count, const firn_scene_options* options,
                                  firn_scene_data* scene, firn_diagnostics* diagnostics)
{
    *scene = (firn_scene_data){0};
    char* text = NULL;
    size_t length = 0;
    firn_error error = {0};
    const firn_result read = firn_file_read(path, FIRN_DOC_BYTES_MAX, &text, &length, &error);
    if (read != FIRN_OK) {
        firn_diagnose(diagnostics, true, path, 0, 0, "%s", error.text);
        return read;
    }
    char* folder = realpath(path, NULL);  // allocated by libc
    char* slash = folder != NULL ? strrchr(folder, '/') : NULL;
    if (slash != NULL) *slash = 0;
    job j = {.name = path,
             .folder = folder,
             .text = text,
             .length = length,
             .solvers = solvers,
             .solver_count = solver_count,
             .options = options};
    const firn_result result = parse(&j, path, scene, diagnostics);
    free(folder);
    firn_free(text);
    return result;
}
