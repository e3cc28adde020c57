// SPDX-License-Identifier: MIT
// The hash says whether two scenes mean the same; a written scene reads back as itself.
#include "core/text.h"
#include "math/random.h"
#include "scene/data/snow.h"
#include "scene/scene_fixture.h"
#include "scene/scene_text.h"
#include "scene/write/scene_write.h"

static uint64_t hash_of(const char* text, const firn_scene_options* options)
{
    firn_scene_data s = parse_good(text, options);
    const uint64_t hash = s.hash;
    firn_scene_data_destroy(&s);
    assert_not_equal(hash, 0);
    return hash;
}

static uint64_t hash_with(const char* text, const char* set)
{
    return hash_of(text, &(firn_scene_options){.overrides = &set, .override_count = 1});
}

static void test_equal_meanings(void** state)
{
    (void)state;
    static const char* const same[] = {
        "firn: 1\nmpm: {cell: 0.07}\nmaterials: {a: {young: 140000}}\nsnow: [{shape: {sphere: "
        "{radius: 0.12}}}]\n",
        "# units, order, names, defaults written out\n"
        "snow:\n- shape: {sphere: {radius: 12 cm, center: [0, 0, 0]}}\n  material: b\n  seed: 1\n"
        "materials: {b: {preset: snow, young: 140 kPa}}\n"
        "solver: mpm\nmpm:\n  flip: 95 %\n  cell: 7 cm\nfirn: 1\n",
        "firn: 1\ntitle: another\nmpm: {cell: 70 mm}\nmaterials: {a: {young: 0.14 MPa}}\n"
        "snow: [{shape: {sphere: {radius: 120 mm}}}]\ntime: {frames: 3}\noutput: {film: false}\n"
        "render: {width: 64}\nsph: {radius: 3}\nvariants: {x: {mpm: {cell: 1}}}\n",
        "firn: 1\nmpm: {cell: 1}\nmaterials: {a: {young: 140000}}\nsnow: [{shape: {sphere: "
        "{radius: 0.12}}}]\n"
        "variants: {v: {mpm: {cell: 0.07}}}\n",
    };
    const uint64_t first = hash_of(same[0], NULL);
    for (size_t i = 1; i < 3; i++) assert_equal(hash_of(same[i], NULL), first);
    assert_not_equal(hash_of(same[3], NULL), first);
    assert_equal(hash_of(same[3], &(firn_scene_options){.variant = "v"}), first);
    assert_equal(hash_with(same[3], "mpm.cell=0.07"), first);
}

// Each of these means another motion.
static const char* const changes[] = {
    "mpm.cell=0.02001",
    "mpm.warm=true",
    "mpm.note=x",
    "mpm.integrator=semi-implicit",
    "solver=sph",
    "time.fps=24",
    "gravity=[0,-9.81,0]",
    "materials.packed.young=141 kPa",
    "snow.0.seed=6",
    "snow.0.seeding=random",
    "snow.0.velocity=[0,-2.001,0]",
    "snow.0.spin=[0,0,0]",
    "snow.0.particles_per_cell=9",
    "snow.0.loose=1.5",
    "snow.0.vary.shell.density=1.3",
    "snow.0.vary.stiffness.noise.seed=10",
    "snow.0.vary.density.noise.amount=0.3",
    "snow.0.vary.shell.falloff=linear",
    "snow.0.vary.shell.stretch=1.1",
    "snow.3.vary.stiffness.texture.file=other.vdb",
    "snow.3.vary.stiffness.texture.grid=other",
    "snow.3.vary.hardening.texture.high=4",
    "snow.3.vary.compression.noise.seed=4",
    "snow.3.vary.layers.0.to=4 cm",
    "snow.3.vary.layers.1.hardening=2.1",
    "snow.3.vary.layers=[]",
    "snow.0.temperature=-21",
    "materials.packed.conductivity=0.4",
    "materials.packed.young_at.1.young=2e5",
    "materials.packed.young_at=[[-1, 1e5], [0, 2e4]]",
    "colliders.0.viscosity=3",
    "colliders.0.adhesion=0.2",
    "colliders.0.temperature=170",
    "colliders.0.heat_transfer=61",
    "emitters.0.rate=201",
    "emitters.0.spread=0.2",
    "emitters.0.size=4 mm",
    "emitters.0.stop=3",
    "emitters.0.limit=91",
    "emitters.0.material=plain",
    "emitters.0.temperature=-9",
    "emitters.1.velocity=[0,-1,0]",
    "emitters.1.seed=2",
    "emitters.1.shape.sphere.radius=0.5",
    "air.velocity=[4,0,0]",
    "air.gusts.strength=0.3",
    "air.gusts.period=3",
    "air.gusts.seed=9",
    "air.density=1.1",
    "air.viscosity=2e-5",
    "air.temperature=3",
    "air.heat_transfer=13",
    "air.drag=false",
    "air=null",
    "cull.start=0.5",
    "cull.below=-4",
    "cull.inside.sphere.radius=3",
    "cull.outside.box.size=[41,40,40]",
    "cull=null",
    "snow.0.shape.sphere.radius=0.121",
    "snow.0.material=plain",
    "snow.5.file=other.ply",
    "snow.1.shape.union.blend=0.06",
    "snow.4.shape.transform.scale=2.1",
    "colliders.0.friction=0.6",
    "colliders.0.sticky=true",
    "colliders.1.spin=[0,1,0]",
    "colliders.1.pivot=[1,2,4]",
    "colliders.1.rotation=[91,0,0]",
    "colliders.2.interpolation=smooth",
    "colliders.2.keyframes.1.time=0.6",
    "colliders.2.shape.height_field.noise.seed=2",
    "colliders.2.shape.height_field.depth=0.2",
};

