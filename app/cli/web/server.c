// SPDX-License-Identifier: MIT
// One poll() over all connections. A connection has one request and is then closed: its buffer is
// of fixed size, so that a slow or a malicious client costs little, and clients that are slower
// than a time limit are dropped. Where all connections are taken and another client waits, the
// oldest has to go: a page comes from this machine in milliseconds, so that only clients who hold a
// connection on purpose become old.
//
//     READS ── request complete, too long ──▶ SENDS header, then file ──▶ DRAINS ──▶ closed
#define _GNU_SOURCE  // accept4
#include "cli/web/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/web/request.h"

#define CONNECTIONS 64
#define CHUNK_BYTES 65536
#define READ_MS 5000   // for a request to arrive
#define SEND_MS 20000  // without progress of an answer
#define DRAIN_MS 1000  // for the client to close
#define CROWD_MS 2000  // for everything, where others wait
#define TICK_MS 200

typedef enum phase { FREE, READS, SENDS, DRAINS } phase;

typedef struct connection {
    phase phase;
    int socket, file;  // file: -1: none
    int64_t begun;     // [ms]
    int64_t until;     // [ms]
    size_t in, out, out_sent;
    off_t left;  // of the file
    char request[WEB_REQUEST_BYTES];
    char answer[CHUNK_BYTES];
} connection;

struct web_server {
    int listener, folder, port;
    bool log;
    connection connections[CONNECTIONS];
};

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static firn_result fail(firn_error* error, const char* format, ...)
    __attribute__((format(printf, 2, 3)));
static firn_result fail(firn_error* error, const char* format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(error->text, sizeof error->text, format, list);
    va_end(list);
    error->code = FIRN_REFUSED_IO;
    return error->code;
}

// ---- opening ------------------------------------------------------------------------------------

static int listen_on(int port)
{
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0) return -1;
    const int yes = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    const struct sockaddr_in at = {.sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)port),
                                   .sin_addr = {htonl(INADDR_LOOPBACK)}};
    if (bind(listener, (const struct sockaddr*)&at, sizeof at) == 0 &&
        listen(listener, CONNECTIONS) == 0)
        return listener;
    const int reason = errno;
    close(listener);
    errno = reason;
    return -1;
}

static firn_result open_listener(web_server* server, int port, firn_error* error)
{
    server->listener = listen_on(port != 0 ? port : WEB_PORT);
    if (server->listener < 0 && port == 0) server->listener = listen_on(0);
    if (server->listener < 0)
        return fail(error,
                    "port %d of 127.0.0.1 cannot be used: %s; choose another one with --port", port,
                    strerror(errno));
    struct sockaddr_in at = {0};
    socklen_t size = sizeof at;
    if (getsockname(server->listener, (struct sockaddr*)&at, &size) != 0)
        return fail(error, "the port cannot be read: %s", strerror(errno));
    server->port = ntohs(at.sin_port);
    return FIRN_OK;
}

firn_result web_server_open(const char* folder, int port, web_server** out_server, int* out_port,
                            firn_error* error)
{
    web_server* server = calloc(1, sizeof *server);
    if (server == NULL) {
        *error = (firn_error){FIRN_BROKEN_MEMORY, "out of memory"};
        return error->code;
    }
    server->listener = -1;
    server->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    firn_result r = server->folder >= 0 ? FIRN_OK
                                        : fail(error,
                                               "the folder '%s' cannot be opened: %s; `tools/web "
                                               "-o DIR` builds the page",
                                               folder, strerror(errno));
    if (r == FIRN_OK && faccessat(server->folder, "index.html", R_OK, 0) != 0)
        r = fail(error, "'%s' has no index.html: build the page with `tools/web -o %s`", folder,
                 folder);
    if (r == FIRN_OK) r = open_listener(server, port, error);
    if (r != FIRN_OK) {
        web_server_close(server);
        return r;
    }
    *out_server = server;
    *out_port = server->port;
    return FIRN_OK;
}

static void close_connection(connection* c)
{
    if (c->file >= 0) close(c->file);
    close(c->socket);
    c->phase = FREE;
}

void web_server_close(web_server* server)
{
    if (server == NULL) return;
    for (int k = 0; k < CONNECTIONS; k++)
        if (server->connections[k].phase != FREE) close_connection(&server->connections[k]);
    if (server->listener >= 0) close(server->listener);
    if (server->folder >= 0) close(server->folder);
    free(server);
}

// ---- answers ------------------------------------------------------------------------------------

// Opens a regular file below the folder, name by name: O_NOFOLLOW also for folders in between.
static int open_below(int folder, const char* path, struct stat* status)
{
    char name[WEB_TARGET_BYTES];
    int at = dup(folder);
    while (at >= 0) {
        const char* slash = strchr(path, '/');
        const size_t length = slash != NULL ? (size_t)(slash - path) : strlen(path);
        memcpy(name, path, length);
        name[length] = '\0';
        const int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
        const int next = openat(at, name, slash != NULL ? flags | O_DIRECTORY : flags);
        close(at);
        at = next;
        if (slash == NULL) break;
        path = slash + 1;
    }
    if (at < 0 || (fstat(at, status) == 0 && S_ISREG(status->st_mode))) return at;
    close(at);
    return -1;
}

