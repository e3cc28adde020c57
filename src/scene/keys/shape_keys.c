// SPDX-License-Identifier: MIT
// Shapes of a scene file: the keys of each kind, and the shape nodes built from them.
#include "scene/keys/shape_keys.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "scene/data/scene.h"
#include "scene/parse/reader.h"
#include "scene/write/keys_write.h"

#define FAR 1e6    // [m] coordinates beyond this mean a wrong unit
#define THIN 1e-6  // [m] so do sizes below this

#define FIELDS_MAX 64  // height fields per scene: each can take megabytes

// The keys of all kinds in one struct: each kind uses some of the fields.
typedef struct shape_args {
    double a[3], b[3];                         // [m] centre, point, corner, end
    double size[3];                            // [m]
    double radius, radius_b, rounding, blend;  // [m]
    double rotation[4];
    double scale;        // [-] of a transform
    double depth;        // [m] of a height field
    double noise_scale;  // [m]; 0: no noise
    int64_t octaves, seed;
    char* png;
    firn_local shape;    // of a transform
    firn_shape_list of;  // of a union
} shape_args;

static void set_defaults(void* at)
{
    shape_args* s = at;
    *s = (shape_args){.rotation = {1, 0, 0, 0}, .scale = 1, .octaves = 4, .seed = 1, .shape = -1};
    s->size[1] = 1;  // a plane's normal points up
}

static void add(firn_scene_reader* r, const firn_doc_node* at, firn_shape_kind kind,
                const double* p, int count, const shape_args* s, void* out)
{
    firn_shape_node node = {.kind = kind, .a = s->shape, .b = -1};
    for (int i = 0; i < count; i++) node.p[i] = (firn_real)p[i];
    node.q = (firn_quat){(firn_real)s->rotation[0], (firn_real)s->rotation[1],
                         (firn_real)s->rotation[2], (firn_real)s->rotation[3]};
    firn_error error = {0};
    firn_read_check(r, at, firn_shapes_add(&r->scene->shapes, &node, out, &error), &error);
}

#define XYZ(v) (v)[0], (v)[1], (v)[2]
#define FINISH(name, kind, ...)                                                             \
    static void name(firn_scene_reader* r, const firn_doc_node* node, void* item, void* at, \
                     bool valid)                                                            \
    {                                                                                       \
        const shape_args* s = item;                                                         \
        const double p[] = {__VA_ARGS__};                                                   \
        if (valid) add(r, node, kind, p, (int)(sizeof p / sizeof *p), s, at);               \
    }
FINISH(finish_plane, FIRN_SHAPE_PLANE, XYZ(s->a), XYZ(s->size))
FINISH(finish_sphere, FIRN_SHAPE_SPHERE, XYZ(s->a), s->radius)
FINISH(finish_box, FIRN_SHAPE_BOX, XYZ(s->a), s->size[0] / 2, s->size[1] / 2, s->size[2] / 2,
       s->rounding)
FINISH(finish_capsule, FIRN_SHAPE_CAPSULE, XYZ(s->a), XYZ(s->b), s->radius)
FINISH(finish_cylinder, FIRN_SHAPE_CYLINDER, XYZ(s->a), XYZ(s->b), s->radius, s->rounding)
FINISH(finish_cone, FIRN_SHAPE_CONE, XYZ(s->a), XYZ(s->b), s->radius, s->radius_b)
FINISH(finish_wedge, FIRN_SHAPE_WEDGE, XYZ(s->a), XYZ(s->size))
FINISH(finish_transform, FIRN_SHAPE_TRANSFORM, XYZ(s->a), s->scale)

// Source of a height field, for writing the scene: the heights alone do not tell.
static bool keep_field_text(firn_scene_reader* r, const shape_args* s)
{
    firn_scene_data* scene = r->scene;
    firn_text text = {0};
    if (s->png != NULL) {
        firn_text_add(&text, "png: ");
        firn_text_add_json(&text, s->png);
    } else {
        firn_text_add(&text, "noise: {scale: ");
        firn_write_number(&text, s->noise_scale, 17);
        firn_text_add(&text, ", octaves: %d, seed: %lld}", (int)s->octaves, (long long)s->seed);
    }
    char* kept = firn_text_take(&text);
    if (kept == NULL || !firn_reserve((void**)&scene->field_texts, &scene->field_text_capacity,
                                      scene->field_text_count + 1, sizeof *scene->field_texts)) {
        firn_free(kept);
        r->out_of_memory = true;
        return false;
    }
    scene->field_texts[scene->field_text_count++] = kept;
    return true;
}

