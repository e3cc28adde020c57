// SPDX-License-Identifier: MIT
// Reads a block of a scene file by its table of keys; everything else is an error with its
// location.
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/suggest.h"
#include "scene/data/scene.h"
#include "scene/keys/shape_keys.h"
#include "scene/parse/diagnostics.h"
#include "scene/parse/reader.h"

#define NAMES_MAX 64      // keys of a block that are candidates for a suggestion
#define WORD_MAX 40       // [characters] longer words are not treated as typos
#define ITEMS_MAX 100000  // of a list

static const firn_key* find_key(const firn_key_block* block, const char* name)
{
    for (size_t i = 0; i < block->key_count; i++)
        if (strcmp(block->keys[i].name, name) == 0) return &block->keys[i];
    return NULL;
}

static const char* suggest_key(const firn_key_block* block, const char* word)
{
    const char* names[NAMES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < block->key_count && count < NAMES_MAX; i++)
        names[count++] = block->keys[i].name;
    return strlen(word) <= WORD_MAX ? firn_suggest(word, names, count) : NULL;
}

static bool check_unknown(firn_scene_reader* r, const firn_key_block* block, const char* what,
                          const firn_doc_node* node)
{
    bool ok = true;
    for (const firn_doc_node* child = node->first; child != NULL; child = child->next) {
        if (find_key(block, child->key) != NULL) continue;
        ok = false;
        const bool shown = r->doc->diagnostics->count < FIRN_DIAGNOSTICS_MAX;  // else counted
        const char* near = shown ? suggest_key(block, child->key) : NULL;
        firn_doc_key_error(r->doc, child, "unknown key '%.60s' in '%s'%s%s%s", child->key, what,
                           near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
    }
    return ok;
}

// A misspelt required key has been reported already.
static bool is_misspelt(const firn_key_block* block, const firn_doc_node* node, const firn_key* key)
{
    int looked_at = 0;
    const firn_doc_node* child = node->first;
    for (; child != NULL && looked_at < FIRN_DIAGNOSTICS_MAX; child = child->next, looked_at++) {
        if (find_key(block, child->key) != NULL) continue;
        const char* near = suggest_key(block, child->key);
        if (near != NULL && strcmp(near, key->name) == 0) return true;
    }
    return false;
}

static bool is_collection(firn_key_type type)
{
    return type == FIRN_KEY_BLOCK || type == FIRN_KEY_LIST || type == FIRN_KEY_ROWS ||
           type == FIRN_KEY_MAP || type == FIRN_KEY_SOLVER || type == FIRN_KEY_VARIANTS;
}

static bool read_keys(firn_scene_reader* r, const firn_key_block* block, const char* what,
                      firn_doc_node* node, void* item)
{
    bool ok = true;
    for (size_t i = 0; i < block->key_count; i++) {
        const firn_key* key = &block->keys[i];
        firn_doc_node* child = firn_doc_find(node, key->name);
        if (child == NULL) {
            if (key->fallback != NULL || r->partial) continue;
            ok = false;
            if (is_misspelt(block, node, key)) continue;
            firn_doc_key_error(r->doc, node, "'%s' needs the key '%s': %s", what, key->name,
                               key->help);
        } else if (child->type == FIRN_DOC_NULL && !is_collection(key->type)) {
            firn_doc_key_error(r->doc, child, "'%s' has no value: give one, or remove the key",
                               key->name);
            ok = false;
        } else {
            ok = firn_read_value(r, key, child, item) && ok;
        }
    }
    return ok;
}

bool firn_read_block(firn_scene_reader* r, const firn_key_block* block, const char* what,
                     firn_doc_node* node, void* item, void* at)
{
    bool ok = node->type == FIRN_DOC_MAP || node->type == FIRN_DOC_NULL;
    if (ok) {
        ok = check_unknown(r, block, what, node);
        ok = read_keys(r, block, what, node, item) && ok;
    } else {
        firn_doc_error(r->doc, node, "'%s' must be a block of keys such as {%s: ...}, not %s", what,
                       block->keys[0].name,
                       node->type == FIRN_DOC_LIST ? "a list" : "a single value");
    }
    if (block->finish == NULL || r->out_of_memory) return ok && !r->out_of_memory;
    const firn_local errors = r->doc->diagnostics->error_count;
    block->finish(r, node, item, at, ok);
    return ok && r->doc->diagnostics->error_count == errors && !r->out_of_memory;
}

void* firn_item_create(firn_scene_reader* r, const firn_key_block* block)
{
    void* item = firn_alloc(1, block->size);
    if (item == NULL)
        r->out_of_memory = true;
    else if (block->set_defaults != NULL)
        block->set_defaults(item);
    return item;
}

void firn_item_destroy(const firn_key_block* block, void* item)
{
    if (item == NULL) return;
    firn_keys_release(block, item);
    firn_free(item);
}

bool firn_keys_own(const firn_key_block* block, void* copy)
{
    bool ok = true;
    for (size_t i = 0; i < block->key_count; i++) {
        const firn_key* key = &block->keys[i];
        char* field = (char*)copy + key->offset;
        if (key->type == FIRN_KEY_BLOCK) ok = firn_keys_own(key->block, field) && ok;
        char** text = (char**)field;
        if ((key->type != FIRN_KEY_TEXT && key->type != FIRN_KEY_PATH) || *text == NULL) continue;
        *text = firn_strdup(*text);
        ok = ok && *text != NULL;
    }
    return ok;
}

void firn_keys_release(const firn_key_block* block, void* item)
{
    for (size_t i = 0; i < block->key_count; i++) {
        const firn_key* key = &block->keys[i];
        char* field = (char*)item + key->offset;
        switch (key->type) {
        case FIRN_KEY_TEXT:
        case FIRN_KEY_PATH:
            firn_free(*(char**)field);
            *(char**)field = NULL;
            break;
        case FIRN_KEY_LIST:  // the field of a list starts with its owned array
        case FIRN_KEY_SHAPES:
            firn_free(*(void**)field);
            *(void**)field = NULL;
            break;
        case FIRN_KEY_BLOCK: firn_keys_release(key->block, field); break;
        default: break;
        }
    }
}

// A row as a plain list of its values: "[-100, 600 kPa]".
static bool read_list(firn_scene_reader* r, const firn_key_block* block, firn_doc_node* node,
                      void* item, void* at)
{
    if ((size_t)node->count != block->key_count) {
        firn_doc_error(r->doc, node, "'%s' has %d values, but needs %d: %s, ...", block->name,
                       (int)node->count, (int)block->key_count, block->keys[0].name);
        return false;
    }
    bool ok = true;
    const firn_key* key = block->keys;
    for (firn_doc_node* child = node->first; child != NULL; child = child->next, key++)
        ok = firn_read_value(r, key, child, item) && ok;
    if (block->finish == NULL || r->out_of_memory) return ok && !r->out_of_memory;
    const firn_local errors = r->doc->diagnostics->error_count;
    block->finish(r, node, item, at, ok);
    return ok && r->doc->diagnostics->error_count == errors && !r->out_of_memory;
}

static bool read_item(firn_scene_reader* r, const firn_key* key, firn_doc_node* node, void* at)
{
    void* item = firn_item_create(r, key->block);
    if (item == NULL) return false;
    const bool is_list = key->type == FIRN_KEY_ROWS && node->type == FIRN_DOC_LIST;
    const bool ok = is_list ? read_list(r, key->block, node, item, at)
                            : firn_read_block(r, key->block, key->block->name, node, item, at);
    if (ok && key->type == FIRN_KEY_ROWS) {
        firn_rows* rows = at;
        memcpy((char*)(rows + 1) + (size_t)rows->count * key->block->size, item, key->block->size);
        rows->count++;
    }
    firn_item_destroy(key->block, item);
    return ok;
}

static bool read_items(firn_scene_reader* r, const firn_key* key, firn_doc_node* node, void* at)
{
    const firn_doc_type type = key->type == FIRN_KEY_MAP ? FIRN_DOC_MAP : FIRN_DOC_LIST;
    const firn_local most = key->type == FIRN_KEY_ROWS ? (firn_local)key->high : ITEMS_MAX;
    if (node->type == FIRN_DOC_NULL) return true;
    if (node->type != (uint8_t)type) {
        firn_doc_error(r->doc, node,
                       type == FIRN_DOC_LIST
                           ? "'%s' must be a list: begin each item with '- '"
                           : "'%s' must be a map: a name and a colon before each item",
                       key->name);
        return false;
    }
    if (node->count > most) {
        firn_doc_error(r->doc, node, "'%s' has %d items, more than %d", key->name, (int)node->count,
                       (int)most);
        return false;
    }
    bool ok = true;
    for (firn_doc_node* child = node->first; child != NULL; child = child->next)
        ok = read_item(r, key, child, at) && ok;
    return ok;
}

// Replaces the list. Every item must be complete, even where a block may be partial.
static bool read_rows(firn_scene_reader* r, const firn_key* key, firn_doc_node* node,
                      firn_rows* rows)
{
    const bool partial = r->partial;
    rows->count = 0;
    r->partial = false;
    bool ok = read_items(r, key, node, rows);
    r->partial = partial;
    if (ok && (double)rows->count < key->low) {
        firn_doc_error(r->doc, node, "'%s' has %d items, but needs at least %d", key->name,
                       (int)rows->count, (int)key->low);
        ok = false;
    }
    return ok;
}

// Checks the blocks of all solvers and stores that of the selected one.
static bool read_solver(firn_scene_reader* r, const firn_key* key, firn_doc_node* node)
{
    if ((int32_t)key->offset == r->scene->solver && r->scene->solver_def != NULL)
        return firn_read_block(r, key->block, key->name, node, r->scene->solver_def, r->scene);
    void* item = firn_item_create(r, key->block);
    if (item == NULL) return false;
    const bool ok = firn_read_block(r, key->block, key->name, node, item, r->scene);
    firn_item_destroy(key->block, item);
    return ok;
}

bool firn_read_value(firn_scene_reader* r, const firn_key* key, firn_doc_node* node, void* item)
{
    if (key->type == FIRN_KEY_SOLVER) return read_solver(r, key, node);
    void* field = (char*)item + key->offset;
    switch (key->type) {
    case FIRN_KEY_BLOCK: return firn_read_block(r, key->block, key->name, node, field, item);
    case FIRN_KEY_LIST:
    case FIRN_KEY_MAP: return read_items(r, key, node, field);
    case FIRN_KEY_ROWS: return read_rows(r, key, node, field);
    case FIRN_KEY_SHAPE: return firn_read_shape(r, node, field);
    case FIRN_KEY_SHAPES: return firn_read_shapes(r, key, node, field);
    case FIRN_KEY_VARIANTS: return true;
    default: return firn_read_scalar(r, key, node, field);
    }
}

bool firn_read_check(firn_scene_reader* r, const firn_doc_node* node, firn_result result,
                     const firn_error* error)
{
    if (result == FIRN_BROKEN_MEMORY)
        r->out_of_memory = true;
    else if (result != FIRN_OK)
        firn_doc_error(r->doc, node, "%s", error->text);
    if (result == FIRN_REFUSED_BACKEND) r->doc->diagnostics->missing_count++;
    return result == FIRN_OK;
}
