// SPDX-License-Identifier: MIT
// Results and their error messages.
#pragma once
#include "firn/types.h"

// Returns from the calling function on failure.
#define FIRN_TRY(call)                                \
    do {                                              \
        const firn_result firn_try_r = (call);        \
        if (firn_try_r != FIRN_OK) return firn_try_r; \
    } while (0)

// Checks for bugs inside firn, in debug and test builds only.
#ifdef FIRN_ASSERTS
#include <stdlib.h>
#define FIRN_ASSERT(x) ((x) ? (void)0 : abort())
#else
#define FIRN_ASSERT(x) ((void)0)
#endif

#ifdef __cplusplus
extern "C" {
#endif

// Fills `error` (may be null) and returns `code`, so that a function can end with
// `return firn_fail(e, FIRN_REFUSED_IO, "cannot open '%s': %s", path, strerror(errno));`
firn_result firn_fail(firn_error* error, firn_result code, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

// The error that a call of the public interface reports, also in firn_last_error (firn/error.h):
// begins the call, whose sentence is "" until firn_fail writes to the error that this returns:
// `error`, or the thread's own if that is null.
firn_error* firn_call(firn_error* error);
// Refuses a null argument of the public function that called firn_call. `function`: __func__
firn_result firn_call_null(const char* function);
// Ends a call that has called other public functions: their sentences give way to its own.
firn_result firn_call_end(firn_result result, const firn_error* error);

#ifdef __cplusplus
}
#endif
