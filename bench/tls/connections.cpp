// SPDX-License-Identifier: Apache-2.0
// Connections of TLS by OpenSSL alone, each with one LocateRequest of GIOP and its answer.
//
//   connections serve CA CERTIFICATE KEY              prints its port, and serves one after the other; keeps them all
//   connections full|resumed CA CERTIFICATE KEY PORT N   prints how many a second were made and closed
//   connections hold CA CERTIFICATE KEY PORT N        makes them, prints a line, and keeps them until its input ends
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr unsigned char kRequest[] = {'G', 'I', 'O', 'P', 1, 2, 1, 3, 13, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0,
                                      1,   0,   0,   0,   'k'};
constexpr std::size_t kAnswer = 20;

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "%s failed\n", what);
  std::_Exit(1);
}

SSL_SESSION* g_session = nullptr;  // the newest

SSL_CTX* context_of(char** files, bool serves) {
  SSL_CTX* const c = SSL_CTX_new(TLS_method());
  SSL_CTX_set_min_proto_version(c, TLS1_2_VERSION);
  if (SSL_CTX_load_verify_file(c, files[0]) != 1 || SSL_CTX_use_certificate_chain_file(c, files[1]) != 1 ||
      SSL_CTX_use_PrivateKey_file(c, files[2], SSL_FILETYPE_PEM) != 1)
    fail("reading files");
  SSL_CTX_set_verify(c, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  (void)SSL_CTX_set_mode(c, SSL_MODE_RELEASE_BUFFERS);
  if (serves) {
    (void)SSL_CTX_set_session_id_context(c, reinterpret_cast<const unsigned char*>("bench"), 5);
    (void)SSL_CTX_set_session_cache_mode(c, SSL_SESS_CACHE_OFF);
  } else {
    (void)SSL_CTX_set_session_cache_mode(c, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_sess_set_new_cb(c, [](SSL*, SSL_SESSION* s) {
      SSL_SESSION_free(g_session);
      g_session = s;
      return 1;
    });
  }
  return c;
}

SSL* over(SSL_CTX* c, int fd) {
  const int on = 1;
  (void)::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  SSL* const ssl = SSL_new(c);
  SSL_set_fd(ssl, fd);
  return ssl;
}

bool read_whole(SSL* ssl, unsigned char* to, std::size_t n) {
  for (std::size_t at = 0, some = 0; at < n; at += some)
    if (SSL_read_ex(ssl, to + at, n - at, &some) != 1) return false;
  return true;
}

int serve(SSL_CTX* c) {
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  auto* const address = reinterpret_cast<sockaddr*>(&at);
  if (::bind(listener, address, size) != 0 || ::listen(listener, 128) != 0 ||
      ::getsockname(listener, address, &size) != 0)
    fail("listening");
  std::printf("%d\n", ntohs(at.sin_port));
  std::fflush(stdout);
  std::vector<SSL*> kept;
  for (;;) {
    const int fd = ::accept(listener, nullptr, nullptr);
    if (fd < 0) fail("accept");
    SSL* const ssl = over(c, fd);
    unsigned char bytes[64], answer[kAnswer] = {'G', 'I', 'O', 'P', 1, 2, 1, 4, 8};
    std::size_t n = 0;
    if (SSL_accept(ssl) != 1 || !read_whole(ssl, bytes, sizeof kRequest) ||
        SSL_write_ex(ssl, answer, sizeof answer, &n) != 1) {
      SSL_free(ssl);
      ::close(fd);
      continue;
    }
    // A client that holds its connection says so by another key.
    if (bytes[24] == 'h') {
      kept.push_back(ssl);
      continue;
    }
    (void)read_whole(ssl, bytes, 1);
    (void)SSL_shutdown(ssl);
    SSL_free(ssl);
    ::close(fd);
  }
}

SSL* connect(SSL_CTX* c, int port, bool resumes, bool holds) {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(static_cast<std::uint16_t>(port));
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(fd, reinterpret_cast<sockaddr*>(&at), sizeof at) != 0) fail("connecting");
  SSL* const ssl = over(c, fd);
  if (resumes && g_session) SSL_set_session(ssl, g_session);
  unsigned char request[sizeof kRequest], answer[kAnswer];
  std::memcpy(request, kRequest, sizeof request);
  if (holds) request[24] = 'h';
  std::size_t n = 0;
  if (SSL_connect(ssl) != 1 || SSL_write_ex(ssl, request, sizeof request, &n) != 1 ||
      !read_whole(ssl, answer, sizeof answer))
    fail("a connection");
  return ssl;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 4 ? argv[1] : "";
  ::signal(SIGPIPE, SIG_IGN);
  if (what == "serve" && argc == 5) return serve(context_of(argv + 2, true));
  if (argc != 7) fail("the command line");
  SSL_CTX* const c = context_of(argv + 2, false);
  const int port = std::atoi(argv[5]);
  const long count = std::atol(argv[6]);
  if (what == "hold") {
    for (long i = 0; i < count; ++i) (void)connect(c, port, false, true);
    std::puts("held");
    std::fflush(stdout);
    char byte;
    while (::read(0, &byte, 1) > 0) {}
    std::_Exit(0);
  }
  const bool resumes = what == "resumed";
  long resumed = 0;
  std::chrono::steady_clock::time_point began;
  for (long i = -20; i < count; ++i) {
    if (i == 0) began = std::chrono::steady_clock::now();
    SSL* const ssl = connect(c, port, resumes, false);
    resumed += i >= 0 && SSL_session_reused(ssl);
    (void)SSL_shutdown(ssl);
    const int fd = SSL_get_fd(ssl);
    SSL_free(ssl);
    ::close(fd);
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  if (resumed != (resumes ? count : 0)) fail("resuming, or not doing so,");
  std::printf("%.0f\n", static_cast<double>(count) / took.count());
}
