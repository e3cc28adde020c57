// SPDX-License-Identifier: MIT
#include "scene/keys/look_keys.h"

#include <math.h>

#include "core/text.h"
#include "scene/write/keys_write.h"

static const char* const kinds[] = {"snow", "water", "ice", "chocolate", "soft-ice", NULL};

#define AT(field) offsetof(firn_look_item, field)
static const firn_key keys[] = {
    {"kind", FIRN_KEY_ENUM, AT(kind), NULL, 0, 0, NULL, kinds, NULL,
     "Particles that scatter light, as snow; a transparent body, water or ice; or an opaque one, "
     "chocolate or soft ice. The other keys change what it brings."},
    {"ior", FIRN_KEY_REAL, AT(ior), "-", 1.01, 3, "1.333 of water, 1.31 of ice", NULL, NULL,
     "Index of refraction of a transparent body."},
    {"absorption", FIRN_KEY_VEC3, AT(absorption), "1/m", 0, 1e6, "as the kind", NULL, NULL,
     "Absorption of a transparent body in red, green and blue: light falls as exp(-absorption "
     "distance)."},
    {"scattering", FIRN_KEY_REAL, AT(scattering), "1/m", 0, 1e6, "0 of water, 3 of ice", NULL, NULL,
     "Scattering inside of a transparent body, by bubbles or turbidity: it is milky where it is "
     "thicker than 1/scattering."},
    {"colour", FIRN_KEY_VEC3, AT(colour), "-", 0, 1, "as the kind", NULL, NULL,
     "Diffuse reflectance of an opaque body in red, green and blue."},
    {"roughness", FIRN_KEY_REAL, AT(roughness), "-", 0.02, 1, "0.2 of chocolate, 0.45 of soft ice",
     NULL, NULL, "Roughness of the coat of an opaque body: 0.02 is polished, 1 is dull."},
    {"specular", FIRN_KEY_REAL, AT(specular), "-", 0, 1, "0.04", NULL, NULL,
     "Reflectance of that coat at normal incidence."},
};
#undef AT
const firn_key_block firn_look_keys = {
    "look",
    "Appearance of a material in pictures. It does not affect the simulation.",
    keys,
    FIRN_KEY_COUNT(keys),
    sizeof(firn_look_item),
    NULL,
    NULL};

// Reports the first key of the block that is given but does not belong to its kind.
static void refuse_others(firn_scene_reader* r, const firn_doc_node* block, const char* kind,
                          const char* const* others, const char* instead)
{
    for (int k = 0; others[k] != NULL; k++) {
        const firn_doc_node* node = firn_doc_find(block, others[k]);
        if (node == NULL) continue;
        firn_doc_key_error(r->doc, node, "'%s' has no effect on a look of kind %s%s", others[k],
                           kind, instead);
        return;
    }
}

static void change(float* field, double value)
{
    if (!isnan(value)) *field = (float)value;
}

firn_material_look firn_look_read(firn_scene_reader* r, const firn_doc_node* node,
                                  const firn_look_item* item)
{
    static const char* const inside[] = {"ior", "absorption", "scattering", NULL};
    static const char* const outside[] = {"colour", "roughness", "specular", NULL};
    const firn_doc_node* block = firn_doc_find(node, "look");
    if (block == NULL) return (firn_material_look){0};
    firn_material_look look =
        firn_material_look_make((firn_material_look_kind)(item->kind + FIRN_SHOWN_AS_SNOW));
    const char* kind = kinds[item->kind];
    if (!(look.ior > 0))
        refuse_others(r, block, kind, inside, item->kind > 0 ? ", which is opaque" : "");
    if (look.ior > 0 || item->kind == 0)
        refuse_others(r, block, kind, outside,
                      look.ior > 0 ? ", which is transparent: use 'absorption'" : "");
    change(&look.ior, item->ior);
    change(&look.scattering, item->scattering);
    change(&look.roughness, item->roughness);
    change(&look.specular, item->specular);
    for (int i = 0; i < 3; i++) {
        change(&look.absorption[i], item->absorption[i]);
        change(&look.colour[i], item->colour[i]);
    }
    return look;
}

static void add_number(firn_text* text, const char* name, float value)
{
    firn_text_add(text, ", %s: ", name);
    firn_write_real(text, (firn_real)value);
}

static void add_three(firn_text* text, const char* name, const float value[3])
{
    firn_text_add(text, ", %s: [", name);
    for (int i = 0; i < 3; i++) {
        if (i > 0) firn_text_add(text, ", ");
        firn_write_real(text, (firn_real)value[i]);
    }
    firn_text_add(text, "]");
}

void firn_material_look_write(firn_text* text, const char* before, const firn_material_look* look)
{
    if (look->kind == FIRN_SHOWN_BY_PHASE) return;
    firn_text_add(text, "%slook: {kind: %s", before, kinds[look->kind - FIRN_SHOWN_AS_SNOW]);
    if (look->ior > 0) {
        add_number(text, "ior", look->ior);
        add_three(text, "absorption", look->absorption);
        add_number(text, "scattering", look->scattering);
    } else if (look->kind != FIRN_SHOWN_AS_SNOW) {
        add_three(text, "colour", look->colour);
        add_number(text, "roughness", look->roughness);
        add_number(text, "specular", look->specular);
    }
    firn_text_add(text, "}");
}
