// SPDX-License-Identifier: MIT
// A library for LD_PRELOAD that makes chosen I/O calls of a program fail, fall short, stop it or
// kill it. tools/faults runs firn with it; it is never part of firn.
//
// FAULTS="root=/tmp/x;calls=write;match=manifest;at=7;forever;do=EIO;log=/tmp/x.log"
//     root     only files below this folder count, and pipes
//     calls    only calls of this kind count (names of `kinds`); default: all
//     match    only paths that contain this text count
//     at       the number of the call that is struck, from 1; 0: none
//     forever  and all counted calls after it; else only that one
//     do       EIO, ENOSPC, EACCES, EMFILE, EINTR, EAGAIN, short (half the bytes), stop, kill
//     log      file to which counted calls are appended (at=0), or those that were struck
//
// System calls are made directly, so that nothing of libc has to be looked up first. Streams of
// stdio call libc's internal read and write, which cannot be replaced: fail_stdio.c opens them
// with functions that come back here.
#include "fail_io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static const char* const kinds[] = {
    [OPEN] = "open",     [READ] = "read",     [WRITE] = "write",   [SYNC] = "sync",
    [RENAME] = "rename", [CLOSE] = "close",   [UNLINK] = "unlink", [STAT] = "stat",
    [MKDIR] = "mkdir",   [RESIZE] = "resize", [LIST] = "list",     [LOCK] = "lock",
    [PIPE] = "pipe",     [SPAWN] = "spawn"};
#define SHORT (-1)
#define STOP (-2)
#define KILL (-3)
static const struct {
    const char* name;
    int code;
} actions[] = {{"EIO", EIO},       {"ENOSPC", ENOSPC}, {"EACCES", EACCES},
               {"EMFILE", EMFILE}, {"EINTR", EINTR},   {"EAGAIN", EAGAIN},
               {"short", SHORT},   {"stop", STOP},     {"kill", KILL}};

static struct {
    char root[PATH_MAX], match[256], log[PATH_MAX];
    unsigned calls;  // bit of each kind that counts
    long at;
    bool forever;
    int action;
} plan;
static atomic_long count;

static void copy(char* to, size_t size, const char* from)
{
    strncpy(to, from, size - 1);
    to[size - 1] = '\0';
}

// Reads one `key=value` of FAULTS.
static void read_setting(char* key)
{
    char* value = strchr(key, '=');
    if (value != NULL) *value++ = '\0';
    if (strcmp(key, "forever") == 0) plan.forever = true;
    if (value == NULL) return;
    if (strcmp(key, "root") == 0) copy(plan.root, sizeof plan.root, value);
    if (strcmp(key, "match") == 0) copy(plan.match, sizeof plan.match, value);
    if (strcmp(key, "log") == 0) copy(plan.log, sizeof plan.log, value);
    if (strcmp(key, "at") == 0) plan.at = atol(value);
    for (size_t i = 0; strcmp(key, "calls") == 0 && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(value, kinds[i]) == 0) plan.calls = 1u << i;
    for (size_t i = 0; strcmp(key, "do") == 0 && i < sizeof actions / sizeof *actions; i++)
        if (strcmp(value, actions[i].name) == 0) plan.action = actions[i].code;
}

__attribute__((constructor)) static void start(void)
{
    const char* text = getenv("FAULTS");
    if (text == NULL) return;
    char settings[2 * PATH_MAX];
    copy(settings, sizeof settings, text);
    plan.calls = ~0u;
    char* rest = NULL;
    for (char* key = strtok_r(settings, ";", &rest); key != NULL; key = strtok_r(NULL, ";", &rest))
        read_setting(key);
}

static void write_log(long number, enum fault_kind kind, const char* path)
{
    char line[PATH_MAX + 64];
    const int file = (int)syscall(SYS_openat, AT_FDCWD, plan.log,
                                  O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0) return;
    const int bytes = snprintf(line, sizeof line, "%ld %s %s\n", number, kinds[kind], path);
    syscall(SYS_write, file, line, (size_t)bytes);
    syscall(SYS_close, file);
}