static void test_different_meanings(void** state)
{
    (void)state;
    const size_t count = sizeof changes / sizeof *changes;
    uint64_t hashes[128];
    hashes[0] = hash_of(full_scene, NULL);
    for (size_t i = 0; i < count; i++) {
        hashes[i + 1] = hash_with(full_scene, changes[i]);
        for (size_t k = 0; k <= i; k++) {
            if (hashes[k] == hashes[i + 1]) print_error("%s changes nothing\n", changes[i]);
            assert_not_equal(hashes[k], hashes[i + 1]);
        }
    }
    static const char* const allowed[] = {
        "title=x",
        "time.frames=7",
        "output.compression=9",
        "output.points=[vtp]",
        "render.width=100",
        "render.camera.fov=20",
        "snow.3.vary.stiffness.texture.file=elsewhere/clouds.vdb"};
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        assert_equal(hash_with(full_scene, allowed[i]), hashes[0]);
}

// The effective text and the text written from data alone both mean the scene they came from.
static void test_written_scene_reads_back(void** state)
{
    (void)state;
    static const char* const variants[] = {NULL, "paper", "small"};
    for (int i = 0; i < 3; i++) {
        firn_scene_data s = parse_good(full_scene, &(firn_scene_options){.variant = variants[i]});
        char* text = firn_scene_to_yaml(&s);
        assert_string_equal(text, s.effective);
        assert_lacks(text, "variants");
        firn_scene_data again = parse_good(text, NULL);
        assert_equal(again.hash, s.hash);
        assert_string_equal(again.effective, text);
        assert_int_equal(again.time.frames, s.time.frames);
        assert_memory_equal(&again.output, &s.output, sizeof s.output);
        firn_free(text);
        firn_scene_data_destroy(&again);
        firn_scene_data_destroy(&s);
    }
}

static void test_scene_from_data_reads_back(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(full_scene, NULL);
    firn_free(s.effective);
    s.effective = NULL;  // as if built from code
    char* text = firn_scene_to_yaml(&s);
    firn_scene_data again = parse_good(text, NULL);
    assert_equal(again.hash, s.hash);
    assert_memory_equal(&again.output, &s.output, sizeof s.output);
    assert_memory_equal(&again.render, &s.render, sizeof s.render);
    assert_string_equal(again.title, s.title);
    assert_memory_equal(again.gravity, s.gravity, sizeof s.gravity);  // bit for bit
    assert_equal(toy(&again)->wind[0], toy(&s)->wind[0]);
    for (firn_local i = 0; i < s.material_count; i++)
        assert_memory_equal(&again.materials[i].snow, &s.materials[i].snow,
                            sizeof s.materials[i].snow);
    const firn_shape_node *ball = &s.shapes.nodes[s.snow[0].shape],
                          *ball_again = &again.shapes.nodes[again.snow[0].shape];
    assert_memory_equal(ball_again->p, ball->p, sizeof ball->p);
    firn_free(text);
    firn_scene_data_destroy(&again);
    firn_scene_data_destroy(&s);
}

