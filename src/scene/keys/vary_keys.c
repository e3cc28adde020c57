// SPDX-License-Identifier: MIT
// Block `vary` of a volume of snow.
#include "core/memory.h"
#include "scene/data/scene.h"
#include "scene/data/vary.h"
#include "scene/keys/blocks.h"
#include "scene/parse/reader.h"

static void set_layer_defaults(void* at)
{
    firn_vary_layer* layer = at;
    *layer = (firn_vary_layer){0};
    for (int q = 0; q < FIRN_VARY_COUNT; q++) layer->factor[q] = 1;
}

static void finish_layer(firn_scene_reader* r, const firn_doc_node* node, void* item, void* at,
                         bool valid)
{
    const firn_vary_layer* layer = item;
    firn_vary_layers* layers = at;
    if (!valid) return;
    if (!(layer->to > layer->from)) {
        firn_doc_error(r->doc, node, "a layer must reach from less to more depth, not %g to %g m",
                       layer->from, layer->to);
        return;
    }
    if (!firn_reserve((void**)&layers->items, &layers->capacity, layers->count + 1,
                      sizeof *layers->items)) {
        r->out_of_memory = true;
        return;
    }
    layers->items[layers->count++] = *layer;
}

static const char* const falloffs[] = {"sharp", "linear", NULL};

#define AT(field) offsetof(firn_vary_noise, field)
static const firn_key noise_keys[] = {
    {"scale", FIRN_KEY_REAL, AT(scale), "m", 1e-6, 1e6, NULL, NULL, NULL,
     "Size of the largest features."},
    {"amount", FIRN_KEY_REAL, AT(amount), "-", 0, 10, "0", NULL, NULL,
     "Amplitude: the factor is 1 + amount * noise, with noise between -1 and 1, and at least "
     "0.05."},
    {"octaves", FIRN_KEY_INT, AT(octaves), NULL, 1, 12, "3", NULL, NULL,
     "Layers of finer and finer noise."},
    {"seed", FIRN_KEY_INT, AT(seed), NULL, 0, 9007199254740992.0, "1", NULL, NULL,
     "Seed of the noise."},
};
const firn_key_block firn_vary_noise_keys = {"noise",
                                             "A factor from gradient noise.",
                                             noise_keys,
                                             FIRN_KEY_COUNT(noise_keys),
                                             sizeof(firn_vary_noise),
                                             NULL,
                                             NULL};

#undef AT
#define AT(field) offsetof(firn_vary_texture, field)
static const firn_key texture_keys[] = {
    {"file", FIRN_KEY_PATH, AT(file), NULL, 0, 0, NULL, NULL, NULL,
     "A .vdb file; path relative to the scene file."},
    {"grid", FIRN_KEY_TEXT, AT(grid), NULL, 0, 0, "the first grid of floats", NULL, NULL,
     "Name of the grid; its transform maps it to world space; outside it has its background "
     "value."},
    {"low", FIRN_KEY_REAL, AT(low), "-", 0.01, 100, NULL, NULL, NULL,
     "Factor where the grid has 0 or less."},
    {"high", FIRN_KEY_REAL, AT(high), "-", 0.01, 100, NULL, NULL, NULL,
     "Factor where the grid has 1 or more; linear between."},
};
const firn_key_block firn_vary_texture_keys = {"texture",
                                               "A factor read from a grid.",
                                               texture_keys,
                                               FIRN_KEY_COUNT(texture_keys),
                                               sizeof(firn_vary_texture),
                                               NULL,
                                               NULL};

#undef AT
#define AT(field) offsetof(firn_vary_field, field)
static const firn_key field_keys[] = {
    {"noise", FIRN_KEY_BLOCK, AT(noise), NULL, 0, 0, "none", NULL, &firn_vary_noise_keys,
     "A factor from gradient noise."},
    {"texture", FIRN_KEY_BLOCK, AT(texture), NULL, 0, 0, "none", NULL, &firn_vary_texture_keys,
     "A factor read from a grid."},
};
static const firn_key_block field = {"factor",
                                     "A factor on a material constant; noise and texture multiply.",
                                     field_keys,
                                     FIRN_KEY_COUNT(field_keys),
                                     sizeof(firn_vary_field),
                                     NULL,
                                     NULL};

