// SPDX-License-Identifier: Apache-2.0
// An HTTP server for one page, at 127.0.0.1 only (libmicrohttpd). What it takes is bounded: connections, their time,
// bytes of headers and bodies.
#pragma once
#include <tools/browse/gate.h>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace callis::tools {

inline constexpr unsigned kMostConnections = 64;  // of them few that have not come through the gate: strangers.h
inline constexpr unsigned kConnectionSeconds = 30;          // without a byte, between requests too
inline constexpr std::size_t kMostHeaderBytes = 16u << 10;  // of a request, and what the server keeps for it
inline constexpr std::size_t kMostBodyBytes = 4u << 20;

struct HttpRequest {
  bool posts = false;  // POST; else GET
  std::string path;    // below the gate's base
  std::string body;    // of application/json
};

struct HttpAnswer {
  int status = 200;
  std::string type = "application/json";
  std::string body;
};

// What is refused before the handler sees it: 403 for who does not come through the gate, 405 for other methods, 413
// for a long body, 415 for a body that is not said to be JSON.
class HttpServer {
 public:
  using Handler = std::function<HttpAnswer(const HttpRequest&)>;
  // port: 0: the kernel chooses. The handler is called on a thread of each connection. Throws std::runtime_error with
  // words for people.
  HttpServer(unsigned port, std::string token, Handler handler);
  // Waits for handlers that run.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  unsigned port() const { return port_; }
  std::string address() const { return "http://127.0.0.1:" + std::to_string(port_) + gate_->base(); }

 private:
  struct Daemon;
  unsigned port_ = 0;
  Handler handler_;
  std::optional<Gate> gate_;
  std::unique_ptr<Daemon> daemon_;
};

}  // namespace callis::tools