// Counts a call on `path`. Returns the errno that it fails with, SHORT, or 0.
static int strike(enum fault_kind kind, const char* path)
{
    const size_t length = strlen(plan.root);
    if (length == 0 || (plan.calls & 1u << kind) == 0) return 0;
    const bool below = strncmp(path, plan.root, length) == 0 && path[length] == '/';
    if (!below && strncmp(path, "pipe:", 5) != 0) return 0;  // the name of a pipe in /proc
    if (strstr(path, plan.match) == NULL) return 0;
    const long number = atomic_fetch_add(&count, 1) + 1;
    const bool struck = plan.at > 0 && (plan.forever ? number >= plan.at : number == plan.at);
    if (plan.log[0] != '\0' && (struck || plan.at == 0))
        write_log(number, kind, below ? path + length + 1 : path);
    if (!struck) return 0;
    if (plan.action == STOP || plan.action == KILL)
        kill(getpid(), plan.action == KILL ? SIGKILL : SIGSTOP);
    return plan.action >= SHORT ? plan.action : 0;
}

int fault_of_path(enum fault_kind kind, int folder, const char* path)
{
    const int before = errno;
    char name[2 * PATH_MAX] = "";
    const bool relative = path != NULL && path[0] != '/' && strncmp(path, "pipe:", 5) != 0;
    if (relative) {
        char link[64] = "/proc/self/cwd";
        if (folder != AT_FDCWD) snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
        const long length = syscall(SYS_readlinkat, AT_FDCWD, link, name, (size_t)PATH_MAX);
        name[length < 0 ? 0 : length] = '\0';
        if (path[0] != '\0') strcat(name, "/");
    }
    if (path != NULL) strncat(name, path, PATH_MAX - 1);
    const int fault = strike(kind, name);
    errno = before;
    return fault;
}

// Standard input and output never count.
int fault_of_file(enum fault_kind kind, int file)
{
    return file > 2 ? fault_of_path(kind, file, "") : 0;
}

// The result of a call with this fault: fails, or is made.
#define CALL(fault, made) ((fault) > 0 ? (errno = (fault), -1) : (made))

static size_t part(int fault, size_t bytes)
{
    return fault == SHORT && bytes > 1 ? bytes / 2 : bytes;
}

