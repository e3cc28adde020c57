// SPDX-License-Identifier: MIT
// A library to preload: the FAIL_AT-th pread of the process fails with EIO, the others succeed.
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

ssize_t pread(int file, void* data, size_t bytes, off_t offset)
{
    static int calls;
    const char* at = getenv("FAIL_AT");
    if (at != NULL && ++calls == atoi(at)) {
        errno = EIO;
        return -1;
    }
    return syscall(SYS_pread64, file, data, bytes, offset);
}
