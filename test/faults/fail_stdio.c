// SPDX-License-Identifier: MIT
// The second half of the library of I/O faults: streams, folders, pipes and child processes. A
// stream below the chosen folder reads and writes through fail_io.c, with the calls that libc
// would make.
#include "fail_io.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// The function of the next library, libc. A union because C has no cast from data to function.
#define NEXT(name)                       \
    ((union {                            \
         void* data;                     \
         __typeof__(&name) function;     \
     }){.data = dlsym(RTLD_NEXT, #name)} \
         .function)

#define STREAMS 64  // open at the same time
static struct {
    FILE* stream;
    int file;
} streams[STREAMS];

static ssize_t stream_read(void* cookie, char* data, size_t bytes)
{
    return read((int)(intptr_t)cookie, data, bytes);
}

// As libc: repeated after a short write, not after an error.
static ssize_t stream_write(void* cookie, const char* data, size_t bytes)
{
    size_t done = 0;
    while (done < bytes) {
        const ssize_t more = write((int)(intptr_t)cookie, data + done, bytes - done);
        if (more < 0) break;
        done += (size_t)more;
    }
    return (ssize_t)done;
}

static int stream_seek(void* cookie, off64_t* offset, int whence)
{
    const off64_t at = lseek64((int)(intptr_t)cookie, *offset, whence);
    if (at < 0) return -1;
    *offset = at;
    return 0;
}

static int stream_close(void* cookie)
{
    for (int i = 0; i < STREAMS; i++)
        if (streams[i].stream != NULL && streams[i].file == (int)(intptr_t)cookie)
            streams[i].stream = NULL;
    return close((int)(intptr_t)cookie);
}

FILE* fdopen(int file, const char* mode)
{
    static const cookie_io_functions_t functions = {stream_read, stream_write, stream_seek,
                                                    stream_close};
    FILE* stream = fopencookie((void*)(intptr_t)file, mode, functions);
    for (int i = 0; stream != NULL && i < STREAMS; i++) {
        if (streams[i].stream != NULL) continue;
        streams[i].stream = stream;
        streams[i].file = file;
        break;
    }
    return stream;
}

// Also called fopen64, see fail_io.c.
FILE* fopen(const char* path, const char* mode)
{
    int flags = strchr(mode, '+') != NULL ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
    if (mode[0] != 'r') flags |= O_CREAT | (mode[0] == 'a' ? O_APPEND : O_TRUNC);
    if (strchr(mode, 'x') != NULL) flags |= O_EXCL;
    if (strchr(mode, 'e') != NULL) flags |= O_CLOEXEC;
    const int file = open(path, flags, 0666);
    if (file < 0) return NULL;
    FILE* stream = fdopen(file, mode);
    if (stream == NULL) syscall(SYS_close, file);
    return stream;
}

int fileno(FILE* stream)
{
    for (int i = 0; i < STREAMS; i++)
        if (streams[i].stream == stream) return streams[i].file;
    return NEXT(fileno)(stream);
}

DIR* opendir(const char* path)
{
    const int fault = fault_of_path(LIST, AT_FDCWD, path);
    if (fault <= 0) return NEXT(opendir)(path);
    errno = fault;
    return NULL;
}

DIR* fdopendir(int folder)
{
    const int fault = fault_of_file(LIST, folder);
    if (fault <= 0) return NEXT(fdopendir)(folder);
    errno = fault;
    return NULL;
}

struct dirent* readdir(DIR* folder)
{
    const int fault = fault_of_file(LIST, dirfd(folder));
    if (fault <= 0) return NEXT(readdir)(folder);
    errno = fault;
    return NULL;
}

int pipe2(int files[2], int flags)
{
    const int fault = fault_of_path(PIPE, AT_FDCWD, "pipe:");
    if (fault <= 0) return (int)syscall(SYS_pipe2, files, flags);
    errno = fault;
    return -1;
}

int pipe(int files[2])
{
    return pipe2(files, 0);
}

// Returns the error instead of setting errno. Programs that firn starts (ffmpeg) run without this
// library.
int posix_spawnp(pid_t* out_process, const char* program,
                 const posix_spawn_file_actions_t* file_actions,
                 const posix_spawnattr_t* attributes, char* const arguments[],
                 char* const environment[])
{
    const int fault = fault_of_path(SPAWN, AT_FDCWD, "pipe:");
    if (fault > 0) return fault;
    unsetenv("LD_PRELOAD");
    return NEXT(posix_spawnp)(out_process, program, file_actions, attributes, arguments,
                              environment);
}

__asm__(".globl fopen64\n.set fopen64, fopen");
