// SPDX-License-Identifier: MIT
// Every mistake that the parser reports, each with its line, column and message.
#include "scene/scene_fixture.h"

typedef struct mistake {
    const char* text;
    int line, column;
    const char* message;  // a part of it
} mistake;

#define SNOW "firn: 1\nsnow:\n- "
#define BALL "shape: {sphere: {radius: 1}}"
#define SHAPE(s) "firn: 1\nsnow:\n- shape: " s "\n"

// clang-format off
static const mistake mistakes[] = {
    // YAML itself
    {"", 1, 1, "a scene is a block of keys"},
    {"# only a comment\n", 1, 1, "a scene is a block of keys"},
    {"just text\n", 1, 1, "a scene is a block of keys"},
    {"- a\n- b\n", 1, 1, "a scene is a block of keys"},
    {"firn: 1\nmpm: {cell: 1\n", 3, 1, "in flow mapping"},
    {"firn: 1\ntime: [1, 2\n", 3, 1, "flow sequence without a closing bracket"},
    {"firn: 1\ntitle: \"abc\n", 2, 9, "without closing quote"},
    {"firn: 1\nmpm:\n\tcell: 1\n", 3, 1, "tab"},
    {"firn: 1\n  mpm: 2\n", 1, 7, "multiline plain key"},
    {"firn: 1\nmpm: }\n", 2, 6, "closing brace"},
    {"firn: 1\n---\nfirn: 1\n", 2, 1, "one document"},
    {"firn: 1\ntitle: \xff\n", 2, 8, "byte 0xff is not allowed"},
    {"firn: 1\ntitle: \xc3(\n", 2, 8, "byte 0xc3 is not allowed"},
    {"firn: 1\ntitle: \xed\xa0\x80\n", 2, 8, "byte 0xed is not allowed"},
    {"firn: 1\ntitle: a\x01\n", 2, 9, "byte 0x01 is not allowed"},
    {"firn: 1\ntitle: \"a\\0b\"\n", 2, 8, "control characters"},
    {"firn: 1\ntitle: !!str abc\n", 2, 14, "tags"},
    {"firn: 1\n? [a, b]\n: 3\n", 2, 3, "a key must be plain text"},
    {"firn: 1\nmpm: *x\n", 2, 6, "names no anchor"},
    {"firn: 1\nmpm: &x {a: *x}\n", 2, 13, "names no anchor"},
    {"firn: 1\na: &x b\n*x : 3\n", 3, 1, "cannot be a key"},
    {"a: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]\n", 1,
     43, "nested too deeply"},
    {"a: &a [[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]\n"
     "b: [[[[[[[[[[[[[[[[[[[[[*a]]]]]]]]]]]]]]]]]]]]]\n", 2, 25, "nested too deeply"},
    {"a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
     "c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"
     "d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\n"
     "f: [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\n", 6, 11, "too many values once aliases are expanded"},
    // top level
    {"solver: mpm\n", 1, 1, "'scene' needs the key 'firn'"},
    {"firn: 2\n", 1, 7, "this version of firn reads format 1"},
    {"firn: 0\n", 1, 7, "between 1 and 1000"},
    {"firn: one\n", 1, 7, "'firn' must be a number, not 'one'"},
    {"firn: 1\nfirn: 1\n", 2, 1, "key 'firn' is given twice (first on line 1)"},
    {"firn: 1\ngravty: [0, 0, 0]\n", 2, 1, "unknown key 'gravty' in 'scene' (did you mean "
     "'gravity'?)"},
    {"firn: 1\nqqqqqqqq: 1\n", 2, 1, "unknown key 'qqqqqqqq' in 'scene'"},
    {"firn: 1\nsolver: mpn\n", 2, 9, "'solver' cannot be 'mpn'; choose from: mpm, sph (did you "
     "mean 'mpm'?)"},
    {"firn: 1\nsolver: [mpm]\n", 2, 9, "'solver' cannot be a list"},
    {"firn: 1\nsolver: sph\n", 1, 1, "'sph' needs the key 'radius'"},
    {"firn: 1\nsolver: sph\nsph:\n", 3, 1, "'sph' needs the key 'radius'"},
    {"firn: 1\nsph: {radius: -1}\n", 2, 15, "'radius' is -1 m, but must be between 1e-05 and 10 m"},
    {"firn: 1\ngrains: {radius: 1}\n", 2, 1, "unknown key 'grains'"},
    {"firn: 1\ntitle:\n", 2, 1, "'title' has no value"},
    {"firn: 1\ntitle: [a]\n", 2, 8, "'title' must be a text, not a list"},
    {"firn: 1\ntitle: \"\"\n", 2, 8, "'title' must be a text"},
    {"firn: 1\ntime: 3\n", 2, 7, "'time' must be a block of keys such as {frames: ...}, not a "
     "single value"},
    {"firn: 1\ntime: [3]\n", 2, 7, "not a list"},
    {"firn: 1\ntime: {frames: 1.5}\n", 2, 16, "'frames' must be a whole number, not '1.5'"},
    {"firn: 1\ntime: {frames: 0}\n", 2, 16, "'frames' is 0 frames, but must be between 1 and "
     "1000000 frames"},
    {"firn: 1\ntime: {fps: {a: 1}}\n", 2, 13, "'fps' must be a number, not a block of keys"},
    {"firn: 1\ntime: {fps: null}\n", 2, 8, "'fps' has no value"},
    {"firn: 1\ngravity: 9.81\n", 2, 10, "'gravity' must be a list of 3 numbers, not '9.81'"},
    {"firn: 1\ngravity: [0, 1]\n", 2, 10, "'gravity' must be a list of 3 numbers, not of 2"},
    {"firn: 1\ngravity: [0, 1, 2, 3]\n", 2, 10, "not of 4"},
    {"firn: 1\ngravity: [0, x, 0]\n", 2, 14, "'gravity' must be a number, not 'x'"},
    {"firn: 1\ngravity: [0, [1], 0]\n", 2, 14, "'gravity' must be a number, not a list"},
    // scalars, units, ranges
    {"firn: 1\nmpm: {cell: .inf}\n", 2, 13, "'cell' must be a number, not '.inf'"},
    {"firn: 1\nmpm: {cell: .nan}\n", 2, 13, "'cell' must be a number"},
    {"firn: 1\nmpm: {cell: 0x10}\n", 2, 13, "unknown unit 'x10'"},
    {"firn: 1\nmpm: {wind: [1e999, 0, 0]}\n", 2, 14, "'wind' must be a finite number"},
    {"firn: 1\nmpm: {cell: 1e}\n", 2, 13, "unknown unit 'e'"},
    {"firn: 1\nmpm: {cell: 12 kPa}\n", 2, 13, "'cell': expected a length (m, km, cm, mm, um), but "
     "'kPa' is a pressure"},
    {"firn: 1\nmpm: {cell: 12 cmm}\n", 2, 13, "unknown unit 'cmm': expected a length (m, km, cm, "
     "mm, um) (did you mean 'cm'?)"},
    {"firn: 1\nmpm: {steps: 3 m}\n", 2, 14, "expected a plain number, without the unit 'm'"},
    {"firn: 1\nmpm: {flip: 0.5 m}\n", 2, 13, "expected a number without a unit (%), but 'm' is a "
     "length"},
    {"firn: 1\nmpm: {cell: 20 m}\n", 2, 13, "'cell' is 20 m, but must be between 1e-05 and 10 m"},
    {"firn: 1\nmpm: {cell: 2 km}\n", 2, 13, "'cell' is 2000 m"},
    {"firn: 1\nmpm: {steps: 101}\n", 2, 14, "'steps' is 101, but must be between 1 and 100"},
    {"firn: 1\nmpm: {warm: yes}\n", 2, 13, "'warm' must be true or false, not 'yes'"},
    {"firn: 1\nmpm: {warm: [true]}\n", 2, 13, "'warm' must be true or false, not a list"},
    {"firn: 1\nmpm: {integrator: implicit}\n", 2, 19, "'integrator' cannot be 'implicit'; choose "
     "from: explicit, semi-implicit (did you mean 'explicit'?)"},
    {"firn: 1\nmpm: {cel: 1}\n", 2, 7, "unknown key 'cel' in 'mpm' (did you mean 'cell'?)"},
    {"firn: 1\noutput: {points: [vtk]}\n", 2, 19, "'points' cannot be 'vtk'; choose from: vtkhdf, "
     "ply, vtp"},
    {"firn: 1\noutput: {points: {a: 1}}\n", 2, 18, "'points' must be a list of names"},
    {"firn: 1\noutput: {checkpoint: {keep: 0}}\n", 2, 29, "'keep' is 0"},
    {"firn: 1\noutput: {compression: 10}\n", 2, 23, "between 0 and 9"},
    {"firn: 1\nrender: {width: 101}\n", 2, 1, "must be even"},
    {"firn: 1\nrender: {sun: [0, 0, 0]}\n", 2, 1, "'sun' must not be"},
    {"firn: 1\nrender: {camera: {eye: [1, 1, 1]}}\n", 2, 10, "'camera' needs the key 'look_at'"},
    {"firn: 1\nrender: {camera: {eye: [1, 1, 1], look_at: [1, 1, 1]}}\n", 2, 10,
     "two different points"},
    // materials
    {"firn: 1\nmaterials: [a]\n", 2, 12, "'materials' must be a map"},
    {"firn: 1\nmaterials: {a: 3}\n", 2, 16, "'material' must be a block of keys"},
    {"firn: 1\nmaterials: {a: {preset: snow, measured: {density: 250}}}\n", 2, 41, "not from both"},
    {"firn: 1\nmaterials: {a: {measured: {temperature: -5}}}\n", 2, 17, "'density'"},
    {"firn: 1\nmaterials: {a: {measured: {density: 900}}}\n", 2, 37, "500"},
    {"firn: 1\nmaterials: {a: {preset: powdr}}\n", 2, 25, "unknown preset 'powdr' (did you mean "
     "'powder'?)"},
    {"firn: 1\nmaterials: {a: {density: 0.4 g/cm2}}\n", 2, 26, "unknown unit 'g/cm2'"},
    {"firn: 1\nmaterials: {a: {poisson: 0.5}}\n", 2, 26, "between 0 and 0.49"},
    {"firn: 1\nmaterials: {a: {yung: 1}}\n", 2, 17, "(did you mean 'young'?)"},
    // snow
    {"firn: 1\nsnow: {shape: 1}\n", 2, 7, "'snow' must be a list: begin each item with '- '"},
    {SNOW "5\n", 3, 3, "'snow' must be a block of keys"},
    {SNOW "material: snow\n", 3, 3, "'snow' needs either 'shape' or 'file'"},
    {SNOW BALL "\n  file: a.ply\n", 3, 3, "'snow' needs either 'shape' or 'file'"},
    {SNOW BALL "\n  material: granit\n", 4, 13, "no material or preset is called 'granit'"},
    {"firn: 1\nmaterials: {packedsnow: {}}\nsnow:\n- " BALL "\n  material: packdsnow\n", 5, 13,
     "(did you mean 'packedsnow'?)"},
    {SNOW BALL "\n  seeding: grid\n", 4, 12, "choose from: stratified, lattice, random"},
    {SNOW BALL "\n  particles_per_cell: 0\n", 4, 23, "between 0.1 and 1000"},
    {SNOW BALL "\n  velocity: [0, -3 m, 0]\n", 4, 17, "expected a speed (m/s, cm/s, mm/s, km/h), "
     "but 'm' is a length"},
    {SNOW BALL "\n  vary: {stiffness: {noise: {amount: 1}}}\n", 4, 22,
     "'noise' needs the key 'scale'"},
    {SNOW BALL "\n  vary: {shell: {thickness: 1, hardness: 2}}\n", 4, 32,
     "unknown key 'hardness' in 'shell'"},
    {SNOW BALL "\n  vary: {shell: {thickness: 1, falloff: soft}}\n", 4, 41, "'falloff'"},
    {SNOW BALL "\n  vary: {stretch: {texture: {file: a.vdb, high: 2}}}\n", 4, 20,
     "'texture' needs the key 'low'"},
    {SNOW BALL "\n  vary: {stretch: {texture: {file: a.vdb, low: 0, high: 2}}}\n", 4, 48, "'low'"},
    {SNOW BALL "\n  vary: {layers: [{stiffness: 2}]}\n", 4, 19, "'layer' needs the key 'to'"},
    {SNOW BALL "\n  vary: {layers: [{from: 5 cm, to: 5 cm}]}\n", 4, 19, "not 0.05 to 0.05 m"},
    {SNOW BALL "\n  vary: {layers: [{to: 5 cm, hardening: 1000}]}\n", 4, 41, "'hardening'"},
    {SNOW BALL "\ncull: {below: 1 kg}\n", 4, 15, "'below'"},
    {SNOW BALL "\ncull: {above: 1}\n", 4, 8, "unknown key 'above' in 'cull'"},
    {SNOW BALL "\ncull: {inside: {ball: {radius: 1}}}\n", 4, 17, "unknown shape 'ball'"},
    {SNOW BALL "\n  file:\n", 4, 3, "'file' has no value"},
    // shapes
    {SHAPE("ball"), 3, 10, "a shape must be one kind with its keys"},
    {SHAPE("{}"), 3, 10, "a shape must be one kind with its keys"},
    {SHAPE("{sphere: {radius: 1}, box: {size: [1, 1, 1]}}"), 3, 10, "a shape must be one kind"},
    {SHAPE("{spere: {radius: 1}}"), 3, 11, "unknown shape 'spere' (did you mean 'sphere'?)"},
    {SHAPE("{sphere: {radus: 0.1}}"), 3, 20, "unknown key 'radus' in 'sphere' (did you mean "
     "'radius'?)"},
    {SHAPE("{sphere: {}}"), 3, 11, "'sphere' needs the key 'radius'"},
    {SHAPE("{sphere: 3}"), 3, 19, "'sphere' must be a block of keys"},
    {SHAPE("{sphere: {radius: 0}}"), 3, 28, "'radius' is 0 m"},
    {SHAPE("{box: {size: [1, -1, 1]}}"), 3, 27, "'size' is -1 m"},
    {SHAPE("{box: {size: [1, 1, 1], rounding: 3}}"), 3, 16, "box"},
    {SHAPE("{box: {size: [1, 1, 1], rotation: 45}}"), 3, 44, "'rotation' must be 3 angles in "
     "degrees"},
    {SHAPE("{box: {size: [1, 1, 1], rotation: [1, 2]}}"), 3, 44, "not a list of 2"},
    {SHAPE("{box: {size: [1, 1, 1], rotation: [0, 0, 0, 0]}}"), 3, 44, "a quaternion of length zero"
     },
    {SHAPE("{box: {size: [1, 1, 1], rotation: [1 m, 0, 0]}}"), 3, 45, "expected an angle (deg, rad)"
     },
    {SHAPE("{capsule: {a: [0, 0, 0], radius: 1}}"), 3, 11, "'capsule' needs the key 'b'"},
    {SHAPE("{plane: {normal: [0, 0, 0]}}"), 3, 18, "normal"},
    {SHAPE("{union: [{sphere: {radius: 1}}]}"), 3, 18, "'union' must be a block of keys such as "
     "{of: ...}"},
    {SHAPE("{union: {of: []}}"), 3, 23, "'of' must be a list of shapes"},
    {SHAPE("{union: {of: {sphere: {radius: 1}}}}"), 3, 23, "'of' must be a list of shapes"},
    {SHAPE("{intersection: {of: 1}}"), 3, 25, "'intersection' must be a list of shapes"},
    {SHAPE("{difference: [{sphere: {radius: 1}}, {cube: 1}]}"), 3, 48, "unknown shape 'cube'"},
    {SHAPE("{transform: {move: [0, 1, 0]}}"), 3, 11, "'transform' needs the key 'shape'"},
    {SHAPE("{transform: {shape: {sphere: {radius: 1}}, scale: 0}}"), 3, 60, "'scale' is 0"},
    {SHAPE("{height_field: {size: [1, 1, 1]}}"), 3, 11, "needs either 'noise' or 'png'"},
    {SHAPE("{height_field: {size: [1, 1, 1], png: /nowhere/at/all.png}}"), 3, 48,
     "/nowhere/at/all.png"},
    {SHAPE("{height_field: {size: [1, 1, 1], noise: {octaves: 3}}}"), 3, 43,
     "'noise' needs the key 'scale'"},
    // colliders
    {"firn: 1\ncolliders:\n- friction: 1\n", 3, 3, "'collider' needs the key 'shape'"},
    {"firn: 1\ncolliders:\n- {" BALL ", friction: -1}\n", 3, 44, "'friction' is -1, but must be "
     "between 0 and 100"},
    {"firn: 1\ncolliders:\n- {" BALL ", interpolation: cubic}\n", 3, 49,
     "choose from: linear, smooth"},
    {"firn: 1\ncolliders:\n- " BALL "\n  keyframes: [{time: 1}, {time: 1 s}]\n", 4, 26,
     "increasing times: 1 s comes after 1 s"},
    {"firn: 1\ncolliders:\n- " BALL "\n  keyframes: [{position: [0, 0, 0]}]\n", 4, 15,
     "'keyframe' needs the key 'time'"},
    {"firn: 1\ncolliders:\n- " BALL "\n  velocity: [1, 0, 0]\n  keyframes: [{time: 0}]\n", 3, 3,
     "by 'keyframes' or by 'velocity' and 'spin', not both"},
    // variants
    {"firn: 1\nvariants: [a]\n", 2, 11, "'variants' must be a map"},
    {"firn: 1\nvariants: {a: 3}\n", 2, 15, "variant 'a' must be a block of keys"},
    {"firn: 1\nvariants: {a: {variants: {}}}\n", 2, 16, "a variant cannot have variants"},
    {"firn: 1\nvariants:\n  a: {mpm: {cel: 1}}\n", 3, 13, "unknown key 'cel' in 'mpm' (did you "
     "mean 'cell'?) (in variant 'a')"},
    {SNOW BALL "\nvariants:\n  a: {snow: {1: {seed: 3}}}\n", 5, 14,
     "there is no item 1: the list has 1, counted from 0 (in variant 'a')"},
};
// clang-format on

