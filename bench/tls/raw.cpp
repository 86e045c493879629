// SPDX-License-Identifier: Apache-2.0
// raw CA CERTIFICATE KEY TURNS REQUEST REPLY: OpenSSL alone, as its manual has it, between two processes over the
// loopback interface. Prints the nanoseconds of one turn of so many bytes there and back, on average.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

void fail(const char* what) {
  std::fprintf(stderr, "%s failed\n", what);
  std::_Exit(1);
}

SSL* connection(int fd, char** files, bool serves) {
  SSL_CTX* const context = SSL_CTX_new(TLS_method());
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  if (SSL_CTX_load_verify_file(context, files[0]) != 1 ||
      SSL_CTX_use_certificate_chain_file(context, files[1]) != 1 ||
      SSL_CTX_use_PrivateKey_file(context, files[2], SSL_FILETYPE_PEM) != 1)
    fail("reading files");
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  const int on = 1;
  (void)::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  SSL* const ssl = SSL_new(context);
  SSL_set_fd(ssl, fd);
  if ((serves ? SSL_accept(ssl) : SSL_connect(ssl)) != 1) fail("the handshake");
  return ssl;
}

void whole(SSL* ssl, std::vector<char>& bytes, bool sends) {
  for (std::size_t at = 0, n = 0; at < bytes.size(); at += n) {
    const int done = sends ? SSL_write_ex(ssl, bytes.data() + at, bytes.size() - at, &n)
                           : SSL_read_ex(ssl, bytes.data() + at, bytes.size() - at, &n);
    if (done != 1) std::_Exit(0);  // the other side has gone
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 7) fail("the command line");
  const long turns = std::atol(argv[4]);
  std::vector<char> request(static_cast<std::size_t>(std::atol(argv[5])), 'q');
  std::vector<char> reply(static_cast<std::size_t>(std::atol(argv[6])), 'r');
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  auto* const address = reinterpret_cast<sockaddr*>(&at);
  if (::bind(listener, address, size) != 0 || ::listen(listener, 1) != 0 ||
      ::getsockname(listener, address, &size) != 0)
    fail("listening");
  if (const pid_t server = ::fork(); server == 0) {
    SSL* const ssl = connection(::accept(listener, nullptr, nullptr), argv + 1, true);
    for (;;) {
      whole(ssl, request, false);
      whole(ssl, reply, true);
    }
  }
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  if (::connect(fd, address, size) != 0) fail("connecting");
  SSL* const ssl = connection(fd, argv + 1, false);
  std::chrono::steady_clock::time_point began;
  for (long i = -500; i < turns; ++i) {
    if (i == 0) began = std::chrono::steady_clock::now();
    whole(ssl, request, true);
    whole(ssl, reply, false);
  }
  const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - began;
  std::printf("%ld\n", static_cast<long>(took.count() / turns));
  ::close(fd);
  (void)::wait(nullptr);
}
