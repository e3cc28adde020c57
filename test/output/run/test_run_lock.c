// SPDX-License-Identifier: MIT
// The lock of a run's folder: one writer, visible to others, released however the
// process ends.
#include "output/run/run_lock.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/file.h"
#include "firn_test.h"

#define DIR FIRN_TEST_TMP "/run"

static int make_folder(void** state)
{
    (void)state;
    return firn_folder_make(DIR, NULL) == FIRN_OK ? 0 : 1;
}

static void one_writer(void** state)
{
    (void)state;
    firn_run_lock a, b;
    firn_error error = {0};
    assert_int_equal(firn_run_lock_look(DIR), FIRN_RUN_STOPPED);
    assert_int_equal(firn_run_lock_take(DIR, &a, &error), FIRN_OK);
    if (a.handle == 0) skip();  // a file system without locks
    assert_int_equal(firn_run_lock_look(DIR), FIRN_RUN_ALIVE);
    assert_int_equal(firn_run_lock_take(DIR, &b, &error), FIRN_REFUSED_IO);
    assert_contains(error.text, DIR);
    assert_int_equal(b.handle, 0);
    firn_run_lock_release(&b);
    assert_int_equal(firn_run_lock_look(DIR), FIRN_RUN_ALIVE);
    firn_run_lock_release(&a);
    firn_run_lock_release(&a);  // twice does no harm
    assert_int_equal(firn_run_lock_look(DIR), FIRN_RUN_STOPPED);
    assert_int_equal(firn_run_lock_take(DIR, &b, &error), FIRN_OK);
    firn_run_lock_release(&b);
}

// Another process takes the lock and is killed.
static void the_dead_hold_nothing(void** state)
{
    (void)state;
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    const pid_t child = fork();
    assert_at_least(child, 0);
    if (child == 0) {
        firn_run_lock lock;
        const char said = firn_run_lock_take(DIR, &lock, NULL) == FIRN_OK && lock.handle > 0;
        if (write(ready[1], &said, 1) == 1) pause();
        _exit(1);
    }
    char held = 0;
    assert_int_equal(read(ready[0], &held, 1), 1);
    if (held) assert_int_equal(firn_run_lock_look(DIR), FIRN_RUN_ALIVE);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(firn_run_lock_look(DIR), FIRN_RUN_STOPPED);
    close(ready[0]);
    close(ready[1]);
}

static void no_folder_no_run(void** state)
{
    (void)state;
    firn_run_lock lock;
    assert_int_equal(firn_run_lock_look(FIRN_TEST_TMP "/none"), FIRN_RUN_STOPPED);
    assert_int_equal(firn_run_lock_take(FIRN_TEST_TMP "/none", &lock, NULL), FIRN_OK);
    assert_int_equal(lock.handle, 0);
    firn_run_lock_release(&lock);
}

int test_run_lock(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_writer),
        cmocka_unit_test(the_dead_hold_nothing),
        cmocka_unit_test(no_folder_no_run),
    };
    return cmocka_run_group_tests_name("run_lock", tests, make_folder, NULL);
}
