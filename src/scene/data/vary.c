// SPDX-License-Identifier: MIT
// Variation as data: creates, copies, frees and writes it.
#include "scene/data/vary.h"

#include <string.h>

#include "core/memory.h"
#include "scene/keys/blocks.h"
#include "scene/write/keys_write.h"

const char* const firn_vary_names[FIRN_VARY_COUNT] = {"stiffness", "density", "hardening",
                                                      "compression", "stretch"};

firn_vary firn_vary_default(void)
{
    firn_vary vary = {0};
    for (int q = 0; q < FIRN_VARY_COUNT; q++) {
        vary.field[q].noise.octaves = 3;
        vary.field[q].noise.seed = 1;
        vary.shell.factor[q] = 1;
    }
    return vary;
}

bool firn_vary_own(firn_vary* copy)
{
    const firn_vary_layers from = copy->layers;
    copy->layers = (firn_vary_layers){0};
    bool ok = firn_keys_own(&firn_vary_keys, copy);
    if (from.count == 0) return ok;
    ok = firn_reserve((void**)&copy->layers.items, &copy->layers.capacity, from.count,
                      sizeof *from.items) &&
         ok;
    if (copy->layers.items == NULL) return false;
    memcpy(copy->layers.items, from.items, (size_t)from.count * sizeof *from.items);
    copy->layers.count = from.count;
    return ok;
}

void firn_vary_release(firn_vary* vary)
{
    firn_keys_release(&firn_vary_keys, vary);
    *vary = (firn_vary){0};
}

static bool has_noise(const firn_vary_noise* noise)
{
    return noise->scale > 0 && noise->amount != 0;
}

bool firn_vary_changes(const firn_vary* vary, firn_vary_quantity quantity)
{
    const firn_vary_field* field = &vary->field[quantity];
    bool changes = has_noise(&field->noise) || field->texture.file != NULL ||
                   (vary->shell.thickness > 0 && vary->shell.factor[quantity] != 1);
    for (firn_local i = 0; i < vary->layers.count; i++)
        changes |= vary->layers.items[i].factor[quantity] != 1;
    return changes;
}

static void write_field(firn_text* text, const char* name, const firn_vary_field* field, int digits,
                        bool for_hash)
{
    const bool noise = has_noise(&field->noise);
    if (!noise && field->texture.file == NULL) return;
    firn_text_add(text, "      %s: {", name);
    if (noise) {
        firn_text_add(text, "noise: ");
        firn_keys_write(text, &firn_vary_noise_keys, &field->noise, digits);
    }
    if (field->texture.file != NULL) {
        firn_vary_texture texture = field->texture;  // borrows its strings
        char* slash = for_hash ? strrchr(texture.file, '/') : NULL;
        if (slash != NULL) texture.file = slash + 1;
        firn_text_add(text, noise ? ", texture: " : "texture: ");
        firn_keys_write(text, &firn_vary_texture_keys, &texture, digits);
    }
    firn_text_add(text, "}\n");
}

void firn_vary_write(firn_text* text, const firn_vary* vary, int digits, bool for_hash)
{
    bool any = vary->shell.thickness > 0 || vary->layers.count > 0;
    for (int q = 0; q < FIRN_VARY_COUNT; q++) any |= firn_vary_changes(vary, q);
    if (!any) return;
    firn_text_add(text, "    vary:\n");
    for (int q = 0; q < FIRN_VARY_COUNT; q++)
        write_field(text, firn_vary_names[q], &vary->field[q], digits, for_hash);
    if (vary->shell.thickness > 0) {
        firn_text_add(text, "      shell: ");
        firn_keys_write(text, &firn_vary_shell_keys, &vary->shell, digits);
        firn_text_add(text, "\n");
    }
    if (vary->layers.count > 0) firn_text_add(text, "      layers:\n");
    for (firn_local i = 0; i < vary->layers.count; i++) {
        firn_text_add(text, "        - ");
        firn_keys_write(text, &firn_vary_layer_keys, &vary->layers.items[i], digits);
        firn_text_add(text, "\n");
    }
}
