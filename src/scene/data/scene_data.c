// SPDX-License-Identifier: MIT
// Initialises, copies and destroys the data of a scene.
#include <stdlib.h>
#include <string.h>

#include "bodies/joint.h"
#include "core/memory.h"
#include "geometry/collider/collider.h"
#include "physics/force_field.h"
#include "scene/data/emitter.h"
#include "scene/data/scene.h"
#include "scene/data/scene_shapes.h"
#include "scene/data/snow.h"
#include "scene/keys/blocks.h"
#include "scene/parse/parse.h"
#include "scene/write/scene_write.h"

void firn_scene_data_init(firn_scene_data* scene)
{
    *scene = (firn_scene_data){.format = 1, .gravity = {0, -9.81, 0}};
    firn_time_keys.set_defaults(&scene->time);
    firn_cull_keys.set_defaults(&scene->cull);
    firn_air_keys.set_defaults(&scene->air);
    firn_powder_keys.set_defaults(&scene->powder);
    firn_output_keys.set_defaults(&scene->output);
    firn_render_keys.set_defaults(&scene->render);
}

static void drop_solver(firn_scene_data* scene)
{
    if (scene->solver_def != NULL) firn_keys_release(scene->solver_keys, scene->solver_def);
    firn_free(scene->solver_def);
    scene->solver_def = NULL;
    scene->solver_keys = NULL;
}

firn_result firn_scene_use_solver(firn_scene_data* scene, const firn_scene_solver* solvers,
                                  int32_t index)
{
    void* def = firn_alloc(1, solvers[index].keys->size);
    if (def == NULL) return FIRN_BROKEN_MEMORY;
    solvers[index].keys->set_defaults(def);
    drop_solver(scene);
    scene->solver = index;
    scene->solver_def = def;
    scene->solver_keys = solvers[index].keys;
    return FIRN_OK;
}

void firn_scene_data_destroy(firn_scene_data* scene)
{
    drop_solver(scene);
    for (firn_local i = 0; i < scene->material_count; i++) {
        firn_free(scene->materials[i].name);
        firn_free(scene->materials[i].preset);
    }
    for (firn_local i = 0; i < scene->snow_count; i++) {
        firn_free(scene->snow[i].file);
        firn_vary_release(&scene->snow[i].vary);
    }
    firn_colliders_destroy(scene->colliders, scene->collider_count);
    firn_air_release(&scene->air);
    for (firn_local i = 0; i < scene->location_count; i++) {
        firn_free(scene->locations[i].key);
        firn_free(scene->locations[i].origin);
    }
    for (firn_local i = 0; i < scene->variant_count; i++) firn_free(scene->variant_names[i]);
    for (firn_local i = 0; i < scene->field_text_count; i++) firn_free(scene->field_texts[i]);
    for (firn_local i = 0; i < scene->level_set_text_count; i++)
        firn_free(scene->level_set_texts[i]);
    firn_free(scene->level_set_texts);
    firn_shapes_destroy(&scene->shapes);
    void* const owned[] = {scene->materials, scene->snow,          scene->colliders,
                           scene->emitters,  scene->forces,        scene->joints,
                           scene->locations, scene->name,          scene->title,
                           scene->path,      scene->variant,       scene->source,
                           scene->effective, scene->variant_names, scene->field_texts};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) firn_free(owned[i]);
    firn_render_release(&scene->render);
    *scene = (firn_scene_data){0};
}

firn_result firn_scene_add_level_set(firn_scene_data* scene, const firn_level_set* set, char* text,
                                     firn_local* out_shape, firn_error* error)
{
    firn_result result = FIRN_OK;
    if (text == NULL ||
        !firn_reserve((void**)&scene->level_set_texts, &scene->level_set_text_capacity,
                      scene->level_set_text_count + 1, sizeof(char*)))
        result = firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for a shape");
    if (result == FIRN_OK)
        result = firn_shapes_add_level_set(&scene->shapes, set, out_shape, error);
    if (result != FIRN_OK) {
        firn_free(text);
        return result;
    }
    scene->level_set_texts[scene->level_set_text_count++] = text;
    return FIRN_OK;
}

void firn_scene_data_changed(firn_scene_data* scene)
{
    firn_free(scene->effective);
    scene->effective = NULL;
    scene->hash = firn_scene_hash(scene);
}

// ---- copying ------------------------------------------------------------------------------------

// Copies an array of `count` elements; the copy has exactly that capacity.
static bool copy_array(const void* from, firn_local count, size_t size, void* to,
                       firn_local* to_count, firn_local* to_capacity)
{
    if (count == 0) return true;
    void* copy = firn_alloc((size_t)count, size);
    if (copy == NULL) return false;
    memcpy(copy, from, (size_t)count * size);
    memcpy(to, &copy, sizeof copy);  // `to` points at a pointer of some type
    *to_count = *to_capacity = count;
    return true;
}

// Replaces a borrowed string by a copy; null on failure, so that it can be destroyed.
static bool own_text(char** text)
{
    if (*text == NULL) return true;
    *text = firn_strdup(*text);
    return *text != NULL;
}

static bool own_texts(char** texts, firn_local count)
{
    bool ok = true;
    for (firn_local i = 0; i < count; i++) ok = own_text(&texts[i]) && ok;
    return ok;
}

