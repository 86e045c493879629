// SPDX-License-Identifier: Apache-2.0
// Bytes before and inside a handshake of TLS, into a server's stream that is read as the pool reads it. Byte 0 says
// how: even: the rest comes in pieces, each behind a byte of its length. Odd: a good client's bytes come, but for
// those that each three bytes of the rest change: a place, of two bytes, and what is added there.
#include <callis/base/log.h>
#include <callis/transport/tls/issue.h>
#include <callis/transport/tls/tls.h>
#include <unistd.h>
#include <cstdio>
#include <cstring>
#include <deque>
#include <functional>
#include <vector>
#include "target.h"

using namespace callis;
using namespace callis::transport;

namespace {

// One end of a connection in memory. Its reader never waits: `pump` lets the other side work instead.
class End final : public Stream {
 public:
  explicit End(std::deque<Byte>& in, std::deque<Byte>& out) : in_(in), out_(out) {}
  std::function<void()> pump;
  std::function<Byte(std::size_t place, Byte)> change;

  Transfer send(std::span<const ByteView> parts, Deadline) override {
    Transfer t;
    for (const ByteView p : parts)
      for (const Byte b : p) {
        out_.push_back(change ? change(sent_, b) : b);
        ++sent_;
        ++t.bytes;
      }
    return t;
  }
  Transfer receive(MutableBytes into, Deadline, TimePoint) override {
    if (in_.empty() && pump) pump();
    if (in_.empty()) return {0, ended ? Fault::ConnectionLost : Fault::DeadlinePassed};
    std::size_t n = 0;
    for (; n < into.size() && !in_.empty(); ++n) {
      into[n] = in_.front();
      in_.pop_front();
    }
    return n;
  }
  bool quiet() override { return in_.empty() && !ended; }
  void finish_sending() noexcept override {}
  void stop_receiving() noexcept override {}
  void shutdown() noexcept override { ended = true; }
  const std::string& peer() const override { return peer_; }
  const Peer& peer_identity() const override { return identity_; }

  bool ended = false;

 private:
  std::deque<Byte>& in_;
  std::deque<Byte>& out_;
  std::size_t sent_ = 0;
  const std::string peer_ = "fuzz";
  const Peer identity_ = Peer::at("192.0.2.1");
};

std::string written(const std::string& text) {
  char name[] = "/tmp/callis_fuzz_XXXXXX";
  const int fd = ::mkstemp(name);
  if (::write(fd, text.data(), text.size()) != static_cast<ssize_t>(text.size())) std::abort();
  ::close(fd);
  return name;
}

TlsContext& context() {
  static const std::shared_ptr<TlsContext> made = [] {
    set_log_level(LogLevel::Off);
    const Authority authority = Authority::make("fuzz", 1).value();
    const IssuedCertificate own = authority.issue({"fuzz", {"ip:192.0.2.1"}, true, true, 1}).value();
    TlsTerms terms;
    terms.authorities = written(authority.own().certificate);
    terms.certificate = written(own.certificate);
    terms.key = written(own.key);
    auto out = TlsContext::make(terms);
    if (!out) std::abort();
    for (const auto* const file : {&terms.authorities, &terms.certificate, &terms.key}) ::unlink(file->c_str());
    return out.value();
  }();
  return *made;
}

// Reads as the pool does after an event. False: the connection is over.
bool read(Stream& server) {
  Byte into[512];
  do {
    const Transfer t = server.receive_now(into);
    if (!t.ok()) return t.fault == Fault::DeadlinePassed;
    const ByteView echo(into, t.bytes);
    (void)server.send_now({&echo, 1});
  } while (server.pending());
  (void)server.quiet();
  return true;
}

void pieces(ByteView in) {
  std::deque<Byte> to_server, to_client;
  auto server = accept_tls(context(), std::make_unique<End>(to_server, to_client));
  while (in.size() > 1) {
    const std::size_t n = std::min<std::size_t>(in[0] + std::size_t{1}, in.size() - 1);
    to_server.insert(to_server.end(), in.begin() + 1, in.begin() + 1 + static_cast<std::ptrdiff_t>(n));
    in = in.subspan(1 + n);
    if (!read(*server)) return;
  }
  server->finish_sending();
}

void changed(ByteView in) {
  std::deque<Byte> to_server, to_client;
  auto server = accept_tls(context(), std::make_unique<End>(to_server, to_client));
  auto end = std::make_unique<End>(to_client, to_server);
  End& client_end = *end;
  bool open = true;
  const auto serve = [&] { open = open && read(*server); };
  client_end.pump = [&] {
    serve();
    client_end.ended |= !open;
  };
  client_end.change = [&](std::size_t place, Byte b) {
    for (std::size_t i = 0; i + 2 < in.size(); i += 3)
      if ((std::size_t{in[i]} << 8 | in[i + 1]) == place) b = static_cast<Byte>(b + in[i + 2]);
    return b;
  };
  auto client = start_tls(context(), std::move(end), "192.0.2.1", Deadline());
  if (!client) return;
  const Byte text[] = {'h', 'e', 'l', 'l', 'o'};
  const bool untouched = in.size() < 3;
  if (client.value()->send(ByteView(text), Deadline()).bytes != sizeof text && untouched) std::abort();
  serve();
  Byte back[sizeof text];
  const Transfer t = client.value()->receive_now(back);
  if (untouched && (t.bytes != sizeof text || std::memcmp(back, text, sizeof text) != 0)) std::abort();
  client.value()->finish_sending();
  serve();
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  std::vector<std::vector<Byte>> seeds{
      {0, 10, 0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0}, {0, 3, 'G', 'I', 'O', 'P'}, {1}, {1, 2, 10, 7, 3, 0, 1}};
  for (const Byte place : {0, 3, 5, 9, 11, 60, 120, 200}) seeds.push_back({1, 0, place, 1});
  callis::fuzz::write_seeds(*argc, *argv, seeds.size(), [&](std::size_t i) { return seeds[i]; });
  return 0;
}

void callis::fuzz::try_one(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return;
  const ByteView rest(data + 1, size - 1);
  if (data[0] % 2 == 0) pieces(rest);
  else changed(rest);
}
