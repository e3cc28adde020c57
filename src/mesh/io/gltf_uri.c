// SPDX-License-Identifier: MIT
// What a glTF file names by URI: files beside it, and data in base64.
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/text.h"
#include "mesh/io/gltf_file.h"

static int base64_digit(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+' || c == '-') return 62;
    return c == '/' || c == '_' ? 63 : -1;
}

// `text` is what follows "base64,". Decodes in place; returns the number of bytes, or -1 with the
// offset of the invalid character in `out_bad`.
static int64_t decode_base64(char* text, size_t* out_bad)
{
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '=') length--;
    int64_t bytes = 0;
    uint32_t bits = 0;
    int held = 0;
    for (size_t k = 0; k < length; k++) {
        const int digit = base64_digit(text[k]);
        if (digit < 0) {
            *out_bad = k;
            return -1;
        }
        bits = (bits << 6 | (uint32_t)digit) & 0xFFFFFFu;
        held += 6;
        if (held >= 8) {
            held -= 8;
            text[bytes++] = (char)(unsigned char)(bits >> held & 0xFF);
        }
    }
    return bytes;
}

// Decodes percent escapes (%20) in place.
static void decode_percent(char* uri)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    char* to = uri;
    for (const char* from = uri; *from != '\0'; from++) {
        const char* high = from[0] == '%' && from[1] != '\0' ? strchr(digits, from[1]) : NULL;
        const char* low = high != NULL && from[2] != '\0' ? strchr(digits, from[2]) : NULL;
        if (low != NULL) {
            *to++ = (char)(unsigned char)((high - digits) % 16 * 16 + (low - digits) % 16);
            from += 2;
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
}

// Reads another file; the path is relative to the glTF file.
static firn_result read_beside(const firn_gltf_file* f, char* uri, const char* what, size_t limit,
                               firn_gltf_buffer* buffer, firn_error* error)
{
    decode_percent(uri);
    if (strstr(uri, "://") != NULL)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "%s: its %s '%s' is on the network: save it beside the file", f->path,
                         what, uri);
    const char* slash = strrchr(f->path, '/');
    firn_text path = {0};
    if (slash != NULL && uri[0] != '/')
        firn_text_add_bytes(&path, f->path, (size_t)(slash - f->path) + 1);
    firn_text_add(&path, "%s", uri);
    char* name = firn_text_take(&path);
    if (name == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "%s: no memory", f->path);
    const firn_result result = firn_file_read(name, limit, &buffer->own, &buffer->bytes, error);
    firn_free(name);
    buffer->data = (const unsigned char*)buffer->own;
    return result;
}

// Decodes the base64 of a data URI in place. On success `buffer` owns `uri`.
static firn_result read_data(const firn_gltf_file* f, firn_local value, char* uri,
                             firn_gltf_buffer* buffer, firn_error* error)
{
    char* comma = strchr(uri, ',');
    if (comma == NULL || comma - uri < 7 || memcmp(comma - 7, ";base64", 7) != 0)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "%s: byte %zu: a data URI must say ';base64,' before its data", f->path,
                         firn_json_offset(&f->json, value));
    const size_t skipped = (size_t)(comma + 1 - uri);
    size_t bad = 0;
    const int64_t bytes = decode_base64(comma + 1, &bad);
    if (bytes < 0)
        return firn_fail(error, FIRN_REFUSED_SCENE, "%s: byte %zu: not a letter of base64", f->path,
                         firn_json_offset(&f->json, value) + skipped + bad);
    buffer->own = uri;
    buffer->data = (const unsigned char*)comma + 1;
    buffer->bytes = (size_t)bytes;
    return FIRN_OK;
}

firn_result firn_gltf_read_uri(const firn_gltf_file* file, firn_local value, const char* what,
                               size_t limit, firn_gltf_buffer* buffer, firn_error* error)
{
    char* uri = firn_json_string(&file->json, value);
    if (uri == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "%s: no memory", file->path);
    const bool is_data = strncmp(uri, "data:", 5) == 0;
    const firn_result result = is_data ? read_data(file, value, uri, buffer, error)
                                       : read_beside(file, uri, what, limit, buffer, error);
    if (buffer->own != uri) firn_free(uri);
    return result;
}
