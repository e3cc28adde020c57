// SPDX-License-Identifier: MIT
#define _GNU_SOURCE  // memmem
#include "cli/web/request.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *ending, *type;
} types[] = {
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".json", "application/json"},
    {".wasm", "application/wasm"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".txt", "text/plain; charset=utf-8"},
};

const char* web_media_type(const char* path)
{
    const char* dot = strrchr(path, '.');
    for (size_t k = 0; dot != NULL && k < sizeof types / sizeof *types; k++)
        if (strcmp(dot, types[k].ending) == 0) return types[k].type;
    return "application/octet-stream";
}

const char* web_status_text(int status)
{
    switch (status) {
    case 200: return "OK";
    case 400: return "Bad Request";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 414: return "URI Too Long";
    case 431: return "Request Header Fields Too Large";
    case 503: return "Service Unavailable";
    default: return "Internal Server Error";
    }
}

bool web_request_complete(const char* text, size_t bytes)
{
    return memmem(text, bytes, "\r\n\r\n", 4) != NULL;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// Decodes %41 and stops at a query; a status other than 200 says what is wrong.
static int decode(const char* from, size_t bytes, char file[WEB_TARGET_BYTES])
{
    size_t count = 0;
    for (size_t k = 0; k < bytes && from[k] != '?' && from[k] != '#'; k++) {
        int c = (unsigned char)from[k];
        if (c == '%') {
            const int high = k + 2 < bytes ? hex_digit(from[k + 1]) : -1;
            const int low = high >= 0 ? hex_digit(from[k + 2]) : -1;
            if (low < 0) return 400;
            c = 16 * high + low;
            k += 2;
        }
        if (c < ' ' || c == 127 || c == '\\') return 400;
        if (count + 1 >= WEB_TARGET_BYTES) return 414;
        file[count++] = (char)c;
    }
    file[count] = '\0';
    return 200;
}

// Names that begin with a dot are not part of a page: neither ".." nor ".git".
static bool is_plain(const char* path)
{
    for (const char* at = path; at != NULL; at = strchr(at, '/')) {
        at += *at == '/';
        if (*at == '.' || *at == '/') return false;
    }
    return true;
}

static int read_target(const char* target, size_t bytes, web_request* request)
{
    char file[WEB_TARGET_BYTES];
    if (bytes == 0 || target[0] != '/') return 400;
    const int status = decode(target + 1, bytes - 1, file);
    if (status != 200) return status;
    if (!is_plain(file)) return 404;
    const size_t length = strlen(file);
    const char* index = length == 0 || file[length - 1] == '/' ? "index.html" : "";
    if ((size_t)snprintf(request->file, sizeof request->file, "%s%s", file, index) >=
        sizeof request->file)
        return 414;
    return 200;
}

// The value of header `name`, without spaces around it; null: it is not there or not once.
static const char* find_header(const char* lines, const char* end, const char* name,
                               size_t* out_bytes)
{
    const char* found = NULL;
    const size_t length = strlen(name);
    while (lines < end) {
        const char* stop = memmem(lines, (size_t)(end - lines), "\r\n", 2);
        if (stop == NULL) stop = end;
        if ((size_t)(stop - lines) > length && lines[length] == ':' &&
            strncasecmp(lines, name, length) == 0) {
            if (found != NULL) return NULL;
            const char* last = stop;
            found = lines + length + 1;
            while (found < last && (*found == ' ' || *found == '\t')) found++;
            while (last > found && (last[-1] == ' ' || last[-1] == '\t')) last--;
            *out_bytes = (size_t)(last - found);
        }
        lines = stop + 2;
    }
    return found;
}

static bool is_own_host(const char* host, size_t bytes, int port)
{
    static const char* const names[] = {"127.0.0.1", "localhost"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char own[64];
        const int length = snprintf(own, sizeof own, "%s:%d", names[k], port);
        if (bytes == (size_t)length && strncasecmp(host, own, bytes) == 0) return true;
    }
    return false;
}

web_request web_request_parse(const char* text, size_t bytes, int port)
{
    web_request request = {.status = 400};
    const char* end = memmem(text, bytes, "\r\n\r\n", 4);
    if (end == NULL || memchr(text, '\0', bytes) != NULL) return request;
    const char* line_end = memmem(text, (size_t)(end - text) + 2, "\r\n", 2);
    const char* space = memchr(text, ' ', (size_t)(line_end - text));
    if (space == NULL) return request;
    const char* target = space + 1;
    const char* stop = memchr(target, ' ', (size_t)(line_end - target));
    if (stop == NULL || line_end - stop < 9 || strncmp(stop + 1, "HTTP/1.", 7) != 0) return request;
    const size_t method = (size_t)(space - text);
    request.head = method == 4 && strncmp(text, "HEAD", 4) == 0;
    if (!request.head && !(method == 3 && strncmp(text, "GET", 3) == 0)) {
        request.status = 405;
        return request;
    }
    size_t host_bytes = 0;
    const char* lines = line_end < end ? line_end + 2 : end;
    const char* host = find_header(lines, end, "Host", &host_bytes);
    if (host == NULL) return request;
    request.status = is_own_host(host, host_bytes, port)
                         ? read_target(target, (size_t)(stop - target), &request)
                         : 403;
    return request;
}
