// SPDX-License-Identifier: MIT
// Log lines reach the callback; results carry a sentence. Neither overflows or needs a listener.
#include "core/log.h"

#include <string.h>

#include "core/result.h"
#include "core/timer.h"
#include "firn_test.h"

typedef struct heard {
    int count;
    firn_log_level level;
    char id[64], text[3000];
} heard;

static void listen(void* user, firn_log_level level, const char* id, const char* text)
{
    heard* h = user;
    h->count++;
    h->level = level;
    strncpy(h->id, id, sizeof h->id - 1);
    strncpy(h->text, text, sizeof h->text - 1);
}

static void reaches_the_callback(void** state)
{
    (void)state;
    heard h = {0};
    const firn_log log = {listen, &h};
    firn_log_write(&log, FIRN_LOG_WARNING, "mpm.rollback", "step %d of %s", 7, "snow");
    assert_int_equal(h.count, 1);
    assert_int_equal(h.level, FIRN_LOG_WARNING);
    assert_string_equal(h.id, "mpm.rollback");
    assert_string_equal(h.text, "step 7 of snow");
    firn_log_write(NULL, FIRN_LOG_ERROR, "x", "nobody listens");
    firn_log_write(&(firn_log){0}, FIRN_LOG_ERROR, "x", "nobody listens");
    assert_int_equal(h.count, 1);
}

static void long_lines_are_cut(void** state)
{
    (void)state;
    heard h = {0};
    const firn_log log = {listen, &h};
    char line[5000];
    memset(line, 'a', sizeof line - 1);
    line[sizeof line - 1] = '\0';
    firn_log_write(&log, FIRN_LOG_INFO, "long", "%s", line);
    assert_greater(strlen(h.text), 500);
    assert_less(strlen(h.text), sizeof h.text);
    firn_error error;
    assert_int_equal(firn_fail(&error, FIRN_REFUSED_IO, "%s", line), FIRN_REFUSED_IO);
    assert_less(strlen(error.text), sizeof error.text);
}

static void failures(void** state)
{
    (void)state;
    firn_error error = {0};
    assert_int_equal(firn_fail(&error, FIRN_BROKEN_MEMORY, "no room for %d", 5),
                     FIRN_BROKEN_MEMORY);
    assert_int_equal(error.code, FIRN_BROKEN_MEMORY);
    assert_string_equal(error.text, "no room for 5");
    assert_int_equal(firn_fail(NULL, FIRN_REFUSED_NAME, "nobody reads"), FIRN_REFUSED_NAME);
}

static firn_result try_it(firn_result r, int* after)
{
    FIRN_TRY(r);
    ++*after;
    return FIRN_OK;
}

static void try_passes_on(void** state)
{
    (void)state;
    int after = 0;
    assert_int_equal(try_it(FIRN_REFUSED_IO, &after), FIRN_REFUSED_IO);
    assert_int_equal(after, 0);
    assert_int_equal(try_it(FIRN_OK, &after), FIRN_OK);
    assert_int_equal(after, 1);
}

static void clock_goes_on(void** state)
{
    (void)state;
    const double start = firn_seconds();
    double now = start;
    for (int k = 0; k < 1000000 && now == start; k++) now = firn_seconds();
    assert_greater(now, start);
}

int test_log(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reaches_the_callback),
                                       cmocka_unit_test(long_lines_are_cut),
                                       cmocka_unit_test(failures), cmocka_unit_test(try_passes_on),
                                       cmocka_unit_test(clock_goes_on)};
    return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