static void finish_height_field(firn_scene_reader* r, const firn_doc_node* node, void* item,
                                void* at, bool valid)
{
    const shape_args* s = item;
    if (!valid) return;
    if (r->scene->shapes.field_count >= FIELDS_MAX) {
        firn_doc_key_error(r->doc, node, "more than %d height fields", FIELDS_MAX);
        return;
    }
    if ((s->png != NULL) == (s->noise_scale > 0)) {
        firn_doc_key_error(r->doc, node, "'height_field' needs either 'noise' or 'png'");
        return;
    }
    if (r->dry) {  // a placeholder of the same extent
        const double p[] = {s->a[0], s->a[1], s->a[2], 0.5, 0.5, 0.5, 0};
        add(r, node, FIRN_SHAPE_BOX, p, 7, s, at);
        return;
    }
    const firn_vec3 origin = {(firn_real)s->a[0], (firn_real)s->a[1], (firn_real)s->a[2]};
    const firn_vec3 size = {(firn_real)s->size[0], (firn_real)s->size[1], (firn_real)s->size[2]};
    firn_error error = {0};
    firn_local field = -1;
    firn_result result =
        s->png != NULL
            ? firn_shapes_add_png_field(&r->scene->shapes, origin, size, s->png, &field, &error)
            : firn_shapes_add_noise_field(&r->scene->shapes, origin, size,
                                          (firn_real)s->noise_scale, (int)s->octaves,
                                          (uint64_t)s->seed, &field, &error);
    if (result == FIRN_OK && s->depth > 0)
        result = firn_shapes_set_depth(&r->scene->shapes, field, (firn_real)s->depth, &error);
    const firn_doc_node* png = firn_doc_find(node, "png");
    if (firn_read_check(r, png != NULL ? png : node, result, &error) && keep_field_text(r, s))
        *(firn_local*)at = field;
}

// Combines shapes into one as a balanced binary tree, which keeps the depth small. Overwrites
// `items`.
static bool fold(firn_scene_reader* r, const firn_doc_node* node, firn_shape_kind kind,
                 double blend, firn_local* items, firn_local count)
{
    while (count > 1) {
        firn_local folded = 0;
        for (firn_local i = 0; i < count; i += 2) {
            if (i + 1 == count) {
                items[folded++] = items[i];
                continue;
            }
            firn_shape_node pair = {
                .kind = kind, .a = items[i], .b = items[i + 1], .q = {1, 0, 0, 0}};
            pair.p[0] = (firn_real)blend;
            firn_error error = {0};
            firn_local shape = -1;
            const firn_result added = firn_shapes_add(&r->scene->shapes, &pair, &shape, &error);
            if (!firn_read_check(r, node, added, &error)) return false;
            items[folded++] = shape;
        }
        count = folded;
    }
    return true;
}

static void combine(firn_scene_reader* r, const firn_doc_node* node, firn_shape_kind kind,
                    double blend, firn_shape_list* list, firn_local* out)
{
    if (kind == FIRN_SHAPE_DIFFERENCE && list->count > 1) {  // first minus the others
        if (!fold(r, node, FIRN_SHAPE_UNION, 0, list->items + 1, list->count - 1)) return;
        list->count = 2;
    }
    if (fold(r, node, kind, blend, list->items, list->count)) *out = list->items[0];
}

static void finish_union(firn_scene_reader* r, const firn_doc_node* node, void* item, void* at,
                         bool valid)
{
    shape_args* s = item;
    if (valid) combine(r, node, FIRN_SHAPE_UNION, s->blend, &s->of, at);
}

#define AT(field) offsetof(shape_args, field)
#define POINT(name, field, fallback, help)                                         \
    {                                                                              \
        name, FIRN_KEY_VEC3, AT(field), "m", -FAR, FAR, fallback, NULL, NULL, help \
    }
#define LENGTH(name, field, low, fallback, help)                                  \
    {                                                                             \
        name, FIRN_KEY_REAL, AT(field), "m", low, FAR, fallback, NULL, NULL, help \
    }
#define SIZE(help)                                                              \
    {                                                                           \
        "size", FIRN_KEY_VEC3, AT(size), "m", THIN, FAR, NULL, NULL, NULL, help \
    }
#define ROTATION                                                                          \
    {                                                                                     \
        "rotation", FIRN_KEY_ROTATION, AT(rotation), NULL, 0, 0, "[0, 0, 0]", NULL, NULL, \
            "Rotation about the centre."                                                  \
    }
#define BLOCK(name, help, finish)                                                                \
    {                                                                                            \
#name, help, name##_keys, FIRN_KEY_COUNT(name##_keys), sizeof(shape_args), set_defaults, \
            finish                                                                               \
    }

