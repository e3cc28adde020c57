// SPDX-License-Identifier: MIT
// How pictures show colliders: reading and writing.
#include "scene/keys/surface_keys.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/text.h"
#include "scene/keys/blocks.h"
#include "scene/write/keys_write.h"

static const char* const surfaces[] = {"diffuse", "rough",   "metal", "shadow_catcher",
                                       "hidden",  "asphalt", "rock",  "wood",
                                       "ice",     "snow",    NULL};

firn_surface_item firn_surface_item_default(void)
{
    return (firn_surface_item){
        .colour = {-1, -1, -1}, .roughness = NAN, .specular = NAN, .scale = 1};
}

// Roughness and reflectance of the coat of procedural grounds; 0.5 and 0.04 of all others.
static void choose_coat(int32_t kind, float* roughness, float* specular)
{
    static const float coats[][2] = {{0.8f, 0.04f},
                                     {0.85f, 0.04f},
                                     {0.5f, 0.04f},
                                     {0.15f, 0.018f},
                                     {1, 0.02f}};  // 0.018: index of refraction of ice, 1.31
    const bool has_pattern = kind >= FIRN_LOOK_ASPHALT;
    *roughness = has_pattern ? coats[kind - FIRN_LOOK_ASPHALT][0] : 0.5f;
    *specular = has_pattern ? coats[kind - FIRN_LOOK_ASPHALT][1] : 0.04f;
}

firn_look firn_surface_read(const firn_doc_node* node, const firn_surface_item* s)
{
    if (firn_doc_find(node, "surface") == NULL) return (firn_look){0};
    firn_look look = {.kind = s->kind + FIRN_LOOK_DIFFUSE,
                      .colour = {(float)s->colour[0], (float)s->colour[1], (float)s->colour[2]},
                      .scale = (float)s->scale};
    choose_coat(look.kind, &look.roughness, &look.specular);
    if (!isnan(s->roughness)) look.roughness = (float)s->roughness;
    if (!isnan(s->specular)) look.specular = (float)s->specular;
    return look;
}

#define AT(field) offsetof(firn_surface_item, field)
static const firn_key surface_keys[] = {
    {"kind", FIRN_KEY_ENUM, AT(kind), NULL, 0, 0, "diffuse", surfaces, NULL,
     "Diffuse; diffuse under a glossy coat; metal; visible only by the shadows on it; not rendered "
     "at all, such as a wall in front of the snow; or a procedural ground: asphalt, rock, wood, "
     "ice, "
     "snow."},
    {"colour", FIRN_KEY_VEC3, AT(colour), "-", 0, 1, "chosen", NULL, NULL,
     "Diffuse reflectance in red, green and blue; the mean of a procedural ground."},
    {"roughness", FIRN_KEY_REAL, AT(roughness), "-", 0.02, 1, "0.5, or by the ground", NULL, NULL,
     "Roughness of a coat or metal: 0.02 is polished, 1 is dull."},
    {"specular", FIRN_KEY_REAL, AT(specular), "-", 0, 1, "0.04, or by the ground", NULL, NULL,
     "Reflectance of the coat at normal incidence: 0.02 for ice, 0.04 for plastic and paint."},
    {"scale", FIRN_KEY_REAL, AT(scale), "-", 1e-3, 1e3, "1", NULL, NULL,
     "Size of a procedural ground: 1 is life-size, 0.1 suits a model of a tenth."},
};
const firn_key_block firn_surface_keys = {
    "surface",
    "Appearance of the collider. It affects pictures, not the simulation.",
    surface_keys,
    FIRN_KEY_COUNT(surface_keys),
    sizeof(firn_surface_item),
    NULL,
    NULL};

// The shortest decimal number that rounds to this float.
static double to_decimal(float value)
{
    char number[40];
    for (int digits = 6; digits < 9; digits++) {
        snprintf(number, sizeof number, "%.*g", digits, (double)value);
        if (strtof(number, NULL) == value) return strtod(number, NULL);
    }
    return (double)value;
}

void firn_look_write(firn_text* text, const firn_look* look)
{
    if (look->kind == FIRN_LOOK_CHOSEN) return;
    firn_text_add(text, "    surface: {kind: %s", surfaces[look->kind - FIRN_LOOK_DIFFUSE]);
    for (int i = 0; i < 3 && look->colour[0] >= 0; i++) {
        firn_text_add(text, i == 0 ? ", colour: [" : ", ");
        firn_write_number(text, to_decimal(look->colour[i]), 17);
    }
    firn_text_add(text, look->colour[0] >= 0 ? "], roughness: " : ", roughness: ");
    firn_write_number(text, to_decimal(look->roughness), 17);
    firn_text_add(text, ", specular: ");
    firn_write_number(text, to_decimal(look->specular), 17);
    if (look->kind >= FIRN_LOOK_ASPHALT) {
        firn_text_add(text, ", scale: ");
        firn_write_number(text, to_decimal(look->scale), 17);
    }
    firn_text_add(text, "}\n");
}
