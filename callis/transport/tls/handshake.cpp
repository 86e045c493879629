// SPDX-License-Identifier: Apache-2.0
// A TLS stream from its beginning to its first record, and its end: what OpenSSL is given, what came that is no TLS,
// who is refused. stream.cpp has the records.
#include <callis/base/log.h>
#include <callis/base/peer_memory.h>
#include <callis/base/text.h>
#include <callis/transport/tls/registry.h>
#include <callis/transport/tls/stream.h>
#include <arpa/inet.h>
#include <openssl/bio.h>
#include <unistd.h>
#include <algorithm>
#include <cstring>

namespace callis::transport::tls {

namespace {

constexpr std::size_t kMemory = 40u << 10;  // what OpenSSL holds for a connection, about
constexpr Byte kHandshakeRecord = 22, kAlertRecord = 21;

bool is_numeric(const std::string& host) {
  in6_addr a;
  return ::inet_pton(AF_INET, host.c_str(), &a) == 1 || ::inet_pton(AF_INET6, host.c_str(), &a) == 1;
}

// How a peer begins that does not speak TLS.
std::string plain_words(ByteView first, bool is_server) {
  const std::string_view text(reinterpret_cast<const char*>(first.data()), first.size());
  if (text.starts_with("GIOP"))
    return is_server ? "a GIOP message came without TLS; this endpoint is for TLS alone, so the client needs TLS "
                       "(callis/tls.h, -ORBTlsCA) or another endpoint"
                     : "a GIOP message came in answer; this port is for clients without TLS";
  for (const std::string_view method : {"GET ", "POST", "HEAD", "PUT ", "HTTP", "OPTI", "CONN"})
    if (text.starts_with(method)) return "HTTP came, and no TLS; GIOP over TLS is spoken here";
  std::string hex;
  for (const Byte b : first.first(std::min<std::size_t>(first.size(), 8))) {
    constexpr char kDigits[] = "0123456789abcdef";
    hex += kDigits[b >> 4];
    hex += kDigits[b & 15];
  }
  return concat({"what came is no TLS; it begins with the bytes ", hex});
}

}  // namespace

// The BIO below OpenSSL: memory on the way in, the inner stream on the way out. It never waits.
struct StreamBio {
  static TlsStream& stream_of(BIO* bio) { return *static_cast<TlsStream*>(BIO_get_data(bio)); }
  static int write(BIO* bio, const char* bytes, int size) {
    BIO_clear_retry_flags(bio);
    return stream_of(bio).put(bytes, size);
  }
  static int read(BIO* bio, char* into, int size) {
    BIO_clear_retry_flags(bio);
    TlsStream& s = stream_of(bio);
    const std::size_t n = std::min(s.whole_, static_cast<std::size_t>(std::max(size, 0)));
    if (n == 0) {
      BIO_set_retry_read(bio);
      return -1;
    }
    std::memcpy(into, s.input_.data(), n);
    s.input_ = s.input_.subspan(n);
    s.whole_ -= n;
    return static_cast<int>(n);
  }
  static long control(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

  static const BIO_METHOD* method() {
    static BIO_METHOD* const made = [] {
      BIO_METHOD* const m = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "callis stream");
      if (m) {
        BIO_meth_set_write(m, &write);
        BIO_meth_set_read(m, &read);
        BIO_meth_set_ctrl(m, &control);
      }
      return m;
    }();
    return made;
  }
};

TlsStream::TlsStream(std::shared_ptr<Material> material, const TlsTerms& terms, std::unique_ptr<Stream> inner,
                     bool is_server, std::string expected, std::string session_key)
    : material_(std::move(material)),
      is_server_(is_server),
      asks_client_(terms.asked_of_clients() != TlsTerms::Clients::None),
      needs_client_(terms.asked_of_clients() == TlsTerms::Clients::Required),
      record_timeout_(terms.handshake_timeout),
      process_(::getpid()),
      inner_(std::move(inner)),
      session_key_(std::move(session_key)) {
  verification_.expected = std::move(expected);
  verification_.of_server = !is_server;
}

TlsStream::~TlsStream() {
  entry_.reset();
  forget_peer(peer_identity().stream);
  if (ssl_) {
    attach(ssl_.get(), nullptr, nullptr);
    if (established_ && !failed_ && process_ == ::getpid()) {  // the connection is not a child's of fork()
      ERR_clear_error();
      (void)SSL_shutdown(ssl_.get());  // goes at once or not at all
    }
  }
  ssl_.reset();
  ERR_clear_error();
  if (has_memory_) PeerMemory::give(kMemory);
}

// --- The handshake ---

bool TlsStream::begins_as_tls(Failure& failure) const {
  const bool good = input_[0] == kHandshakeRecord || (!is_server_ && input_[0] == kAlertRecord);
  if (good && (input_.size() < 2 || input_[1] == 3)) return true;
  failure.words = plain_words(input_, is_server_);
  return false;
}

// Called with the lock, when there are bytes or a client begins.
bool TlsStream::prepare_ssl(Failure& failure) {
  if (!PeerMemory::take(kMemory, kMemory)) {
    failure.words = "no memory is left for another handshake (-ORBMaxMemoryBytes)";
    return false;
  }
  has_memory_ = true;
  ssl_.reset(SSL_new(material_->context.get()));
  BIO* const bio = ssl_ && StreamBio::method() ? BIO_new(StreamBio::method()) : nullptr;
  if (!bio) {
    failure.words = concat({"OpenSSL cannot begin: ", last_reason()});
    return false;
  }
  BIO_set_data(bio, this);
  BIO_set_init(bio, 1);
  SSL_set_bio(ssl_.get(), bio, bio);
  keeper_ = {is_server_ ? nullptr : material_.get(), session_key_, false, false};
  attach(ssl_.get(), &verification_, &keeper_);
  if (is_server_) {
    SSL_set_verify(ssl_.get(), !asks_client_ ? SSL_VERIFY_NONE
                               : needs_client_ ? SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT
                                               : SSL_VERIFY_PEER,
                   nullptr);
    SSL_set_accept_state(ssl_.get());
    return true;
  }
  SSL_set_verify(ssl_.get(), SSL_VERIFY_PEER, nullptr);
  const std::string& name = verification_.expected;
  const bool numeric = is_numeric(name);
  X509_VERIFY_PARAM* const p = SSL_get0_param(ssl_.get());
  X509_VERIFY_PARAM_set_hostflags(p, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  const bool named = numeric ? X509_VERIFY_PARAM_set1_ip_asc(p, name.c_str()) == 1
                             : X509_VERIFY_PARAM_set1_host(p, name.data(), name.size()) == 1 &&
                                   SSL_set_tlsext_host_name(ssl_.get(), name.c_str()) == 1;
  if (name.empty() || !named) {
    failure.words = concat({"'", name, "' is neither a host's name nor an address"});
    return false;
  }
  if (const SessionPtr session = material_->take_session(session_key_))
    (void)SSL_set_session(ssl_.get(), session.get());
  SSL_set_connect_state(ssl_.get());
  return true;
}

// Called with the lock, once the handshake is complete.
void TlsStream::established() {
  established_ = true;
  const X509Ptr certificate(SSL_get1_peer_certificate(ssl_.get()));
  std::shared_ptr<const Certificate> read;
  if (certificate && SSL_get_verify_result(ssl_.get()) == X509_V_OK)
    read = std::make_shared<const Certificate>(read_certificate(certificate.get()));
  enter_peer(peer_identity().stream, std::move(read));
  entry_.reset();
}

// Called with the lock, when OpenSSL has failed.
Failure TlsStream::handshake_failure() const {
  if (!verification_.words.empty()) return {verification_.words, true};
  if (!send_failed_.ok()) return {"the peer ended the connection", false};
  return failure_words(ERR_peek_last_error(), is_server_);
}

// Called without the lock. Writes one line to the log.
Fault TlsStream::refused(const Failure& failure) {
  if (!entry_ || !entry_->ended())
    log(failure.denied ? LogLevel::Warning : LogLevel::Info, {"TLS: ", peer(), ": ", failure.words});
  return failure.denied ? Fault::NotTrusted : Fault::ConnectionLost;
}

Result<void> TlsStream::connect(Deadline deadline) {
  Failure failure;
  Transfer t;
  for (bool begun = false, heard = false;;) {
    {
      std::unique_lock lock(mutex_);
      if (!begun && !prepare_ssl(failure)) break;
      begun = true;
      if (!heard && !input_.empty() && !begins_as_tls(failure)) break;
      heard |= !input_.empty();
      ERR_clear_error();
      const int done = SSL_do_handshake(ssl_.get());
      if (!keep_rest()) t.fault = Fault::OutOfMemory;
      if (done == 1) {
        established();
        flush_at_once();
        break;
      }
      if (t.ok() && SSL_get_error(ssl_.get(), done) != SSL_ERROR_WANT_READ) {
        failure = handshake_failure();
        ERR_clear_error();
        break;
      }
      t = flush_by(lock, [&](ByteView bytes) { return inner_->send({&bytes, 1}, deadline); });
    }
    const MutableBytes room = scratch(kScratch);
    if (t.ok()) t = inner_->receive(room, deadline, Clock::steady().now());
    if (t.ok() && feed(room.first(t.bytes))) continue;
    if (t.fault == Fault::DeadlinePassed)
      return Error{Fault::ConnectTimeout, 0, "the server did not complete the handshake in time; is it busy, or no "
                                             "server of TLS?"};
    failure.words = "the server closed the connection during the handshake; it may be no server of TLS, or one that "
                    "has too many connections";
    break;
  }
  if (established_ && hears_verdict(deadline, failure)) return {};
  const std::lock_guard lock(mutex_);
  failed_ = true;
  return Error{failure.denied ? Fault::NotTrusted : Fault::ConnectionLost, t.os_error, failure.words};
}

// A server of TLS 1.3 looks at the client's certificate when the client's handshake is over. After a server has asked
// for a certificate, its first words are waited for: tickets, or an alert. Servers without tickets say nothing: then
// the first call tells.
bool TlsStream::hears_verdict(Deadline deadline, Failure& failure) {
  constexpr Duration kPatience{250};
  if (SSL_version(ssl_.get()) < TLS1_3_VERSION || !keeper_.asked || SSL_session_reused(ssl_.get())) return true;
  const Deadline patience = Deadline::in(kPatience);
  if (patience.time() < deadline.time()) deadline = patience;
  while (!keeper_.came) {
    if (whole_ != 0) {
      if (takes_tickets_only()) continue;
      if (SSL_pending(ssl_.get()) != 0) return true;
      failure = failure_words(ERR_peek_last_error(), false);
      ERR_clear_error();
      return false;
    }
    const MutableBytes room = scratch(kScratch);
    const Transfer t = inner_->receive(room, deadline, Clock::steady().now());
    if (t.fault == Fault::DeadlinePassed) return true;
    if (t.ok() && feed(room.first(t.bytes)) && keep_rest()) continue;
    failure = {"the server closed the connection when it had seen the client's certificate, or that there is none; "
               "its log says why",
               true};
    return false;
  }
  return true;
}

std::string TlsStream::words() const {
  const std::lock_guard lock(mutex_);
  if (!established_) return {};
  return concat({SSL_get_version(ssl_.get()), ", ", SSL_get_cipher_name(ssl_.get()),
                 SSL_session_reused(ssl_.get()) ? ", resumed" : ""});
}

}  // namespace callis::transport::tls
