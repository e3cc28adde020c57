// SPDX-License-Identifier: MIT
// A request of a browser, as the page's server understands it (RFC 9112): GET and HEAD of files.
#pragma once
#include <stdbool.h>
#include <stddef.h>

#define WEB_REQUEST_BYTES 8192  // of a request with its headers; browsers send about 1000
#define WEB_TARGET_BYTES 1024   // of the decoded path

typedef struct web_request {
    int status;                   // 200: understood; else what to answer
    bool head;                    // only the headers of the answer
    char file[WEB_TARGET_BYTES];  // below the folder: "gl/renderer.js"; no "." or "..", no control
                                  // characters; "index.html" for "/"
} web_request;

// Whether `text` has the empty line that ends the headers.
bool web_request_complete(const char* text, size_t bytes);
// Parses a complete request. `port`: of this server; requests to other hosts are refused, because a
// name of another site may be made to point here.
web_request web_request_parse(const char* text, size_t bytes, int port);
// Type of a file by its name, for a browser. Static.
const char* web_media_type(const char* path);
// Words of a status: "Not Found". Static.
const char* web_status_text(int status);
