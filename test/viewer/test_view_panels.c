// SPDX-License-Identifier: MIT
// What the panels show: picked particles, fragments, histories, parameters, ranges of colours.
#include <stdlib.h>

#include "firn_test.h"
#include "viewer/fake_source.h"
#include "viewer/input/actions.h"
#include "viewer/input/pick.h"
#include "viewer/panels/scene_values.h"
#include "viewer/save/save.h"
#include "viewer/source/fragments.h"
#include "viewer/source/history.h"

// Three particles of 1 cm spacing: two behind each other as seen by the camera, one beside them.
static float positions[3][3] = {{0.1f, 0.1f, 0}, {0, 0, 0}, {-0.2f, 0.05f, 0.1f}};
static uint32_t ids[3] = {70, 7, 77};

static view_session with_particles(fake* f)
{
    view_session s = fake_session(f, false);
    for (int k = 0; k < 3; k++) positions[0][k] = (float)(k == 0 ? 0 : 0.25);  // on the way to 1
    f->now.count = 3;
    f->now.position = positions;
    f->now.id = ids;
    f->now.has_id = true;
    return s;
}

static void click(view_session* s, const float at[3], double off)
{
    double x = 0, y = 0, depth;
    const view_vec point = {(double)at[0], (double)at[1], (double)at[2]};
    assert_true(view_orbit_project(&s->camera, point, s->width, s->height, &x, &y, &depth));
    fake_mouse(s, VIEW_EVENT_PRESS, VIEW_LEFT, x + off, y);
    fake_mouse(s, VIEW_EVENT_RELEASE, VIEW_LEFT, x + off, y);
}

static void a_click_picks_the_particle_in_front(void** state)
{
    (void)state;
    fake f;
    view_session s = with_particles(&f);
    click(&s, positions[1], 0);  // hidden by particle 0
    assert_true(s.has_picked);
    assert_int_equal(s.picked, 70);
    assert_int_equal(f.picked, 70);
    click(&s, positions[2], 0);
    assert_int_equal(f.picked, 77);
    click(&s, positions[2], 60);  // beside it: none
    assert_false(s.has_picked);
    assert_int_equal(f.picked, -1);
    const double yaw = s.camera.yaw;  // a drag looks around
    fake_mouse(&s, VIEW_EVENT_PRESS, VIEW_LEFT, 400, 300);
    fake_mouse(&s, VIEW_EVENT_MOVE, VIEW_LEFT, 430, 300);
    fake_mouse(&s, VIEW_EVENT_RELEASE, VIEW_LEFT, 430, 300);
    assert_false(s.has_picked);
    assert_not_equal(s.camera.yaw, yaw);
    f.now.has_id = false;
    s.camera.yaw = yaw;
    click(&s, positions[2], 0);
    assert_false(s.has_picked);
    assert_contains(s.message, "output.fields");
}

static void ranges_are_remembered_by_field(void** state)
{
    (void)state;
    fake f;
    view_session s = fake_session(&f, true);
    view_source_add_field(&f.base, "density");
    fake_key(&s, '5');
    view_set_range(&s, 1, 3);
    fake_key(&s, '1');
    assert_string_equal(s.colouring.field, "density");
    view_set_range(&s, 100, 400);
    fake_key(&s, '5');
    assert_equal(s.colouring.low, 1);
    assert_equal(s.colouring.high, 3);
    fake_key(&s, '+');
    assert_near(s.colouring.high - s.colouring.low, 2.5, 1e-12);  // doubles
    view_set_range(&s, 3, 3);                                     // refused
    assert_contains(s.message, "must end above its start");
    assert_near(s.colouring.high - s.colouring.low, 2.5, 1e-12);
    fake_key(&s, '1');
    assert_equal(s.colouring.high, 400);
    fake_key(&s, 'm');
    assert_int_equal(s.map, VIEW_MAP_BLUE_RED);
    fake_key(&s, 'n');
    assert_string_equal(s.colouring.field, "");  // after the last field: white
}

