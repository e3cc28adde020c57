// SPDX-License-Identifier: MIT
// Sets one key of a scene that was built from code, with the same tables as a file.
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "scene/data/output_block.h"
#include "scene/data/render_block.h"
#include "scene/data/scene.h"
#include "scene/keys/blocks.h"
#include "scene/parse/parse.h"
#include "scene/parse/reader.h"

// Snapshot of the blocks outside lists, to restore them if a value is refused. Owns its strings.
typedef struct snapshot {
    firn_time_block time;
    firn_cull_block cull;
    firn_ageing_block ageing;
    firn_powder_block powder;
    firn_air_block air;
    firn_output_block output;
    firn_render_block render;
    double gravity[3];
    int32_t gravity_key_count;
    firn_gravity_key gravity_keys[FIRN_GRAVITY_KEYS_MAX];
} snapshot;

static void drop_snapshot(snapshot* s)
{
    firn_air_release(&s->air);
    firn_render_release(&s->render);
}

static bool take_snapshot(const firn_scene_data* scene, snapshot* s)
{
    *s = (snapshot){scene->time,     scene->cull, scene->ageing,
                    scene->powder,   scene->air,  scene->output,
                    scene->render,   {0, 0, 0},   scene->gravity_key_count,
                    {{0, {0, 0, 0}}}};
    memcpy(s->gravity, scene->gravity, sizeof s->gravity);
    memcpy(s->gravity_keys, scene->gravity_keys, sizeof s->gravity_keys);
    bool ok = firn_air_own(&s->air);
    ok = firn_render_own(&s->render) && ok;
    if (!ok) drop_snapshot(s);
    return ok;
}

// Restores the scene from the snapshot and hands over the ownership of its strings.
static void put_back(firn_scene_data* scene, const snapshot* s)
{
    scene->time = s->time;
    scene->cull = s->cull;
    scene->ageing = s->ageing;
    scene->powder = s->powder;
    firn_air_release(&scene->air);
    scene->air = s->air;
    scene->output = s->output;
    firn_render_release(&scene->render);
    scene->render = s->render;
    memcpy(scene->gravity, s->gravity, sizeof s->gravity);
    scene->gravity_key_count = s->gravity_key_count;
    memcpy(scene->gravity_keys, s->gravity_keys, sizeof s->gravity_keys);
}

static bool is_settable(const firn_root* root, firn_doc* doc, const firn_doc_node* node)
{
    const firn_doc_node* top = node->first;
    for (size_t i = 0; top != NULL && i < root->block.key_count; i++) {
        const firn_key* key = &root->block.keys[i];
        if (strcmp(key->name, top->key) != 0) continue;
        const bool inside_list = key->type == FIRN_KEY_LIST || key->type == FIRN_KEY_MAP ||
                                 key->type == FIRN_KEY_VARIANTS;
        if (inside_list)
            firn_doc_error(doc, top,
                           "'%s' cannot be set by name: add items with the functions of "
                           "the library",
                           key->name);
        return !inside_list;
    }
    return true;  // the tables refuse unknown keys
}

// Another solver has another block.
static bool change_solver(firn_scene_reader* r)
{
    const firn_doc_node* node = firn_doc_find(r->doc->root, "solver");
    if (node == NULL || node->type != FIRN_DOC_SCALAR) return true;
    for (size_t i = 0; i < r->solver_count; i++) {
        if (strcmp(r->solvers[i].name, node->text) != 0 || (int32_t)i == r->scene->solver) continue;
        if (firn_scene_use_solver(r->scene, r->solvers, (int32_t)i) != FIRN_OK)
            r->out_of_memory = true;
    }
    return !r->out_of_memory;
}

// Validates the value: reads it into a temporary scene that has the same blocks.
static bool is_right(firn_scene_reader* r, const firn_root* root)
{
    firn_scene_data* scene = r->scene;
    firn_scene_data trial;
    snapshot now;
    firn_scene_data_init(&trial);
    if (firn_scene_use_solver(&trial, r->solvers, scene->solver) != FIRN_OK ||
        !take_snapshot(scene, &now)) {
        r->out_of_memory = true;
        firn_scene_data_destroy(&trial);
        return false;
    }
    put_back(&trial, &now);
    r->scene = &trial;
    const bool ok = firn_read_block(r, &root->block, "scene", r->doc->root, &trial, &trial);
    r->scene = scene;
    firn_scene_data_destroy(&trial);
    return ok;
}

// Reads the value twice: first into a temporary scene to validate it, then into the scene.
static bool assign(firn_scene_reader* r, const firn_root* root)
{
    firn_scene_data* scene = r->scene;
    snapshot before;
    if (!is_right(r, root) || !change_solver(r)) return false;
    if (!take_snapshot(scene, &before)) {
        r->out_of_memory = true;
        return false;
    }
    const bool ok = firn_read_block(r, &root->block, "scene", r->doc->root, scene, scene);
    if (ok)
        drop_snapshot(&before);
    else
        put_back(scene, &before);
    firn_scene_data_changed(scene);
    return ok;
}

firn_result firn_scene_assign(firn_scene_data* scene, const firn_scene_solver* solvers,
                              size_t solver_count, const char* key, const char* value,
                              firn_diagnostics* diagnostics)
{
    firn_root root;
    if (firn_root_create(solvers, solver_count, &root) != FIRN_OK) return FIRN_BROKEN_MEMORY;
    firn_locale locale = firn_locale_open();
    firn_doc doc;
    firn_doc_init(&doc, diagnostics);
    const firn_local errors = diagnostics->error_count;
    firn_text assignment = {0};
    firn_text_add(&assignment, "%s=%s", key, value);
    char* text = firn_text_take(&assignment);
    firn_scene_reader reader = {.doc = &doc,
                                .scene = scene,
                                .solvers = solvers,
                                .solver_count = solver_count,
                                .partial = true};
    if (text == NULL || firn_doc_add_source(&doc, "scene", NULL, 0) < 0) {
        reader.out_of_memory = true;
    } else if (scene->solver_def == NULL && firn_scene_use_solver(scene, solvers, scene->solver)) {
        reader.out_of_memory = true;
    } else {
        doc.root = firn_doc_make(&doc, FIRN_DOC_MAP, 0, 0, 0);
        if (doc.root != NULL) firn_doc_override(&doc, text, "");
        if (doc.root != NULL && !doc.out_of_memory && diagnostics->error_count == errors &&
            is_settable(&root, &doc, doc.root))
            assign(&reader, &root);
    }
    const bool out_of_memory = reader.out_of_memory || doc.out_of_memory;
    firn_free(text);
    firn_doc_destroy(&doc);
    firn_root_destroy(&root);
    firn_locale_close(&locale);
    if (out_of_memory) return FIRN_BROKEN_MEMORY;
    return diagnostics->error_count > errors ? FIRN_REFUSED_ARGUMENT : FIRN_OK;
}
