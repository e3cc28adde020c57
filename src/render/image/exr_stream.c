// SPDX-License-Identifier: MIT
// Callbacks for OpenEXRCore.
#include "render/image/exr_stream.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"

// While writing, exr_get_user_data would deadlock on a mutex that the failing call holds, so the
// message is dropped and only the code is reported.
static void on_write_error(exr_const_context_t context, exr_result_t code, const char* message)
{
    (void)context, (void)code, (void)message;
}

static void on_read_error(exr_const_context_t context, exr_result_t code, const char* message)
{
    (void)code;
    void* user = NULL;
    if (context == NULL || exr_get_user_data(context, &user) != EXR_ERR_SUCCESS || user == NULL)
        return;
    firn_exr_stream* stream = user;
    if (stream->message[0] == '\0')
        snprintf(stream->message, sizeof stream->message, "%s", message);
}

// The allocation callback has no user pointer, and the library may report a damaged file after a
// failed allocation. It allocates in the calling thread, so a thread-local flag records the cause.
static _Thread_local bool out_of_memory;

// The library allocates through core/memory.h, so its memory is counted and capped, and tests can
// make it fail. A request for 0 bytes must not fail.
static void* take(size_t bytes)
{
    void* block = firn_alloc(bytes > 0 ? bytes : 1, 1);
    if (block == NULL) out_of_memory = true;
    return block;
}

static int64_t file_bytes(exr_const_context_t context, void* user)
{
    (void)context;
    const firn_exr_stream* stream = user;
    struct stat info;
    return fstat(stream->file, &info) == 0 ? (int64_t)info.st_size : -1;
}

static int64_t on_read(exr_const_context_t context, void* user, void* buffer, uint64_t bytes,
                       uint64_t offset, exr_stream_error_func_ptr_t fail)
{
    firn_exr_stream* stream = user;
    uint64_t done = 0;
    while (done < bytes && offset + done <= INT64_MAX) {
        const ssize_t n =
            pread(stream->file, (char*)buffer + done, bytes - done, (off_t)(offset + done));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            if (stream->code == 0) stream->code = errno;
            fail(context, EXR_ERR_READ_IO, "reading failed");
            return -1;
        }
        if (n == 0) break;  // end of file: the library detects the short read
        done += (uint64_t)n;
    }
    return (int64_t)done;
}

static int64_t on_write(exr_const_context_t context, void* user, const void* buffer, uint64_t bytes,
                        uint64_t offset, exr_stream_error_func_ptr_t fail)
{
    firn_exr_stream* stream = user;
    uint64_t done = 0;
    while (done < bytes) {
        const ssize_t n =
            pwrite(stream->file, (const char*)buffer + done, bytes - done, (off_t)(offset + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            if (stream->code == 0) stream->code = n < 0 ? errno : EIO;
            fail(context, EXR_ERR_WRITE_IO, "writing failed");
            return -1;
        }
        done += (uint64_t)n;
    }
    return (int64_t)done;
}

exr_context_initializer_t firn_exr_stream_initializer(firn_exr_stream* stream, bool write)
{
    out_of_memory = false;
    stream->writing = write;
    exr_context_initializer_t start = EXR_DEFAULT_CONTEXT_INITIALIZER;
    start.error_handler_fn = write ? on_write_error : on_read_error;
    start.alloc_fn = take;
    start.free_fn = firn_free;
    start.user_data = stream;
    start.read_fn = on_read;
    start.size_fn = file_bytes;
    start.write_fn = on_write;
    // refuse truncated files instead of reconstructing their chunk table
    start.flags = EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION;
    return start;
}

firn_result firn_exr_stream_fail(const firn_exr_stream* stream, exr_result_t code, const char* verb,
                                 const char* path, firn_result otherwise, firn_error* error)
{
    if (stream->code != 0)
        return firn_fail(error, FIRN_REFUSED_IO, "cannot %s the picture '%s': %s", verb, path,
                         strerror(stream->code));
    const bool memory = code == EXR_ERR_OUT_OF_MEMORY;
    if (out_of_memory || (memory && stream->writing))
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory to %s the picture '%s'", verb, path);
    // the library's word for sizes in a file that it does not even ask memory for
    if (memory)
        return firn_fail(error, otherwise, "cannot %s the picture '%s': it claims impossible sizes",
                         verb, path);
    return firn_fail(error, otherwise, "cannot %s the picture '%s': %s", verb, path,
                     stream->message[0] != '\0' ? stream->message
                                                : exr_get_default_error_message(code));
}