static void test_each_mistake(void** state)
{
    (void)state;
    int wrong = 0;
    const size_t count = sizeof mistakes / sizeof *mistakes;
    for (size_t i = 0; i < count; i++) {
        const mistake* m = &mistakes[i];
        firn_scene_data scene;
        firn_diagnostics diagnostics = {0};
        const firn_result result =
            parse_length(m->text, strlen(m->text), NULL, &scene, &diagnostics);
        if (result != FIRN_REFUSED_SCENE ||
            !has_message(&diagnostics, m->line, m->column, m->message)) {
            char* messages = firn_diagnostics_text(&diagnostics);
            print_error("case %zu: result %d, expected %d:%d: ...%s...\n%s--- got:\n%s\n", i,
                        result, m->line, m->column, m->message, m->text, messages);
            firn_free(messages);
            wrong++;
        }
        if (result == FIRN_OK) firn_scene_data_destroy(&scene);
        assert_null(scene.name);  // destroyed and zeroed
        firn_diagnostics_destroy(&diagnostics);
    }
    assert_int_equal(wrong, 0);
    assert_at_least(count, 100);
}

// A mistake is reported once: no second message that only follows from it.
static void test_one_mistake_one_message(void** state)
{
    (void)state;
    static const char* const texts[] = {
        "firn: 1\nmaterials: {a: {young: -1}}\nsnow:\n- {" BALL ", material: a}\n",
        "firn: 1\nmaterials: {a: 5}\nsnow:\n- {" BALL ", material: a}\n",
        "firn: 1\nmaterials: {a: {preset: nosuchthing}}\nsnow:\n- {" BALL ", material: a}\n",
        SHAPE("{sphere: {radus: 1}}"),
        SHAPE("{union: {of: [{sphere: {radius: -1}}, {sphere: {radius: 1}}]}}"),
        "firn: 1\nsolver: spk\n",
        "firn: 1\nmpm: {cel: 1}\nvariants: {a: {}, b: {title: x}}\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        firn_scene_data scene;
        firn_diagnostics diagnostics = {0};
        parse_length(texts[i], strlen(texts[i]), NULL, &scene, &diagnostics);
        if (diagnostics.error_count != 1) print_error("%s", texts[i]);
        assert_int_equal(diagnostics.error_count, 1);
        firn_diagnostics_destroy(&diagnostics);
    }
}

