// SPDX-License-Identifier: MIT
// Buffered writing with every call checked.
#include "output/run/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"

firn_result firn_stream_open(firn_stream* stream, const char* path, firn_error* error)
{
    stream->reason = 0;
    stream->used = 0;
    stream->path = path;
    stream->error = error;
    FIRN_TRY(firn_file_temporary(path, stream->temporary, sizeof stream->temporary, error));
    stream->file = open(stream->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (stream->file >= 0) return FIRN_OK;
    return firn_fail(error, FIRN_REFUSED_IO, "cannot create '%s': %s", path, strerror(errno));
}

static void flush(firn_stream* stream)
{
    const unsigned char* from = stream->buffer;
    while (stream->used > 0 && stream->reason == 0) {
        const ssize_t done = write(stream->file, from, stream->used);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) {
            stream->reason = done < 0 ? errno : EIO;
            return;
        }
        from += done;
        stream->used -= (size_t)done;
    }
}

void firn_stream_add(firn_stream* stream, const void* data, size_t bytes)
{
    const unsigned char* from = data;
    while (bytes > 0 && stream->reason == 0) {
        const size_t room = sizeof stream->buffer - stream->used;
        const size_t part = bytes < room ? bytes : room;
        memcpy(stream->buffer + stream->used, from, part);
        stream->used += part;
        from += part;
        bytes -= part;
        if (stream->used == sizeof stream->buffer) flush(stream);
    }
}

firn_result firn_stream_add_text(firn_stream* stream, firn_text* text)
{
    firn_result result = FIRN_OK;
    if (text->failed)
        result = firn_fail(stream->error, FIRN_BROKEN_MEMORY, "out of memory writing '%s'",
                           stream->path);
    else
        firn_stream_add(stream, text->data, text->length);
    firn_text_destroy(text);
    return result;
}

firn_result firn_stream_commit(firn_stream* stream, firn_result result)
{
    if (result == FIRN_OK) flush(stream);
    if (close(stream->file) != 0 && stream->reason == 0) stream->reason = errno;
    if (result == FIRN_OK && stream->reason != 0)
        result = firn_fail(stream->error, FIRN_REFUSED_IO, "cannot write '%s': %s", stream->path,
                           strerror(stream->reason));
    if (result == FIRN_OK) return firn_file_commit(stream->temporary, stream->path, stream->error);
    unlink(stream->temporary);
    return result;
}
