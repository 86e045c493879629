// SPDX-License-Identifier: Apache-2.0
// Connecting and listening: TCP below, TLS above.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/transport/tls/stream.h>
#include <callis/transport/tls/tls.h>

namespace callis::transport {

namespace {

class TlsListener final : public TcpListener {
 public:
  TlsListener(std::shared_ptr<TlsContext> context, std::unique_ptr<TcpListener> sockets)
      : context_(std::move(context)),
        sockets_(std::move(sockets)),
        handshakes_(std::make_shared<tls::Handshakes>(context_->terms().handshake_timeout,
                                                      context_->terms().max_handshakes)) {}
  ~TlsListener() override { handshakes_->stop(); }
  int start() { return handshakes_->start(); }

  Result<std::unique_ptr<Stream>> accept() override {
    auto stream = sockets_->accept();
    if (!stream) return stream;
    auto made = std::make_unique<tls::TlsStream>(context_->current(), context_->terms(), std::move(stream).value(),
                                                 true, std::string(), std::string());
    made->bound_by(handshakes_);
    return Result<std::unique_ptr<Stream>>(std::move(made));
  }
  void set_farewell(ByteView) override {}
  void close() noexcept override { sockets_->close(); }

  const std::string& host() const override { return sockets_->host(); }
  std::uint16_t port() const override { return sockets_->port(); }
  bool wildcard() const override { return sockets_->wildcard(); }

 private:
  const std::shared_ptr<TlsContext> context_;
  const std::unique_ptr<TcpListener> sockets_;
  const std::shared_ptr<tls::Handshakes> handshakes_;
};

}  // namespace

Result<std::unique_ptr<Stream>> start_tls(TlsContext& context, std::unique_ptr<Stream> over,
                                          const std::string& expected, Deadline deadline) {
  const TlsTerms& terms = context.terms();
  const std::string peer = over->peer();
  if (!terms.verifies())
    return Error{Fault::NotTrusted, 0,
                 concat({"TLS with ", peer, ": nothing is given to verify the server by; -ORBTlsCA names a file with "
                         "the certificates of authorities, and -ORBTlsPin keys of servers"})};
  const std::string& name = terms.expect.empty() ? expected : terms.expect;
  const TimePoint began = Clock::steady().now();
  auto made = std::make_unique<tls::TlsStream>(context.current(), terms, std::move(over), false, name,
                                               concat({name, "@", peer}));
  if (const Result<void> r = made->connect(deadline); !r) {
    const auto took = std::chrono::duration_cast<Duration>(Clock::steady().now() - began).count();
    return Error{r.fault(), r.error().os_error,
                 concat({"TLS with ", peer, name == expected ? "" : concat({" as ", name}), " failed after ",
                         Decimal(static_cast<std::uint64_t>(took)), " ms: ", r.error().detail})};
  }
  return Result<std::unique_ptr<Stream>>(std::move(made));
}

std::unique_ptr<Stream> accept_tls(TlsContext& context, std::unique_ptr<Stream> over) {
  return std::make_unique<tls::TlsStream>(context.current(), context.terms(), std::move(over), true, std::string(),
                                          std::string());
}

Result<std::unique_ptr<Stream>> connect_tls(TlsContext& context, const std::string& host, std::uint16_t port,
                                            Deadline deadline) {
  auto stream = connect_tcp(host, port, deadline);
  if (!stream) return stream;
  const std::string name = host.substr(0, host.find('%'));  // an IPv6 address without its zone
  return start_tls(context, std::move(stream).value(), name, deadline);
}

Result<std::unique_ptr<TcpListener>> listen_tls(std::shared_ptr<TlsContext> context, const std::string& host,
                                                std::uint16_t port) {
  if (!context->terms().has_certificate())
    return Error{Fault::BadText, 0,
                 "an endpoint of TLS needs a certificate: -ORBTlsCertificate and -ORBTlsKey; `callis tls init` makes "
                 "some for tests and small sites"};
  auto sockets = listen_tcp(host, port);
  if (!sockets) return sockets.error();
  auto made = std::make_unique<TlsListener>(std::move(context), std::move(sockets).value());
  if (const int error = made->start())
    return Error{Fault::TransportFailed, error, "no thread to watch the handshakes of TLS"};
  return Result<std::unique_ptr<TcpListener>>(std::move(made));
}

std::string tls_words(const Stream& stream) {
  const auto* const own = dynamic_cast<const tls::TlsStream*>(&stream);
  return own ? own->words() : std::string();
}

}  // namespace callis::transport