static const firn_key plane_keys[] = {
    POINT("point", a, "[0, 0, 0]", "Any point of the surface."),
    {"normal", FIRN_KEY_VEC3, AT(size), "-", -FAR, FAR, "[0, 1, 0]", NULL, NULL,
     "Outward normal; any length but zero."},
};
static const firn_key sphere_keys[] = {
    POINT("center", a, "[0, 0, 0]", "Centre."),
    LENGTH("radius", radius, THIN, NULL, "Radius."),
};
static const firn_key box_keys[] = {
    POINT("center", a, "[0, 0, 0]", "Centre."),
    SIZE("Full edge lengths along x, y and z, before the rotation."),
    LENGTH("rounding", rounding, 0, "0", "Radius of the rounded edges; the overall size stays."),
    ROTATION,
};
static const firn_key capsule_keys[] = {
    POINT("a", a, NULL, "Centre of the first end's sphere."),
    POINT("b", b, NULL, "Centre of the second end's sphere."),
    LENGTH("radius", radius, THIN, NULL, "Radius."),
};
static const firn_key cylinder_keys[] = {
    POINT("a", a, NULL, "Centre of the first end."),
    POINT("b", b, NULL, "Centre of the second end."),
    LENGTH("radius", radius, THIN, NULL, "Radius."),
    LENGTH("rounding", rounding, 0, "0", "Radius of the rounded edges; the overall size stays."),
};
static const firn_key cone_keys[] = {
    POINT("a", a, NULL, "Centre of the first end."),
    POINT("b", b, NULL, "Centre of the second end."),
    LENGTH("radius_a", radius, 0, NULL, "Radius at a; 0 for a tip."),
    LENGTH("radius_b", radius_b, 0, "0", "Radius at b; 0 for a tip."),
};
static const firn_key wedge_keys[] = {
    POINT("base", a, "[0, 0, 0]", "Centre of the base."),
    SIZE("Width (x), height (y) and depth (z); the ridge runs along z, up."),
    ROTATION,
};
static const firn_key field_noise_keys[] = {
    LENGTH("scale", noise_scale, THIN, NULL, "Size of the largest hills."),
    {"octaves", FIRN_KEY_INT, AT(octaves), NULL, 1, 12, "4", NULL, NULL,
     "Layers of finer and finer noise."},
    {"seed", FIRN_KEY_INT, AT(seed), NULL, 0, 9007199254740992.0, "1", NULL, NULL,
     "Seed of the noise."},
};
static const firn_key_block field_noise = {"noise",
                                           "Heights from noise.",
                                           field_noise_keys,
                                           FIRN_KEY_COUNT(field_noise_keys),
                                           sizeof(shape_args),
                                           NULL,
                                           NULL};
static const firn_key height_field_keys[] = {
    POINT("origin", a, "[0, 0, 0]", "Lowest corner."),
    SIZE("Extent along x, largest height, extent along z."),
    LENGTH("depth", depth, 0, "0",
           "Thickness of the solid below the lowest corner; ground needs several cells."),
    {"noise", FIRN_KEY_BLOCK, 0, NULL, 0, 0, "none", NULL, &field_noise, "Heights from noise."},
    {"png", FIRN_KEY_PATH, AT(png), NULL, 0, 0, "none", NULL, NULL,
     "Heights from a greyscale picture, black lowest; path relative to the scene file."},
};
static const firn_key union_keys[] = {
    {"of", FIRN_KEY_SHAPES, AT(of), NULL, 1, 0, NULL, NULL, NULL, "The shapes to unite."},
    LENGTH("blend", blend, 0, "0", "Blend radius; 0: sharp edges."),
};
static const firn_key transform_keys[] = {
    {"shape", FIRN_KEY_SHAPE, AT(shape), NULL, 0, 0, NULL, NULL, NULL,
     "The shape to transform: scaled, then rotated, then moved."},
    POINT("move", a, "[0, 0, 0]", "Translation of its origin."),
    ROTATION,
    {"scale", FIRN_KEY_REAL, AT(scale), "-", 1e-3, 1e3, "1", NULL, NULL, "Scale factor."},
};

static const firn_key_block
    plane = BLOCK(plane, "A half space, solid below the surface.", finish_plane),
    sphere = BLOCK(sphere, "A sphere.", finish_sphere),
    box = BLOCK(box, "A box, with sharp or round edges.", finish_box),
    capsule = BLOCK(capsule, "A cylinder with hemispherical ends.", finish_capsule),
    cylinder = BLOCK(cylinder, "A cylinder with flat ends.", finish_cylinder),
    cone = BLOCK(cone, "A cone or a truncated one.", finish_cone),
    wedge = BLOCK(wedge, "A prism with its ridge up, like a roof.", finish_wedge),
    height_field =
        BLOCK(height_field, "A landscape over a rectangle; solid below.", finish_height_field),
    union_ = {"union",
              "The union of several shapes.",
              union_keys,
              FIRN_KEY_COUNT(union_keys),
              sizeof(shape_args),
              set_defaults,
              finish_union},
    transform = BLOCK(transform, "Another shape, transformed.", finish_transform);

