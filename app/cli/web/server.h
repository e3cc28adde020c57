// SPDX-License-Identifier: MIT
// The page's server: static files of one folder on 127.0.0.1, one thread, until a signal comes.
// Does: answer GET and HEAD with the headers that WebAssembly threads need. Does not: follow links,
// leave the folder, list folders, or serve anyone but this machine.
#pragma once

#include "firn/types.h"

typedef struct web_server web_server;

// Opens the folder and listens. `port` 0: WEB_PORT if it is free, else any; *out_port is the chosen
// one. FIRN_REFUSED_IO: no such folder, or the port is taken.
#define WEB_PORT 8024
firn_result web_server_open(const char* folder, int port, web_server** out_server, int* out_port,
                            firn_error* error);
// Serves until `stop()` says so; it is called at least every 200 ms. `log`: print each answer.
void web_server_run(web_server* server, bool (*stop)(void), bool log);
void web_server_close(web_server* server);
