// SPDX-License-Identifier: MIT
// System calls in a page: there are no files. Emscripten's own stand-ins, without its file system,
// claim that every file exists. The last two do not exist in Emscripten 3.1.6; both may fail, and
// firn then does without.
#include <errno.h>
#include <sys/random.h>
#include <sys/sysinfo.h>

// Types are those of Emscripten's C library.
#define NO_FILE(name, ...)  \
    long name(__VA_ARGS__); \
    long name(__VA_ARGS__)  \
    {                       \
        return -ENOENT;     \
    }
#pragma clang diagnostic ignored "-Wunused-parameter"
NO_FILE(__syscall_open, long path, long flags, ...)
NO_FILE(__syscall_openat, long folder, long path, long flags, ...)
NO_FILE(__syscall_stat64, long path, long status)
NO_FILE(__syscall_lstat64, long path, long status)
NO_FILE(__syscall_fstatat64, long folder, long path, long status, long flags)
NO_FILE(__syscall_readlink, long path, long buffer, long size)
NO_FILE(__syscall_mkdir, long path, long mode)
NO_FILE(__syscall_renameat, long old_folder, long old_path, long new_folder, long new_path)
NO_FILE(__syscall_unlinkat, long folder, long path, long flags)
NO_FILE(__syscall_getdents64, long file, long entries, long size)
NO_FILE(__syscall_getcwd, long buffer, long size)

ssize_t getrandom(void* buffer, size_t size, unsigned flags)
{
    errno = ENOSYS;
    return -1;
}

int sysinfo(struct sysinfo* info)
{
    errno = ENOSYS;
    return -1;
}
