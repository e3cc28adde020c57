// SPDX-License-Identifier: MIT
#include "core/memory_limit.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

// The limit in a file of the control group; UINT64_MAX: none ("max"), or no such file.
static uint64_t group_limit(const char* path)
{
    FILE* file = fopen(path, "re");
    if (file == NULL) return UINT64_MAX;
    char text[32] = "";
    const bool has_text = fgets(text, sizeof text, file) != NULL;
    fclose(file);
    char* end;
    const unsigned long long value = strtoull(text, &end, 10);
    return has_text && end != text ? value : UINT64_MAX;
}

// The hard limit: the soft one may be a program's own, as that of `firn run --memory`.
static uint64_t process_limit(int resource)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0 || limit.rlim_max == RLIM_INFINITY) return UINT64_MAX;
    return limit.rlim_max;
}

uint64_t firn_memory_limit(void)
{
    uint64_t limit = UINT64_MAX;
    struct sysinfo machine;
    if (sysinfo(&machine) == 0)
        limit = ((uint64_t)machine.totalram + machine.totalswap) * machine.mem_unit;
    limit = least(limit, group_limit("/sys/fs/cgroup/memory.max"));
    limit = least(limit, group_limit("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
    limit = least(limit, process_limit(RLIMIT_AS));
    return least(limit, process_limit(RLIMIT_DATA));
}

const char* firn_bytes_text(double bytes, char out_text[FIRN_BYTES_TEXT])
{
    static const char* const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    size_t unit = 0;
    for (; bytes >= 1000 && unit + 1 < sizeof units / sizeof *units; unit++) bytes /= 1024;
    snprintf(out_text, FIRN_BYTES_TEXT, bytes < 9.95 && unit > 0 ? "%.1f %s" : "%.0f %s", bytes,
             units[unit]);
    return out_text;
}
