// SPDX-License-Identifier: MIT
#include "core/threads/copy.h"

#include <string.h>

#include "core/threads/team.h"

#define CHUNK (64 << 10)  // [bytes] about 5 microseconds

typedef struct copy_job {
    char* to;
    const char* from;  // null: clears
    size_t bytes;
} copy_job;

static void copy_chunks(const void* self, firn_local begin, firn_local end)
{
    const copy_job* job = self;
    const size_t first = (size_t)begin * CHUNK, limit = (size_t)end * CHUNK;
    const size_t last = limit < job->bytes ? limit : job->bytes;
    if (job->from != NULL)
        memcpy(job->to + first, job->from + first, last - first);
    else
        memset(job->to + first, 0, last - first);
}

void firn_share_copy(void* to, const void* from, size_t bytes)
{
    if (bytes > 0)
        firn_share((firn_local)((bytes - 1) / CHUNK + 1), 1, copy_chunks,
                   &(copy_job){to, from, bytes});
}

void firn_share_clear(void* to, size_t bytes)
{
    firn_share_copy(to, NULL, bytes);
}
