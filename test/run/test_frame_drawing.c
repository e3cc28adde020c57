// SPDX-License-Identifier: MIT
// Pictures that another thread draws while the caller does something else.
#include "run/frame_drawing.h"

#include "core/memory.h"
#include "firn_test.h"
#include "run/frame_picture.h"
#include "sim/sim.h"

static const char scene_text[] = "firn: 1\n"
                                 "solver: mpm\n"
                                 "time: {frames: 2, fps: 10}\n"
                                 "mpm: {cell: 0.1}\n"
                                 "snow:\n"
                                 "  - shape: {box: {center: [0, 0.3, 0], size: [0.6, 0.4, 0.6]}}\n"
                                 "colliders:\n"
                                 "  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n"
                                 "render: {width: 96, height: 64, camera: {eye: [1.6, 1, 1.6], "
                                 "look_at: [0, 0.3, 0], fov: 40}}\n";

static firn_sim* create(void)
{
    firn_scene* scene;
    firn_sim* sim = NULL;
    firn_sim_def def = firn_default_sim_def();
    def.threads = 2;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    if (firn_scene_load_text(scene, scene_text, "box", NULL) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    if (firn_sim_create(scene, &def, &sim, NULL) != FIRN_OK) fail_msg("%s", firn_last_error());
    firn_scene_destroy(scene);
    return sim;
}

static void drawn_beside_or_at_once(void** state)
{
    (void)state;
    firn_sim* sim = create();
    firn_real* density = firn_alloc((size_t)firn_sim_count(sim) + 1, sizeof *density);
    sim->solver->density(sim->self, density);
    const firn_frame frame = firn_frame_borrow(sim, density);
    firn_image image[2];
    firn_error error = {0};
    for (int beside = 0; beside < 2; beside++) {
        firn_frame_drawing drawing;
        firn_frame_drawing_begin(&drawing, &frame, &sim->scene, beside == 1);
        assert_int_equal(drawing.started, beside);
        assert_int_equal(firn_frame_drawing_take(&drawing, &image[beside], &error), FIRN_OK);
        firn_frame_drawing_end(&drawing);
    }
    assert_int_equal(image[0].width, 96);
    assert_memory_equal(image[0].rgb, image[1].rgb, 96 * 64 * 3);
    for (int k = 0; k < 2; k++) firn_image_destroy(&image[k]);
    // not taken: nothing is left
    const uint64_t before = firn_memory_read().bytes;
    firn_frame_drawing drawing;
    firn_frame_drawing_begin(&drawing, &frame, &sim->scene, true);
    firn_frame_drawing_end(&drawing);
    assert_equal(firn_memory_read().bytes, before);
    firn_free(density);
    firn_sim_destroy(sim);
}

// The picture does not fit: the sentence is that of a picture that is drawn at once.
static void a_failure_is_reported_when_it_is_taken(void** state)
{
    (void)state;
    firn_sim* sim = create();
    firn_real* density = firn_alloc((size_t)firn_sim_count(sim) + 1, sizeof *density);
    sim->solver->density(sim->self, density);
    const firn_frame frame = firn_frame_borrow(sim, density);
    firn_scene_data huge = sim->scene;
    huge.render.width = huge.render.height = 1 << 15;
    firn_memory_budget* small = firn_memory_budget_create(1 << 22);
    firn_memory_budget* outer = firn_memory_use(small);
    firn_error error[2] = {{0}};
    for (int beside = 0; beside < 2; beside++) {
        firn_frame_drawing drawing;
        firn_image image;
        firn_frame_drawing_begin(&drawing, &frame, &huge, beside == 1);
        assert_int_equal(firn_frame_drawing_take(&drawing, &image, &error[beside]),
                         FIRN_BROKEN_MEMORY);
        firn_frame_drawing_end(&drawing);
    }
    assert_string_equal(error[0].text, error[1].text);
    assert_true(error[0].text[0] != '\0');
    firn_memory_use(outer);
    firn_memory_budget_release(small);
    firn_free(density);
    firn_sim_destroy(sim);
}

int test_frame_drawing(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(drawn_beside_or_at_once),
                                       cmocka_unit_test(a_failure_is_reported_when_it_is_taken)};
    return cmocka_run_group_tests_name("frame_drawing", tests, NULL, NULL);
}