static void test_all_mistakes_of_a_file(void** state)
{
    (void)state;
    static const char text[] = "firn: 1\n"
                               "time: {frames: many}\n"
                               "gravty: [0, -9.81, 0]\n"
                               "materials:\n"
                               "  packed: {young: -3}\n"
                               "snow:\n"
                               "  - shape: {sphere: {radus: 12 cm}}\n"
                               "    material: granite\n"
                               "colliders:\n"
                               "  - shape: {plane: {normal: [0, 1]}}\n";
    firn_scene_data scene;
    firn_diagnostics diagnostics = {0};
    assert_int_equal(parse_length(text, strlen(text), NULL, &scene, &diagnostics),
                     FIRN_REFUSED_SCENE);
    static const int lines[] = {2, 3, 5, 7, 8, 10};
    assert_int_equal(diagnostics.count, 6);
    for (int i = 0; i < 6; i++) assert_int_equal(diagnostics.items[i].line, lines[i]);  // in order
    char* messages = firn_diagnostics_text(&diagnostics);
    assert_contains(messages, "test.yaml:7:22: error: unknown key 'radus' in 'sphere' (did you "
                              "mean 'radius'?)\n"
                              "    7 |   - shape: {sphere: {radus: 12 cm}}\n"
                              "      |                      ^\n");
    firn_free(messages);
    firn_diagnostics_destroy(&diagnostics);
}

