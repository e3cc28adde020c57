// SPDX-License-Identifier: MIT
#define _GNU_SOURCE  // affinity masks
#include "core/threads/cores.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/paths.h"
#include "core/text.h"

#if defined(__linux__)
#include <sched.h>

static int cores_of_mask(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}
#else
static int cores_of_mask(void)
{
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}
#endif

// The first line of folder/file into `line`; false: there is none.
static bool read_line(const char* folder, const char* file, char* line, int size)
{
    char* path;
    if (firn_path_print(&path, NULL, "%s/%s", folder, file) != FIRN_OK) return false;
    FILE* in = fopen(path, "re");
    firn_free(path);
    if (in == NULL) return false;
    const bool ok = fgets(line, size, in) != NULL;
    fclose(in);
    return ok;
}

// Quota of one group [cores]; infinite: none. Version 2 has "max 100000" or "150000 100000" in one
// file, version 1 has two files, and -1 for none.
static double quota_of(const char* folder)
{
    char line[64], more[64];
    double quota = 0, period = 0;
    if (read_line(folder, "cpu.max", line, sizeof line)) {
        char* rest;
        quota = firn_parse_double(line, &rest);
        if (rest == line) return INFINITY;  // "max"
        period = firn_parse_double(rest, &rest);
    } else if (read_line(folder, "cpu.cfs_quota_us", line, sizeof line) &&
               read_line(folder, "cpu.cfs_period_us", more, sizeof more)) {
        quota = firn_parse_double(line, NULL);
        period = firn_parse_double(more, NULL);
    }
    return quota > 0 && period > 0 ? quota / period : INFINITY;
}

// The smallest quota of the group at `path` below `root` and of its ancestors.
static double smallest_quota(const char* root, char* path)
{
    double least = INFINITY;
    for (;;) {
        char* folder;
        if (firn_path_print(&folder, NULL, "%s%s", root, path) != FIRN_OK) return least;
        least = fmin(least, quota_of(folder));
        firn_free(folder);
        char* end = strrchr(path, '/');
        if (end == NULL) return least;
        *end = '\0';
    }
}

double firn_cores_quota(const char* proc, const char* cgroup)
{
    FILE* in = fopen(proc, "re");
    if (in == NULL) return 0;
    double least = INFINITY;
    char* line = NULL;
    size_t room = 0;
    while (getline(&line, &room, in) > 0) {  // "0::/user.slice", "4:cpu,cpuacct:/user.slice"
        line[strcspn(line, "\n")] = '\0';
        char* names = strchr(line, ':');
        char* path = names != NULL ? strchr(names + 1, ':') : NULL;
        if (path == NULL) continue;
        *path++ = '\0';
        if (strcmp(path, "/") == 0) *path = '\0';
        char* root = NULL;
        if (strcmp(names, ":") == 0)
            root = firn_strdup(cgroup);
        else if (strstr(names, ":cpu") == NULL || strncmp(names, ":cpuset", 7) == 0 ||
                 firn_path_print(&root, NULL, "%s/%s", cgroup, names + 1) != FIRN_OK)
            continue;
        if (root != NULL) least = fmin(least, smallest_quota(root, path));
        firn_free(root);
    }
    free(line);
    fclose(in);
    return least < INFINITY ? least : 0;
}

int firn_cores_count(void)
{
    const int mask = cores_of_mask();
    const double quota = firn_cores_quota("/proc/self/cgroup", "/sys/fs/cgroup");
    const int allowed = quota > 0 && quota < mask ? (int)ceil(quota) : mask;
    return allowed > 0 ? allowed : 1;
}

#if defined(__linux__)
// Cores of node `number` that the process may use: "0-7,16-23" of its cpulist. False: no such node.
static bool node_cores(const char* nodes, int number, cpu_set_t* out_set)
{
    char file[32], line[1024];
    firn_print(file, sizeof file, "node%d/cpulist", number);
    if (!read_line(nodes, file, line, sizeof line)) return false;
    cpu_set_t mask;
    if (sched_getaffinity(0, sizeof mask, &mask) != 0) return false;
    CPU_ZERO(out_set);
    for (char *at = line, *end; *at >= '0' && *at <= '9'; at = *end == ',' ? end + 1 : end) {
        const long from = strtol(at, &end, 10);
        const long to = *end == '-' ? strtol(end + 1, &end, 10) : from;
        for (long c = from; c <= to && c < CPU_SETSIZE; c++)
            if (CPU_ISSET((size_t)c, &mask)) CPU_SET((size_t)c, out_set);
    }
    return true;
}

int firn_cores_nodes(const char* nodes)
{
    int count = 0;
    cpu_set_t set;
    for (int n = 0; node_cores(nodes, n, &set); n++) count += CPU_COUNT(&set) > 0;
    return count;
}

void firn_cores_stay_on_node(const char* nodes, int k)
{
    cpu_set_t set;
    for (int n = 0; node_cores(nodes, n, &set); n++)
        if (CPU_COUNT(&set) > 0 && k-- == 0) {
            sched_setaffinity(0, sizeof set, &set);
            return;
        }
}
#else
int firn_cores_nodes(const char* nodes)
{
    (void)nodes;
    return 1;
}

void firn_cores_stay_on_node(const char* nodes, int k)
{
    (void)nodes, (void)k;
}
#endif
