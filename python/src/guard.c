// SPDX-License-Identifier: MIT
// Guards: who may use an object of firn now.
#include "firnpy.h"

static bool refuse_busy(const guard* g)
{
    if (g->thread != PyThread_get_thread_ident())
        PyErr_Format(
            PyExc_RuntimeError,
            "this %s is in use by another thread: each may be used by one thread at a time",
            g->what);
    else
        PyErr_Format(PyExc_RuntimeError, "a callback of this %s cannot do this while it runs",
                     g->what);
    return false;
}

static void begin(guard* g)
{
    g->thread = PyThread_get_thread_ident();
    g->busy++;
}

bool guard_read(guard* g)
{
    const bool own_callback = g->callback && g->thread == PyThread_get_thread_ident();
    if (g->busy > 0 && !own_callback) return refuse_busy(g);
    begin(g);
    return true;
}

bool guard_write(guard* g)
{
    if (g->busy > 0) return refuse_busy(g);
    begin(g);
    return true;
}

bool guard_move(guard* g, const char* verb)
{
    if (g->busy > 0) return refuse_busy(g);
    if (g->pins > 0) {
        PyErr_Format(PyExc_BufferError,
                     "cannot %s while views of this %s's fields are alive (%lld now): their memory "
                     "would change under them. Delete them (del x), or use field.copy()",
                     verb, g->what, (long long)g->pins);
        return false;
    }
    begin(g);
    g->serial++;
    return true;
}

void guard_end(guard* g)
{
    g->busy--;
}

void guard_release(guard* g)
{
    g->in_callback = g->callback;
    g->callback = false;
    g->state = PyEval_SaveThread();
}

void guard_acquire(guard* g)
{
    PyEval_RestoreThread(g->state);
    g->state = NULL;
    g->callback = g->in_callback;
}