static void fragments_are_counted(void** state)
{
    (void)state;
    float x[40][3] = {{0}};
    int count = 0;
    for (int k = 0; k < 18; k++, count++) x[count][0] = 0.5f + (float)(k % 9);  // 9 voxels, twice
    for (int k = 0; k < 9; k++, count++) {
        x[count][0] = 0.5f + (float)k;
        x[count][1] = -5.5f;
    }
    x[count][2] = NAN;  // ignored
    x[count++][1] = 4;
    x[count++][1] = 9;  // dust
    assert_int_equal(view_count_fragments((const float(*)[3])x, count, 1, 8), 2);
    assert_int_equal(view_count_fragments((const float(*)[3])x, count, 1, 1), 3);
    assert_int_equal(view_count_fragments((const float(*)[3])x, count, 100, 1), 1);
    assert_int_equal(view_count_fragments((const float(*)[3])x, 0, 1, 8), 0);
}

static void histories_stay_bounded_and_begin_again(void** state)
{
    (void)state;
    view_history* h = calloc(1, sizeof *h);
    view_snapshot s = {.fragments = -1};
    for (s.step = 1; s.step <= 10000; s.step++) {
        s.time = (double)s.step;
        s.kinetic = 2 * s.time;
        view_history_follow(h, &s);
    }
    assert_at_most(h->count, VIEW_HISTORY_ROOM);
    assert_greater(h->count, VIEW_HISTORY_ROOM / 4);
    assert_greater(h->times[h->count - 1], 9990);
    for (int k = 0; k < h->count; k++) assert_equal(h->values[VIEW_KINETIC][k], 2 * h->times[k]);
    s.time = 1;  // restarted
    s.step = 1;
    view_history_follow(h, &s);
    assert_int_equal(h->count, 1);
    view_history_add_fragments(h, 3, 30);
    view_history_add_fragments(h, 1, 10);
    view_history_add_fragments(h, 2, 20);
    view_history_add_fragments(h, 3, 31);
    assert_int_equal(h->fragment_count, 3);
    for (int k = 0; k < 3; k++) assert_equal(h->fragment_times[k], k + 1);
    assert_equal(h->fragments[2], 31);
    free(h);
}

static void parameters_are_read(void** state)
{
    (void)state;
    view_scene_values v;
    view_scene_values_read(&v,
                           "firn: 1\nsolver: mpm\nmpm: {cell: 0.04, integrator: explicit}\n"
                           "materials:\n  \"wet snow\": {density: 150, cam_clay: {friction: 1}}\n"
                           "  loose:\n    young: 1.0e4\n    young_at: [{a: 1}]\nsnow:\n"
                           "  - shape: {box: {size: [1, 1, 1]}}\nsph: {radius: 1}\n",
                           "mpm");
    static const char* const keys[] = {"mpm.cell", "mpm.integrator", "materials.wet snow.density",
                                       "materials.wet snow.cam_clay.friction",
                                       "materials.loose.young"};
    static const char* const values[] = {"0.04", "explicit", "150", "1", "1.0e4"};
    assert_int_equal(v.count, 5);
    for (int k = 0; k < 5; k++) {
        assert_string_equal(v.items[k].key, keys[k]);
        assert_string_equal(v.items[k].value, values[k]);
        assert_false(view_scene_value_changed(&v.items[k]));
    }
}

// A name with a line break, as a file may have, adds no key.
static void a_saved_camera_is_only_a_camera(void** state)
{
    (void)state;
    fake f;
    view_session s = with_particles(&f);
    snprintf(f.base.name, sizeof f.base.name, "snow\nsolver: sph");
    firn_error error;
    const char* path = FIRN_TEST_TMP "/camera.yaml";
    assert_int_equal(view_save_camera(&s, path, &error), FIRN_OK);
    char text[2000] = "";
    FILE* file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    assert_non_null(strstr(text, "# Camera of 'snow': "));
    assert_non_null(strstr(text, "\nrender:\n"));
    assert_null(strstr(text, "solver"));
}

int test_view_panels(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_click_picks_the_particle_in_front),
        cmocka_unit_test(ranges_are_remembered_by_field),
        cmocka_unit_test(fragments_are_counted),
        cmocka_unit_test(histories_stay_bounded_and_begin_again),
        cmocka_unit_test(parameters_are_read),
        cmocka_unit_test(a_saved_camera_is_only_a_camera),
    };
    return cmocka_run_group_tests_name("view_panels", tests, NULL, NULL);
}
