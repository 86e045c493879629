// SPDX-License-Identifier: Apache-2.0
// libmicrohttpd calls answer() several times for a request: with its headers, with each part of its body, and at its
// end.
#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <tools/browse/http.h>
#include <tools/browse/strangers.h>
#include <unistd.h>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace callis::tools {

namespace {

constexpr const char* kHeaders[][2] = {
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; "
     "form-action 'none'; frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cache-Control", "no-store"},
};

// One request.
struct Exchange {
  HttpRequest request;
  bool too_long = false;
};

std::string_view header(MHD_Connection* connection, const char* name) {
  const char* const value = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
  return value ? value : "";
}

MHD_Result send(MHD_Connection* connection, const HttpAnswer& answer) {
  MHD_Response* const response = MHD_create_response_from_buffer(
      answer.body.size(), const_cast<char*>(answer.body.data()), MHD_RESPMEM_MUST_COPY);
  if (!response) return MHD_NO;
  for (const auto& [name, value] : kHeaders) MHD_add_response_header(response, name, value);
  const std::string type = answer.type + "; charset=utf-8";
  MHD_add_response_header(response, "Content-Type", type.c_str());
  const MHD_Result sent = MHD_queue_response(connection, static_cast<unsigned>(answer.status), response);
  MHD_destroy_response(response);
  return sent;
}

MHD_Result refuse(MHD_Connection* connection, int status, const char* why) {
  return send(connection, {status, "text/plain", std::string(why) + "\n"});
}

// What is said of a body in the headers. Also of one whose length is not said: it is counted as it comes.
bool says_too_long(std::string_view length) {
  return length.size() > 8 || (!length.empty() && std::stoul("0" + std::string(length)) > kMostBodyBytes);
}

int listen_here(unsigned port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket < 0) throw std::runtime_error(std::string("no socket: ") + std::strerror(errno));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int on = 1;
  (void)::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 || ::listen(socket, 16) != 0) {
    const std::string why = std::strerror(errno);
    ::close(socket);
    throw std::runtime_error("no server at 127.0.0.1:" + std::to_string(port) + ": " + why);
  }
  return socket;
}

unsigned port_of(int socket) {
  sockaddr_in address{};
  socklen_t length = sizeof address;
  (void)::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &length);
  return ntohs(address.sin_port);
}

void say_nothing(void*, const char*, va_list) {}

}  // namespace

struct HttpServer::Daemon {
  const HttpServer& server;
  Strangers strangers;
  MHD_Daemon* daemon = nullptr;

  explicit Daemon(const HttpServer& s) : server(s) {}
  ~Daemon() {
    if (daemon) MHD_stop_daemon(daemon);
  }

  MHD_Result begin(MHD_Connection* connection, const char* url, std::string_view method, Exchange& exchange) {
    std::string_view rest;
    const Caller caller{header(connection, "Host"), header(connection, "Origin"),
                        header(connection, "Sec-Fetch-Site")};
    if (!server.gate_->admits(caller) || !server.gate_->below(url, rest))
      return refuse(connection, 403, "403: use the whole address that callis browse has printed");
    strangers.leave(connection);
    exchange.request.path = rest;
    exchange.request.posts = method == "POST";
    if (!exchange.request.posts && method != "GET") return refuse(connection, 405, "405: GET or POST");
    if (says_too_long(header(connection, "Content-Length")))
      return refuse(connection, 413, "413: a body of 4 MiB at most");
    if (exchange.request.posts && !header(connection, "Content-Type").starts_with("application/json"))
      return refuse(connection, 415, "415: application/json");
    return MHD_YES;
  }

  MHD_Result end(MHD_Connection* connection, const Exchange& exchange) const {
    if (exchange.too_long) return refuse(connection, 413, "413: a body of 4 MiB at most");
    try {
      return send(connection, server.handler_(exchange.request));
    } catch (const std::exception& e) {
      return refuse(connection, 500, e.what());
    }
  }

  static MHD_Result answer(void* self, MHD_Connection* connection, const char* url, const char* method, const char*,
                           const char* data, std::size_t* size, void** place) {
    Daemon& daemon = *static_cast<Daemon*>(self);
    auto* exchange = static_cast<Exchange*>(*place);
    try {
      if (!exchange) {
        *place = exchange = new Exchange;
        return daemon.begin(connection, url, method, *exchange);
      }
      if (*size == 0) return daemon.end(connection, *exchange);
      std::string& body = exchange->request.body;
      exchange->too_long = exchange->too_long || *size > kMostBodyBytes - body.size();
      if (!exchange->too_long) body.append(data, *size);
      *size = 0;
      return MHD_YES;
    } catch (const std::bad_alloc&) {
      return MHD_NO;
    }
  }

  // A connection has been accepted, or is about to be closed.
  static void come_or_gone(void* self, MHD_Connection* connection, void**, MHD_ConnectionNotificationCode code) {
    Strangers& strangers = static_cast<Daemon*>(self)->strangers;
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) return strangers.leave(connection);
    const MHD_ConnectionInfo* const info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (info) strangers.come(connection, info->connect_fd);
  }

  static void over(void*, MHD_Connection*, void** place, MHD_RequestTerminationCode) {
    delete static_cast<Exchange*>(std::exchange(*place, nullptr));
  }
};

HttpServer::HttpServer(unsigned port, std::string token, Handler handler) : handler_(std::move(handler)) {
  const int socket = listen_here(port);
  port_ = port_of(socket);
  gate_.emplace(std::move(token), port_);
  daemon_ = std::make_unique<Daemon>(*this);
  // The flags say that the socket is the daemon's from now on; a daemon that cannot start leaves it open.
  daemon_->daemon = MHD_start_daemon(
      MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL | MHD_USE_ERROR_LOG, 0, nullptr,
      nullptr, &Daemon::answer, daemon_.get(), MHD_OPTION_EXTERNAL_LOGGER, &say_nothing, nullptr,
      MHD_OPTION_LISTEN_SOCKET, socket, MHD_OPTION_CONNECTION_LIMIT, kMostConnections, MHD_OPTION_CONNECTION_TIMEOUT,
      kConnectionSeconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT, kMostHeaderBytes, MHD_OPTION_STRICT_FOR_CLIENT, 1,
      MHD_OPTION_NOTIFY_COMPLETED, &Daemon::over, nullptr, MHD_OPTION_NOTIFY_CONNECTION, &Daemon::come_or_gone,
      daemon_.get(), MHD_OPTION_END);
  if (!daemon_->daemon) {
    ::close(socket);
    throw std::runtime_error("the server of the page cannot be started");
  }
}

HttpServer::~HttpServer() = default;

}  // namespace callis::tools
