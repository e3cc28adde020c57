// SPDX-License-Identifier: MIT
// Buffered writing with every call checked.
#include "output/run/stream.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

firn_result firn_stream_open(firn_stream* stream, const char* path, firn_error* error)
{
    stream->reason = 0;
    stream->used = 0;
    stream->path = path;
    stream->error = error;
    return firn_draft_create(path, &stream->draft, error);
}

static void flush(firn_stream* stream)
{
    const unsigned char* from = stream->buffer;
    while (stream->used > 0 && stream->reason == 0) {
        const ssize_t done = write(stream->draft.file, from, stream->used);
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
    if (result == FIRN_OK && stream->reason != 0)
        result = firn_fail(stream->error, FIRN_REFUSED_IO, "cannot write '%s': %s", stream->path,
                           strerror(stream->reason));
    return firn_draft_commit(&stream->draft, result, stream->error);
}