#define KIND(name)                                                  \
    {                                                               \
#name, FIRN_KEY_BLOCK, 0, NULL, 0, 0, "", NULL, &name, NULL \
    }
static const firn_key kinds[] = {
    KIND(plane),
    KIND(sphere),
    KIND(box),
    KIND(capsule),
    KIND(cylinder),
    KIND(cone),
    KIND(wedge),
    KIND(height_field),
    {"union", FIRN_KEY_BLOCK, 0, NULL, 0, 0, "", NULL, &union_, NULL},
    {"intersection", FIRN_KEY_SHAPES, AT(of), NULL, 1, 0, "", NULL, NULL,
     "The intersection of all shapes of a list."},
    {"difference", FIRN_KEY_SHAPES, AT(of), NULL, 1, 0, "", NULL, NULL,
     "The first shape of a list without the others."},
    KIND(transform),
    {"mesh", FIRN_KEY_BLOCK, 0, NULL, 0, 0, "", NULL, &firn_mesh_keys, NULL},
    {"level_set", FIRN_KEY_BLOCK, 0, NULL, 0, 0, "", NULL, &firn_level_set_keys, NULL},
    {"text", FIRN_KEY_BLOCK, 0, NULL, 0, 0, "", NULL, &firn_text_keys, NULL},
};
const firn_key_block firn_shape_kinds = {
    "shape", "One of these kinds.", kinds, FIRN_KEY_COUNT(kinds), sizeof(shape_args), set_defaults,
    NULL};

const firn_key* firn_shape_kind_find(const char* name)
{
    for (size_t i = 0; i < FIRN_KEY_COUNT(kinds); i++)
        if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
    return NULL;
}

bool firn_read_shapes(firn_scene_reader* r, const firn_key* key, const firn_doc_node* node,
                      void* list)
{
    firn_shape_list* shapes = list;
    if (node->type != FIRN_DOC_LIST || node->count < (firn_local)key->low) {
        firn_doc_error(r->doc, node, "'%s' must be a list of shapes", key->name);
        return false;
    }
    if (!firn_reserve((void**)&shapes->items, &shapes->capacity, node->count,
                      sizeof *shapes->items)) {
        r->out_of_memory = true;
        return false;
    }
    bool ok = true;
    for (const firn_doc_node* item = node->first; item != NULL; item = item->next) {
        firn_local shape = -1;
        ok = firn_read_shape(r, item, &shape) && ok;
        shapes->items[shapes->count++] = shape;
    }
    return ok;
}

// Finds a kind by name; otherwise reports an error that lists all kinds.
static const firn_key* read_kind(firn_scene_reader* r, const firn_doc_node* node)
{
    const char* names[FIRN_KEY_COUNT(kinds)];
    for (size_t i = 0; i < FIRN_KEY_COUNT(kinds); i++) names[i] = kinds[i].name;
    if (node->type != FIRN_DOC_MAP || node->count != 1) {
        firn_doc_error(r->doc, node,
                       "a shape must be one kind with its keys, such as "
                       "{sphere: {center: [0, 1, 0], radius: 0.1}}");
        return NULL;
    }
    const firn_key* kind = firn_shape_kind_find(node->first->key);
    if (kind == NULL) {
        char hint[100];
        firn_hint(node->first->key, names, FIRN_KEY_COUNT(kinds), hint, sizeof hint);
        firn_doc_key_error(r->doc, node->first,
                           "unknown shape '%.60s'%s; the shapes are plane, sphere, box, capsule, "
                           "cylinder, cone, wedge, height_field, union, intersection, difference, "
                           "transform, mesh, level_set, text",
                           node->first->key, hint);
    }
    return kind;
}

bool firn_read_shape(firn_scene_reader* r, const firn_doc_node* node, firn_local* out_shape)
{
    const firn_key* kind = read_kind(r, node);
    if (kind == NULL) return false;
    const firn_key_block* block = kind->block != NULL ? kind->block : &union_;
    shape_args* args = firn_item_create(r, block);
    if (args == NULL) return false;
    bool ok;
    if (kind->type == FIRN_KEY_BLOCK) {
        ok = firn_read_block(r, block, kind->name, node->first, args, out_shape);
    } else {
        ok = firn_read_shapes(r, kind, node->first, &args->of);
        const bool both = strcmp(kind->name, "intersection") == 0;
        *out_shape = -1;
        if (ok)
            combine(r, node, both ? FIRN_SHAPE_INTERSECTION : FIRN_SHAPE_DIFFERENCE, 0, &args->of,
                    out_shape);
        ok = ok && *out_shape >= 0;
    }
    firn_item_destroy(block, args);
    return ok;
}
