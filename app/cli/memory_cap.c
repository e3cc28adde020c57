// SPDX-License-Identifier: MIT
// The limit is that of the system on private writable memory (RLIMIT_DATA), which includes what
// libraries allocate by malloc and mmap.
#define _GNU_SOURCE  // sched_getaffinity
#include "cli/memory_cap.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>

#include "cli/sanitized.h"

#define STACK_BYTES ((uint64_t)10 << 20)  // of a thread: 8 MiB, and its share of malloc

// [bytes] Private writable memory of the process now; 0: unknown.
static uint64_t data_now(void)
{
    FILE* file = fopen("/proc/self/status", "re");
    if (!file) return 0;
    char line[256];
    uint64_t kib = 0;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "VmData: %" SCNu64, &kib) == 1) break;
    fclose(file);
    return kib << 10;
}

static uint64_t core_count(void)
{
    cpu_set_t cores;
    return sched_getaffinity(0, sizeof cores, &cores) == 0 ? (uint64_t)CPU_COUNT(&cores) : 1;
}

void cli_memory_cap(uint64_t bytes, int threads)
{
    const uint64_t now = data_now();
    struct rlimit limit;
    if (CLI_SANITIZED || bytes == 0 || now == 0 || getrlimit(RLIMIT_DATA, &limit) != 0) return;
    const uint64_t stacks = (threads > 0 ? (uint64_t)threads : core_count()) * STACK_BYTES;
    const uint64_t cap = now + bytes + CLI_MEMORY_SPARE + stacks;
    if (cap >= limit.rlim_cur) return;
    limit.rlim_cur = cap;
    setrlimit(RLIMIT_DATA, &limit);
}