static void test_texts_are_escaped(void** state)
{
    (void)state;
    static const char text[] = "firn: 1\ntitle: |\n  two \"lines\"\n  and a \\ backslash: [x]\n"
                               "materials: {\"a: b, {c}\": {density: 300}, '-': {}, \"null\": {}}\n"
                               "snow: [{shape: {sphere: {radius: 1}}, material: 'a: b, {c}'}]\n";
    firn_scene_data s = parse_good(text, NULL);
    firn_scene_data again = parse_good(s.effective, NULL);
    assert_string_equal(again.title, "two \"lines\"\nand a \\ backslash: [x]\n");
    assert_string_equal(again.materials[0].name, "a: b, {c}");
    assert_string_equal(again.materials[1].name, "-");
    assert_string_equal(again.materials[2].name, "null");
    assert_int_equal(again.snow[0].material, 0);
    assert_equal(again.hash, s.hash);
    firn_scene_data_destroy(&again);
    firn_free(s.effective);
    s.effective = NULL;
    char* from_data = firn_scene_to_yaml(&s);
    again = parse_good(from_data, NULL);
    assert_string_equal(again.title, s.title);
    assert_string_equal(again.materials[0].name, s.materials[0].name);
    firn_free(from_data);
    firn_scene_data_destroy(&again);
    firn_scene_data_destroy(&s);
}

// Any text that a scene may hold comes back from what is written for it.
static void test_random_texts(void** state)
{
    (void)state;
    static const char* const pieces[] = {"a",
                                         "\"",
                                         "'",
                                         "\\",
                                         "\n",
                                         "\t",
                                         " ",
                                         ":",
                                         ": ",
                                         "#",
                                         " #",
                                         "{",
                                         "}",
                                         "[",
                                         "]",
                                         ",",
                                         "&",
                                         "*",
                                         "- ",
                                         "? ",
                                         "|",
                                         ">",
                                         "%",
                                         "@",
                                         "`",
                                         "!",
                                         "~",
                                         "0",
                                         "-",
                                         ".",
                                         "=",
                                         "\r",
                                         "\xc3\xa9",
                                         "\xe2\x82\xac",
                                         "\xf0\x9f\x98\x80"};
    for (uint64_t i = 0; i < 500; i++) {
        char title[64] = "x";  // a title is not empty
        for (uint64_t k = 0; k < 1 + i % 12; k++)
            strcat(title,
                   pieces[firn_random_bits(77, 100 * i + k) % (sizeof pieces / sizeof *pieces)]);
        firn_text text = {0};
        firn_text_add(&text, "firn: 1\ntitle: ");
        firn_text_add_json(&text, title);
        char* scene_text = firn_text_take(&text);
        firn_scene_data s = parse_good(scene_text, NULL);
        assert_string_equal(s.title, title);
        firn_scene_data again = parse_good(s.effective, NULL);
        if (strcmp(again.title, title) != 0) print_error("%s\n", s.effective);
        assert_string_equal(again.title, title);
        firn_scene_data_destroy(&again);
        firn_scene_data_destroy(&s);
        firn_free(scene_text);
    }
}

// Code may build a shape that uses one child twice, level after level: 2^24 leaves when written
// out.
static void test_shared_shapes(void** state)
{
    (void)state;
    firn_scene_data s;
    firn_scene_data_init(&s);
    firn_shape_node node = {.kind = FIRN_SHAPE_SPHERE, .p = {0, 0, 0, 1}, .q = {1, 0, 0, 0}};
    firn_local shape = -1;
    assert_int_equal(firn_shapes_add(&s.shapes, &node, &shape, NULL), FIRN_OK);
    s.shapes.nodes = firn_realloc(s.shapes.nodes, 1, 64, sizeof node);
    s.shapes.node_capacity = 64;
    for (int i = 0; i < 40; i++) {
        s.shapes.nodes[s.shapes.node_count] =
            (firn_shape_node){.kind = FIRN_SHAPE_UNION, .a = shape, .b = shape};
        shape = s.shapes.node_count++;
    }
    firn_snow snow = {.shape = shape};
    s.materials = firn_alloc(1, sizeof *s.materials);
    s.materials[0].name = firn_strdup("a");
    s.material_count = 1;
    s.snow = firn_alloc(1, sizeof snow);
    s.snow[0] = snow;
    s.snow_count = 1;
    assert_not_equal(firn_scene_hash(&s), 0);
    assert_null(firn_scene_to_yaml(&s));  // refused, in bounded time
    firn_scene_data_destroy(&s);
}

int test_scene_write(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_meanings),
        cmocka_unit_test(test_different_meanings),
        cmocka_unit_test(test_written_scene_reads_back),
        cmocka_unit_test(test_scene_from_data_reads_back),
        cmocka_unit_test(test_texts_are_escaped),
        cmocka_unit_test(test_shared_shapes),
        cmocka_unit_test(test_random_texts),
    };
    return cmocka_run_group_tests_name("scene_write", tests, NULL, NULL);
}