static void test_many_mistakes_are_counted(void** state)
{
    (void)state;
    char text[8000] = "firn: 1\n";
    size_t used = strlen(text);
    for (int i = 0; i < 500; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "k%d: 1\n", i);
    firn_scene_data scene;
    firn_diagnostics diagnostics = {0};
    parse_length(text, used, NULL, &scene, &diagnostics);
    assert_int_equal(diagnostics.error_count, 500);
    assert_int_equal(diagnostics.count, 100);
    char* messages = firn_diagnostics_text(&diagnostics);
    assert_contains(messages, "... and 400 more errors\n");
    firn_free(messages);
    firn_diagnostics_destroy(&diagnostics);
}

static void test_override_mistakes(void** state)
{
    (void)state;
    static const struct {
        const char* set;
        const char* message;
    } cases[] = {
        {"mpm.cel=1", "--set mpm.cel=1: error: unknown key 'cel' in 'mpm' (did you mean 'cell'?)"},
        {"mpm.cell=-1", "--set mpm.cell=-1: error: 'cell' is -1 m"},
        {"mpm.cell=1 kPa", "--set mpm.cell=1 kPa: error: 'cell': expected a length"},
        {"mpm.cell", "expected key=value"},
        {"=3", "expected key=value"},
        {"mpm..cell=3", "a key must look like"},
        {"firn.x=3", "'x' cannot be set inside the value '1'"},
        {"snow.7.seed=3", "'7' is no item of a list of 1"},
        {"snow.x.seed=3", "'x' is no item of a list of 1"},
        {"mpm=[", "--set mpm=[: error: flow sequence without a closing bracket"},
        {"snow.0.material=granite", "--set snow.0.material=granite: error: no material or preset"},
        {"variants.a.mpm=3", "variants cannot be set"},
        {"nosuch.key=3", "unknown key 'nosuch'"},
        {"mpm={flip: 1, flip: 0}", "key 'flip' is given twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const firn_scene_options options = {.overrides = &cases[i].set, .override_count = 1};
        const char* text = SNOW BALL "\n";
        firn_scene_data scene;
        firn_diagnostics diagnostics = {0};
        assert_int_equal(parse_length(text, strlen(text), &options, &scene, &diagnostics),
                         FIRN_REFUSED_SCENE);
        char* messages = firn_diagnostics_text(&diagnostics);
        if (strstr(messages, cases[i].message) == NULL)
            print_error("%s\ngot: %s\n", cases[i].message, messages);
        assert_contains(messages, cases[i].message);
        firn_free(messages);
        firn_diagnostics_destroy(&diagnostics);
    }
}

static void test_wrong_choices(void** state)
{
    (void)state;
    const char* text = "firn: 1\nvariants: {paper: {}, draft: {}}\n";
    firn_scene_data scene;
    firn_diagnostics diagnostics = {0};
    parse_length(text, strlen(text), &(firn_scene_options){.variant = "papr"}, &scene,
                 &diagnostics);
    assert_true(has_message(&diagnostics, 0, 0,
                            "no variant 'papr' (did you mean 'paper'?); it has: paper, draft"));
    firn_diagnostics_destroy(&diagnostics);
    parse_length(text, strlen(text), &(firn_scene_options){.solver = "spk"}, &scene, &diagnostics);
    assert_true(has_message(&diagnostics, 0, 0, "'solver' cannot be 'spk'"));
    assert_string_equal(diagnostics.items[0].file, "--solver spk");
    firn_diagnostics_destroy(&diagnostics);
    assert_int_equal(
        firn_scene_parse_file("/nowhere/scene.yaml", toy_solvers, 2, NULL, &scene, &diagnostics),
        FIRN_REFUSED_IO);
    assert_int_equal(diagnostics.error_count, 1);
    assert_contains(diagnostics.items[0].message, "/nowhere/scene.yaml");
    firn_diagnostics_destroy(&diagnostics);
}

int test_parse_errors(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_mistake),
        cmocka_unit_test(test_one_mistake_one_message),
        cmocka_unit_test(test_all_mistakes_of_a_file),
        cmocka_unit_test(test_many_mistakes_are_counted),
        cmocka_unit_test(test_override_mistakes),
        cmocka_unit_test(test_wrong_choices),
    };
    return cmocka_run_group_tests_name("parse_errors", tests, NULL, NULL);
}