static bool copy_colliders(const firn_scene_data* from, firn_scene_data* to)
{
    const firn_local count = from->collider_count;
    if (count == 0) return true;
    to->colliders = firn_alloc((size_t)count, sizeof *to->colliders);
    if (to->colliders == NULL ||
        firn_colliders_copy(from->colliders, count, to->colliders) != FIRN_OK)
        return false;
    to->collider_count = to->collider_capacity = count;
    return true;
}

static bool copy_items(const firn_scene_data* from, firn_scene_data* to)
{
    bool ok = copy_array(from->materials, from->material_count, sizeof *from->materials,
                         &to->materials, &to->material_count, &to->material_capacity);
    for (firn_local i = 0; i < to->material_count; i++) {
        ok = own_text(&to->materials[i].name) && ok;
        ok = own_text(&to->materials[i].preset) && ok;
    }
    ok = copy_array(from->snow, from->snow_count, sizeof *from->snow, &to->snow, &to->snow_count,
                    &to->snow_capacity) &&
         ok;
    for (firn_local i = 0; i < to->snow_count; i++) {
        ok = own_text(&to->snow[i].file) && ok;
        ok = firn_vary_own(&to->snow[i].vary) && ok;
    }
    ok = copy_colliders(from, to) && ok;
    ok = copy_array(from->joints, from->joint_count, sizeof *from->joints, &to->joints,
                    &to->joint_count, &to->joint_capacity) &&
         ok;
    ok = copy_array(from->emitters, from->emitter_count, sizeof *from->emitters, &to->emitters,
                    &to->emitter_count, &to->emitter_capacity) &&
         ok;
    ok = copy_array(from->forces, from->force_count, sizeof *from->forces, &to->forces,
                    &to->force_count, &to->force_capacity) &&
         ok;
    return firn_air_own(&to->air) && ok;  // the block was copied bytewise
}

static bool copy_origin(const firn_scene_data* from, firn_scene_data* to)
{
    bool ok = copy_array(from->locations, from->location_count, sizeof *from->locations,
                         &to->locations, &to->location_count, &to->location_capacity);
    for (firn_local i = 0; i < to->location_count; i++) {
        ok = own_text(&to->locations[i].key) && ok;
        ok = own_text(&to->locations[i].origin) && ok;
    }
    ok = copy_array(from->variant_names, from->variant_count, sizeof(char*), &to->variant_names,
                    &to->variant_count, &to->variant_capacity) &&
         ok;
    ok = own_texts(to->variant_names, to->variant_count) && ok;
    ok = copy_array(from->field_texts, from->field_text_count, sizeof(char*), &to->field_texts,
                    &to->field_text_count, &to->field_text_capacity) &&
         ok;
    ok = own_texts(to->field_texts, to->field_text_count) && ok;
    ok =
        copy_array(from->level_set_texts, from->level_set_text_count, sizeof(char*),
                   &to->level_set_texts, &to->level_set_text_count, &to->level_set_text_capacity) &&
        ok;
    ok = own_texts(to->level_set_texts, to->level_set_text_count) && ok;
    ok = firn_render_own(&to->render) && ok;  // the block was copied bytewise
    char** const from_texts[] = {(char**)&from->name,   (char**)&from->title,
                                 (char**)&from->path,   (char**)&from->variant,
                                 (char**)&from->source, (char**)&from->effective};
    char** const to_texts[] = {&to->name,    &to->title,  &to->path,
                               &to->variant, &to->source, &to->effective};
    for (int i = 0; i < 6; i++) {
        *to_texts[i] = *from_texts[i];
        ok = own_text(to_texts[i]) && ok;
    }
    return ok;
}

static bool copy_solver(const firn_scene_data* from, firn_scene_data* to)
{
    if (from->solver_def == NULL) return true;
    to->solver_def = firn_alloc(1, from->solver_keys->size);
    if (to->solver_def == NULL) return false;
    to->solver_keys = from->solver_keys;
    memcpy(to->solver_def, from->solver_def, from->solver_keys->size);
    return firn_keys_own(to->solver_keys, to->solver_def);
}

firn_result firn_scene_data_copy(const firn_scene_data* from, firn_scene_data* to)
{
    *to = (firn_scene_data){.format = from->format,
                            .solver = from->solver,
                            .time = from->time,
                            .cull = from->cull,
                            .ageing = from->ageing,
                            .powder = from->powder,
                            .air = from->air,
                            .output = from->output,
                            .render = from->render};
    memcpy(to->gravity, from->gravity, sizeof to->gravity);
    to->gravity_key_count = from->gravity_key_count;
    memcpy(to->gravity_keys, from->gravity_keys, sizeof to->gravity_keys);
    bool ok = copy_solver(from, to);
    ok = copy_items(from, to) && ok;
    ok = copy_origin(from, to) && ok;
    ok = firn_shapes_copy(&from->shapes, &to->shapes) == FIRN_OK && ok;
    if (ok) to->hash = firn_scene_hash(to);
    if (ok && to->hash != 0) return FIRN_OK;
    firn_scene_data_destroy(to);
    return FIRN_BROKEN_MEMORY;
}