// Begins the answer. Isolation (COOP, COEP) gives the page threads; the rest keeps others out.
static void answer(web_server* server, connection* c, const web_request* request)
{
    struct stat status = {0};
    int code = request->status;
    if (code == 200) {
        c->file = open_below(server->folder, request->file, &status);
        if (c->file < 0) code = 404;
    }
    char sentence[64] = "";
    if (code != 200) snprintf(sentence, sizeof sentence, "%d %s\n", code, web_status_text(code));
    c->left = code == 200 ? status.st_size : 0;
    const int length = snprintf(
        c->answer, sizeof c->answer,
        "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %lld\r\nConnection: close\r\n"
        "Cache-Control: no-cache\r\nCross-Origin-Opener-Policy: same-origin\r\n"
        "Cross-Origin-Embedder-Policy: require-corp\r\n"
        "Cross-Origin-Resource-Policy: same-origin\r\nX-Content-Type-Options: nosniff\r\n"
        "Referrer-Policy: no-referrer\r\n%s\r\n%s",
        code, web_status_text(code), code == 200 ? web_media_type(request->file) : "text/plain",
        (long long)(code == 200 ? status.st_size : (off_t)strlen(sentence)),
        code == 405 ? "Allow: GET, HEAD\r\n" : "", request->head ? "" : sentence);
    if (request->head) c->left = 0;
    c->out = (size_t)length;
    c->out_sent = 0;
    c->phase = SENDS;
    c->until = now_ms() + SEND_MS;
    if (server->log) printf("%d /%s\n", code, code == 200 ? request->file : "");
}

static void read_request(web_server* server, connection* c)
{
    const ssize_t got = recv(c->socket, c->request + c->in, sizeof c->request - c->in, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) {
        close_connection(c);
        return;
    }
    c->in += (size_t)got;
    web_request request = {.status = 431};
    if (web_request_complete(c->request, c->in))
        request = web_request_parse(c->request, c->in, server->port);
    else if (c->in < sizeof c->request)
        return;
    answer(server, c, &request);
}

// Sends what there is; reads on when it is gone.
static void send_answer(connection* c)
{
    if (c->out_sent == c->out && c->left > 0) {
        const size_t most = c->left < CHUNK_BYTES ? (size_t)c->left : CHUNK_BYTES;
        const ssize_t got = read(c->file, c->answer, most);
        if (got <= 0) {  // the file became shorter: the client sees that bytes are missing
            close_connection(c);
            return;
        }
        c->out = (size_t)got;
        c->out_sent = 0;
        c->left -= got;
    }
    const ssize_t sent =
        send(c->socket, c->answer + c->out_sent, c->out - c->out_sent, MSG_NOSIGNAL);
    if (sent < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (sent < 0) {
        close_connection(c);
        return;
    }
    c->out_sent += (size_t)sent;
    c->until = now_ms() + SEND_MS;
    if (c->out_sent < c->out || c->left > 0) return;
    // Closing with unread bytes would reset the connection before the client has read the answer.
    shutdown(c->socket, SHUT_WR);
    c->phase = DRAINS;
    c->until = now_ms() + DRAIN_MS;
}

static void drain(connection* c)
{
    char buffer[4096];
    const ssize_t got = recv(c->socket, buffer, sizeof buffer, 0);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) close_connection(c);
}

// ---- loop ---------------------------------------------------------------------------------------

// A free connection, else the oldest one if its time in a crowd is over, else NULL.
static connection* find_place(web_server* server)
{
    connection* oldest = &server->connections[0];
    for (int k = 0; k < CONNECTIONS; k++) {
        connection* c = &server->connections[k];
        if (c->phase == FREE) return c;
        if (c->begun < oldest->begun) oldest = c;
    }
    return now_ms() - oldest->begun > CROWD_MS ? oldest : NULL;
}

static void accept_clients(web_server* server)
{
    for (;;) {
        connection* c = find_place(server);
        if (c == NULL) return;  // others wait until one is closed or old
        const int client = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (client < 0) return;
        if (c->phase != FREE) close_connection(c);
        c->phase = READS;
        c->socket = client;
        c->file = -1;
        c->in = 0;
        c->begun = now_ms();
        c->until = c->begun + READ_MS;
    }
}

static void serve(web_server* server, connection* c)
{
    if (c->phase == READS)
        read_request(server, c);
    else if (c->phase == SENDS)
        send_answer(c);
    else
        drain(c);
}

// Drops those that are too slow.
static void end_late(web_server* server)
{
    const int64_t now = now_ms();
    for (int k = 0; k < CONNECTIONS; k++) {
        connection* c = &server->connections[k];
        if (c->phase != FREE && now > c->until) close_connection(c);
    }
}

void web_server_run(web_server* server, bool (*stop)(void), bool log)
{
    server->log = log;
    while (!stop()) {
        struct pollfd waits[CONNECTIONS + 1];
        connection* who[CONNECTIONS + 1];
        nfds_t count = 0;
        for (int k = 0; k < CONNECTIONS; k++) {
            connection* c = &server->connections[k];
            if (c->phase == FREE) continue;
            who[count] = c;
            waits[count++] =
                (struct pollfd){.fd = c->socket, .events = c->phase == SENDS ? POLLOUT : POLLIN};
        }
        const nfds_t clients = count;
        if (find_place(server) != NULL)
            waits[count++] = (struct pollfd){.fd = server->listener, .events = POLLIN};
        if (poll(waits, count, TICK_MS) > 0) {
            for (nfds_t k = 0; k < clients; k++)
                if (waits[k].revents != 0) serve(server, who[k]);
            if (count > clients && waits[clients].revents != 0) accept_clients(server);
        }
        end_late(server);
    }
}
