// SPDX-License-Identifier: MIT
// Frames that are written while the simulation goes on: the same files, byte for byte, whatever
// ends the run, and whoever is slow.
#include "run/run_writer.h"

#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "core/memory.h"
#include "firn/firn.h"
#include "firn/run.h"
#include "firn_test.h"
#include "sim/entry.h"
#include "sim/sim.h"

#define TMP FIRN_TEST_TMP "/"
enum { FRAMES = 9 };

// Snow that is culled, all files but a film.
static const char scene_text[] =
    "firn: 1\n"
    "solver: mpm\n"
    "time: {frames: 9, fps: 200}\n"
    "mpm: {cell: 0.02, dt_max: 0.002}\n"
    "snow:\n"
    "  - shape: {sphere: {center: [0, 0.06, 0], radius: 0.05}}\n"
    "    velocity: [0.5, -2, 0]\n"
    "colliders:\n"
    "  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n"
    "cull: {below: 0.02}\n"
    "render: {width: 48, height: 32, camera: {eye: [0.3, 0.2, 0.3], look_at: [0, 0.05, 0]}}\n"
    "output: {points: [vtkhdf, ply, vtp], film: false, checkpoint: {every: 2, keep: 2}}\n";

typedef struct watch {
    const char* dir;
    int64_t next;       // frame that is reported next
    int64_t cancel_at;  // frame; -1: never
    bool whole, overlapped;
    firn_sim* sim;
} watch;

// A frame is reported once, in order, when its files and the manifest are on disk.
static void look(void* user, const firn_progress* p)
{
    watch* w = user;
    if (!p->frame_done) return;
    assert_int_equal(p->frame, w->next++);
    const int64_t ahead = firn_sim_read(w->sim).step - p->step;
    if (w->whole && p->frame < FRAMES)
        assert_int_equal(ahead > 0, w->overlapped);  // it did not wait
    assert_non_null(p->preview_path);
    assert_int_equal(access(p->preview_path, R_OK), 0);
    firn_manifest manifest = {0};
    firn_error error;
    assert_int_equal(firn_manifest_read(w->dir, &manifest, &error), FIRN_OK);
    for (int64_t f = 0; f <= p->frame; f++)
        assert_non_null(firn_manifest_find(&manifest, FIRN_ENTRY_FRAME, f));
    firn_manifest_destroy(&manifest);
    if (p->frame == w->cancel_at) firn_sim_cancel(w->sim);
}