int openat(int folder, const char* path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    const unsigned mode = (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(list, unsigned) : 0;
    va_end(list);
    const int fault = fault_of_path(OPEN, folder, path);
    return (int)CALL(fault, syscall(SYS_openat, folder, path, flags, mode));
}

int open(const char* path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    const unsigned mode = (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(list, unsigned) : 0;
    va_end(list);
    return openat(AT_FDCWD, path, flags, mode);
}

int __open_2(const char* path, int flags)
{
    return openat(AT_FDCWD, path, flags, 0);
}
int __openat_2(int folder, const char* path, int flags)
{
    return openat(folder, path, flags, 0);
}

// Linux closes the file even if close fails.
int close(int file)
{
    const int fault = fault_of_file(CLOSE, file);
    const int result = (int)syscall(SYS_close, file);
    return CALL(fault, result);
}

ssize_t read(int file, void* data, size_t bytes)
{
    const int fault = fault_of_file(READ, file);
    return CALL(fault, syscall(SYS_read, file, data, part(fault, bytes)));
}

ssize_t pread(int file, void* data, size_t bytes, off_t offset)
{
    const int fault = fault_of_file(READ, file);
    return CALL(fault, syscall(SYS_pread64, file, data, part(fault, bytes), offset));
}

ssize_t __read_chk(int file, void* data, size_t bytes, size_t room)
{
    (void)room;
    return read(file, data, bytes);
}

ssize_t __pread_chk(int file, void* data, size_t bytes, off_t offset, size_t room)
{
    (void)room;
    return pread(file, data, bytes, offset);
}

ssize_t write(int file, const void* data, size_t bytes)
{
    const int fault = fault_of_file(WRITE, file);
    return CALL(fault, syscall(SYS_write, file, data, part(fault, bytes)));
}

ssize_t pwrite(int file, const void* data, size_t bytes, off_t offset)
{
    const int fault = fault_of_file(WRITE, file);
    return CALL(fault, syscall(SYS_pwrite64, file, data, part(fault, bytes), offset));
}

ssize_t writev(int file, const struct iovec* parts, int number)
{
    const int fault = fault_of_file(WRITE, file);
    return CALL(fault, syscall(SYS_writev, file, parts, (int)part(fault, (size_t)number)));
}

int fsync(int file)
{
    const int fault = fault_of_file(SYNC, file);
    return (int)CALL(fault, syscall(SYS_fsync, file));
}

int fdatasync(int file)
{
    const int fault = fault_of_file(SYNC, file);
    return (int)CALL(fault, syscall(SYS_fdatasync, file));
}

int ftruncate(int file, off_t bytes)
{
    const int fault = fault_of_file(RESIZE, file);
    return (int)CALL(fault, syscall(SYS_ftruncate, file, bytes));
}

int renameat(int from_folder, const char* from, int to_folder, const char* to)
{
    const int fault = fault_of_path(RENAME, to_folder, to);
    return (int)CALL(fault, syscall(SYS_renameat2, from_folder, from, to_folder, to, 0));
}

int rename(const char* from, const char* to)
{
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags)
{
    const int fault = fault_of_path(RENAME, to_folder, to);
    return (int)CALL(fault, syscall(SYS_linkat, from_folder, from, to_folder, to, flags));
}

int unlinkat(int folder, const char* path, int flags)
{
    const int fault = fault_of_path(UNLINK, folder, path);
    return (int)CALL(fault, syscall(SYS_unlinkat, folder, path, flags));
}

int unlink(const char* path)
{
    return unlinkat(AT_FDCWD, path, 0);
}
int rmdir(const char* path)
{
    return unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}

int remove(const char* path)
{
    const int result = unlink(path);
    return result != 0 && errno == EISDIR ? rmdir(path) : result;
}

int mkdirat(int folder, const char* path, mode_t mode)
{
    const int fault = fault_of_path(MKDIR, folder, path);
    return (int)CALL(fault, syscall(SYS_mkdirat, folder, path, mode));
}

int mkdir(const char* path, mode_t mode)
{
    return mkdirat(AT_FDCWD, path, mode);
}

int fstatat(int folder, const char* path, struct stat* out, int flags)
{
    const int fault = fault_of_path(STAT, folder, path);
    return (int)CALL(fault, syscall(SYS_newfstatat, folder, path, out, flags));
}

int stat(const char* path, struct stat* out)
{
    return fstatat(AT_FDCWD, path, out, 0);
}

int lstat(const char* path, struct stat* out)
{
    return fstatat(AT_FDCWD, path, out, AT_SYMLINK_NOFOLLOW);
}

int fstat(int file, struct stat* out)
{
    const int fault = fault_of_file(STAT, file);
    return (int)CALL(fault, syscall(SYS_fstat, file, out));
}

int faccessat(int folder, const char* path, int mode, int flags)
{
    (void)flags;
    const int fault = fault_of_path(STAT, folder, path);
    return (int)CALL(fault, syscall(SYS_faccessat, folder, path, mode));
}

int access(const char* path, int mode)
{
    return faccessat(AT_FDCWD, path, mode, 0);
}

int flock(int file, int how)
{
    const int fault = fault_of_file(LOCK, file);
    return (int)CALL(fault, syscall(SYS_flock, file, how));
}

// Programs that were compiled for 32-bit file offsets by default use these names; on 64-bit
// machines they are the same functions. Declared in assembly because headers give them types of
// their own.
#define SAME(name64, name) __asm__(".globl " #name64 "\n.set " #name64 ", " #name);
SAME(open64, open)
SAME(openat64, openat)
SAME(__open64_2, __open_2)
SAME(__openat64_2, __openat_2)
SAME(pread64, pread)
SAME(__pread64_chk, __pread_chk)
SAME(pwrite64, pwrite)
SAME(ftruncate64, ftruncate)
SAME(stat64, stat)
SAME(lstat64, lstat)
SAME(fstat64, fstat)
SAME(fstatat64, fstatat)