#define FACTOR(type, name, quantity, help)                                                      \
    {                                                                                           \
        name, FIRN_KEY_REAL, offsetof(type, factor[quantity]), "-", 0.01, 100, "1", NULL, NULL, \
            help                                                                                \
    }
#define FACTORS(type)                                                                          \
    FACTOR(type, "stiffness", FIRN_VARY_STIFFNESS, "Factor on Young's modulus."),              \
        FACTOR(type, "density", FIRN_VARY_DENSITY, "Factor on the density."),                  \
        FACTOR(type, "hardening", FIRN_VARY_HARDENING, "Factor on the hardening xi."),         \
        FACTOR(type, "compression", FIRN_VARY_COMPRESSION, "Factor on critical_compression."), \
        FACTOR(type, "stretch", FIRN_VARY_STRETCH, "Factor on critical_stretch.")
static const firn_key shell_keys[] = {
    {"thickness", FIRN_KEY_REAL, offsetof(firn_vary_shell, thickness), "m", 1e-6, 1e6, NULL, NULL,
     NULL, "Thickness of the shell, from the surface inwards."},
    FACTORS(firn_vary_shell),
    {"falloff", FIRN_KEY_ENUM, offsetof(firn_vary_shell, falloff), NULL, 0, 0, "sharp", falloffs,
     NULL, "Constant within the shell, or linearly decreasing with depth."},
};
const firn_key_block firn_vary_shell_keys = {
    "shell",
    "An outer layer with other constants, by distance to the surface.",
    shell_keys,
    FIRN_KEY_COUNT(shell_keys),
    sizeof(firn_vary_shell),
    NULL,
    NULL};

#undef AT
#define AT(field) offsetof(firn_vary_layer, field)
static const firn_key layer_keys[] = {
    {"from", FIRN_KEY_REAL, AT(from), "m", 0, 1e6, "0", NULL, NULL, "Depth of its top."},
    {"to", FIRN_KEY_REAL, AT(to), "m", 1e-6, 1e6, NULL, NULL, NULL, "Depth of its bottom."},
    FACTORS(firn_vary_layer),
};
const firn_key_block firn_vary_layer_keys = {
    "layer",
    "A layer below the surface. Depth is measured against gravity, up to the surface of the shape.",
    layer_keys,
    FIRN_KEY_COUNT(layer_keys),
    sizeof(firn_vary_layer),
    set_layer_defaults,
    finish_layer};

#undef AT
#define AT(part) offsetof(firn_vary, part)
#define FIELD(name, quantity, help)                                                       \
    {                                                                                     \
        name, FIRN_KEY_BLOCK, AT(field[quantity]), NULL, 0, 0, "none", NULL, &field, help \
    }
static const firn_key keys[] = {
    FIELD("stiffness", FIRN_VARY_STIFFNESS, "Variation of Young's modulus: chunky fracture."),
    FIELD("density", FIRN_VARY_DENSITY, "Variation of the density."),
    FIELD("hardening", FIRN_VARY_HARDENING,
          "Variation of the hardening xi: brittle and ductile regions."),
    FIELD("compression", FIRN_VARY_COMPRESSION, "Variation of critical_compression."),
    FIELD("stretch", FIRN_VARY_STRETCH, "Variation of critical_stretch: where it breaks first."),
    {"shell", FIRN_KEY_BLOCK, AT(shell), NULL, 0, 0, "none", NULL, &firn_vary_shell_keys,
     "An outer layer, such as a harder or denser one."},
    {"layers", FIRN_KEY_LIST, AT(layers), NULL, 0, 0, "none", NULL, &firn_vary_layer_keys,
     "Layers by depth, such as a crust; where two overlap their factors multiply."},
};
const firn_key_block firn_vary_keys = {
    "vary",
    "Snow that is not the same everywhere: factors on the constants of its material.",
    keys,
    FIRN_KEY_COUNT(keys),
    sizeof(firn_vary),
    NULL,
    NULL};