static firn_result run(const char* dir, bool overlapped, bool resume, watch* w,
                       firn_error* out_error)
{
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    const firn_load_def load = firn_default_load_def();
    if (firn_scene_load_text(scene, scene_text, "test", &load) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    firn_sim_def def = firn_default_sim_def();
    def.threads = 4;  // fewer write in place
    def.output_dir = dir;
    def.resume = resume;
    def.progress = look;
    def.user = w;
    w->dir = dir;
    w->overlapped = overlapped;
    if (firn_sim_create(scene, &def, &w->sim, out_error) != FIRN_OK)
        fail_msg("%s", out_error->text);
    firn_scene_destroy(scene);
    const firn_result r = overlapped ? firn_sim_run_overlapped(w->sim) : firn_sim_run(w->sim);
    snprintf(out_error->text, sizeof out_error->text, "%s", firn_sim_error(w->sim));
    firn_sim_destroy(w->sim);
    return r;
}

static void run_whole(const char* dir, bool overlapped)
{
    watch w = {.cancel_at = -1, .whole = true};
    firn_error error;
    if (run(dir, overlapped, false, &w, &error) != FIRN_OK) fail_msg("%s", error.text);
    assert_int_equal(w.next, FRAMES + 1);
}

static void compare_file(const char* a, const char* b, const char* name)
{
    const char* dirs[2] = {a, b};
    char* data[2] = {NULL, NULL};
    size_t bytes[2];
    for (int k = 0; k < 2; k++) {
        char path[300];
        firn_error error;
        snprintf(path, sizeof path, "%s/%s", dirs[k], name);
        if (firn_file_read(path, (size_t)1 << 30, &data[k], &bytes[k], &error) != FIRN_OK)
            fail_msg("%s", error.text);
    }
    if (bytes[0] != bytes[1] || memcmp(data[0], data[1], bytes[0]) != 0)
        fail_msg("%s: %s and %s have other bytes", name, a, b);
    firn_free(data[0]);
    firn_free(data[1]);
}

// Lines of stats.csv, whose seconds differ.
static int line_count(const char* dir)
{
    char path[300];
    snprintf(path, sizeof path, "%s/stats.csv", dir);
    FILE* file = fopen(path, "r");
    assert_non_null(file);
    int count = 0;
    for (int c; (c = fgetc(file)) != EOF;) count += c == '\n';
    fclose(file);
    return count;
}

// The manifest has the checksums of all others.
static void compare(const char* a, const char* b)
{
    static const char* const patterns[] = {"frames/test.%04d.hdf", "ply/test.%04d.ply",
                                           "vtp/test.%04d.vtp", "preview/test.%04d.png"};
    for (size_t k = 0; k < sizeof patterns / sizeof *patterns; k++)
        for (int f = 0; f <= FRAMES; f++) {
            char name[100];
            snprintf(name, sizeof name, patterns[k], f);
            compare_file(a, b, name);
        }
    compare_file(a, b, "state/test.0009.h5");
    compare_file(a, b, "test.pvd");
    compare_file(a, b, "manifest.json");
    assert_int_equal(line_count(a), line_count(b));
}

static void the_same_files(void** state)
{
    (void)state;
    run_whole(TMP "whole", false);
    for (int k = 0; k < 3; k++) {
        char dir[200];
        snprintf(dir, sizeof dir, TMP "overlapped%d", k);
        run_whole(dir, true);
        compare(TMP "whole", dir);
    }
}

// Interrupted by the callback of a frame, which is some frames ago by then: nothing is lost.
static void interrupted_and_resumed(void** state)
{
    (void)state;
    watch w = {.cancel_at = 3};
    firn_error error;
    assert_int_equal(run(TMP "halves", true, false, &w, &error), FIRN_INTERRUPTED);
    assert_contains(error.text, "--resume");
    assert_at_least(w.next, 4);
    w.cancel_at = -1;
    if (run(TMP "halves", true, true, &w, &error) != FIRN_OK) fail_msg("%s", error.text);
    assert_int_equal(w.next, FRAMES + 1);
    compare(TMP "whole", TMP "halves");
}

// A frame that cannot be written ends the run with the reason; frames before it are complete, those
// after it do not exist, and the run can be continued.
static void a_failure_is_the_last_frame(void** state)
{
    (void)state;
    watch w = {.cancel_at = -1};
    firn_error error;
    const char* const dir = TMP "failed";
    const char* const blocked = TMP "failed/preview/test.0004.png";
    assert_int_equal(mkdir(dir, 0777), 0);
    assert_int_equal(mkdir(TMP "failed/preview", 0777), 0);
    assert_int_equal(mkdir(blocked, 0777), 0);  // in the way of the picture of frame 4
    assert_int_equal(run(dir, true, false, &w, &error), FIRN_REFUSED_IO);
    assert_contains(error.text, "test.0004.png");
    assert_int_equal(w.next, 4);
    firn_manifest manifest = {0};
    assert_int_equal(firn_manifest_read(dir, &manifest, &error), FIRN_OK);
    for (int f = 0; f <= FRAMES; f++)
        assert_int_equal(firn_manifest_find(&manifest, FIRN_ENTRY_FRAME, f) != NULL, f < 4);
    assert_null(firn_manifest_find(&manifest, FIRN_ENTRY_CHECKPOINT, 4));
    assert_false(manifest.complete);
    firn_manifest_destroy(&manifest);
    assert_int_equal(rmdir(blocked), 0);
    w.next = 3;  // from the checkpoint of frame 2 on
    if (run(dir, true, true, &w, &error) != FIRN_OK) fail_msg("%s", error.text);
    compare(TMP "whole", dir);
}

// Each allocation of writing fails in turn: frames are written in place, or the run ends with the
// reason; nothing leaks.
static void without_memory(void** state)
{
    (void)state;
    int ended = 0, written = 0;
    for (int k = 1; k <= 40; k++) {
        firn_scene* scene;
        assert_int_equal(firn_scene_create(&scene), FIRN_OK);
        const firn_load_def load = firn_default_load_def();
        assert_int_equal(firn_scene_load_text(scene, scene_text, "test", &load), FIRN_OK);
        char dir[200];
        snprintf(dir, sizeof dir, TMP "memory%d", k);
        firn_sim_def def = firn_default_sim_def();
        def.threads = 4;
        def.output_dir = dir;
        def.frame_end = 1;
        firn_sim* sim;
        assert_int_equal(firn_sim_create(scene, &def, &sim, NULL), FIRN_OK);
        firn_scene_destroy(scene);
        firn_memory_fail_at((uint64_t)(k * k), false);
        const firn_result r = firn_sim_run_overlapped(sim);
        firn_memory_fail_at(0, false);
        if (r != FIRN_OK && r != FIRN_BROKEN_MEMORY) fail_msg("%d: %s", k, firn_sim_error(sim));
        ended += r != FIRN_OK;
        written += r == FIRN_OK;
        firn_sim_destroy(sim);
    }
    print_message("%d runs ended, %d went on\n", ended, written);
    assert_greater(ended, 0);
    assert_greater(written, 0);
}

static void advance_to(firn_sim* sim, int64_t frame)
{
    while (sim->frame < frame)
        if (firn_sim_advance(sim) != FIRN_OK) fail_msg("%s", sim->error.text);
}

// Takes the current frame as a run does, and has it written.
static const firn_run_frame* hand_over(firn_run_folder* folder, firn_run_writer* writer)
{
    firn_run_frame* frame = firn_run_writer_room(writer);
    assert_non_null(frame);
    const firn_run_take how = {.copies = true, .skips = firn_run_writer_is_saving(writer)};
    assert_int_equal(firn_run_frame_take(folder, how, frame), FIRN_OK);
    firn_run_writer_submit(writer, frame);
    return frame;
}

static void collect_all(firn_run_writer* writer)
{
    for (firn_run_frame* f; (f = firn_run_writer_take(writer, true)) != NULL;) {
        if (f->result != FIRN_OK) fail_msg("%s", f->error.text);
        firn_run_writer_release(writer, f);
    }
}

// While a large checkpoint is being written a frame has none, and is complete without it; the last
// frame has one in any case, and so have all where checkpoints are small.
static void one_large_checkpoint_at_a_time(void** state)
{
    (void)state;
    const char* const dir = TMP "saving";
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    const firn_load_def load = firn_default_load_def();
    assert_int_equal(firn_scene_load_text(scene, scene_text, "test", &load), FIRN_OK);
    firn_sim_def def = firn_default_sim_def();
    def.threads = 4;
    def.output_dir = dir;
    firn_sim* sim;
    assert_int_equal(firn_sim_create(scene, &def, &sim, NULL), FIRN_OK);
    firn_scene_destroy(scene);
    const firn_entry entry = firn_sim_enter(sim);
    sim->keep_rows = true;
    firn_run_folder folder;
    assert_int_equal(firn_run_folder_open(&folder, sim), FIRN_OK);
    firn_run_writer* writer = firn_run_writer_create(&folder);
    assert_non_null(writer);
    assert_true(hand_over(&folder, writer)->checkpoint);  // frame 0
    assert_false(firn_run_writer_is_saving(writer));      // 3000 particles are not large
    firn_run_writer_set_large(writer, 1);
    assert_true(firn_run_writer_is_saving(writer));
    advance_to(sim, 2);
    assert_false(hand_over(&folder, writer)->checkpoint);
    collect_all(writer);
    assert_false(firn_run_writer_is_saving(writer));
    advance_to(sim, 3);
    assert_false(hand_over(&folder, writer)->checkpoint);  // none is due
    assert_false(firn_run_writer_is_saving(writer));
    collect_all(writer);  // four threads have two frames in flight
    advance_to(sim, 4);
    assert_true(hand_over(&folder, writer)->checkpoint);
    advance_to(sim, FRAMES);
    assert_true(firn_run_writer_is_saving(writer));
    assert_true(hand_over(&folder, writer)->checkpoint);
    collect_all(writer);
    firn_run_writer_destroy(writer);
    firn_run_folder_close(&folder);
    sim->keep_rows = false;
    firn_leave(entry);
    firn_sim_destroy(sim);
    compare_file(TMP "whole", dir, "frames/test.0002.hdf");
    compare_file(TMP "whole", dir, "vtp/test.0002.vtp");
    compare_file(TMP "whole", dir, "preview/test.0002.png");
    compare_file(TMP "whole", dir, "state/test.0009.h5");
    assert_int_equal(access(TMP "saving/state/test.0004.h5", R_OK), 0);
}

int test_run_writer(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_files), cmocka_unit_test(interrupted_and_resumed),
        cmocka_unit_test(a_failure_is_the_last_frame), cmocka_unit_test(without_memory),
        cmocka_unit_test(one_large_checkpoint_at_a_time)};
    return cmocka_run_group_tests_name("run_writer", tests, NULL, NULL);
}
