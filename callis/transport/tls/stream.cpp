// SPDX-License-Identifier: Apache-2.0
// TLS over another stream: handshakes, records in and out, ends.
#include <callis/base/blocking_scope.h>
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

constexpr std::size_t kHeader = 5;                             // of a record
constexpr std::size_t kLongestRecord = kHeader + (18u << 10);  // 2^14 and what any version adds
constexpr std::size_t kPlain = 16u << 10;                      // of one record
constexpr std::size_t kScratch = 64u << 10, kLeastReceive = 4u << 10;
constexpr std::size_t kMemory = 40u << 10;  // what OpenSSL holds for a connection, about
constexpr Byte kHandshakeRecord = 22, kAlertRecord = 21;

// The memory that a thread reads into, and puts short parts together in.
struct Scratch {
  std::unique_ptr<Byte[]> input{new Byte[kScratch]};
  std::unique_ptr<Byte[]> parts{new Byte[kPlain]};
};
Scratch& own_scratch() {
  static thread_local Scratch scratch;
  return scratch;
}

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

// --- Receiving ---

MutableBytes TlsStream::scratch(std::size_t wanted) {
  return {own_scratch().input.get(), std::clamp(wanted, kLeastReceive, kScratch)};
}

// Whole records in front of input_, one of which may be longer than any record: OpenSSL refuses it.
void TlsStream::find_whole_records() {
  std::size_t at = whole_;
  while (input_.size() - at >= kHeader) {
    const std::size_t length = kHeader + (std::size_t{input_[at + 3]} << 8 | input_[at + 4]);
    if (length > kLongestRecord) at = input_.size();
    else if (length > input_.size() - at) break;
    else at += length;
  }
  whole_ = at;
}

// Takes bytes that have come into the thread's scratch memory.
bool TlsStream::feed(ByteView bytes) {
  if (entry_) entry_->received(bytes.size());
  if (input_.empty()) {
    input_ = bytes;
    whole_ = 0;
  } else {  // input_ is in kept_
    if (!kept_.append(bytes)) return false;
    input_ = kept_.view(kept_.size() - input_.size() - bytes.size());
  }
  find_whole_records();
  return true;
}

// Moves bytes that OpenSSL has not read from the thread's scratch memory into the stream's.
bool TlsStream::keep_rest() {
  const Byte* const end = kept_.data() + kept_.size();
  const bool in_kept = !kept_.empty() && input_.data() >= kept_.data() && input_.data() <= end;
  if (input_.empty()) {
    kept_.clear();
    kept_.shrink(0);
    input_ = {};
    part_since_ = {};
    return true;
  }
  if (in_kept) {
    kept_.drop_front(static_cast<std::size_t>(input_.data() - kept_.data()));
  } else {
    kept_.clear();
    if (!kept_.append(input_)) return false;
  }
  input_ = kept_.view();
  if (whole_ != 0) part_since_ = {};
  else if (part_since_ == TimePoint{}) part_since_ = Clock::steady().now();
  return true;
}

void TlsStream::forget_input() {
  input_ = {};
  whole_ = 0;
  kept_.clear();
}

// Called with the lock. No bytes and no fault: more must come.
Transfer TlsStream::read_records(MutableBytes into, Failure& failure) {
  Transfer done;
  if (failed_ || said_end_) return {0, Fault::ConnectionLost};
  if (!ssl_) {
    if (input_.empty()) return done;
    if (!begins_as_tls(failure) || !prepare_ssl(failure)) return {0, Fault::ConnectionLost};
  }
  while (done.bytes < into.size()) {
    std::size_t n = 0;
    ERR_clear_error();
    const int read = SSL_read_ex(ssl_.get(), into.data() + done.bytes, into.size() - done.bytes, &n);
    if (!established_ && SSL_is_init_finished(ssl_.get())) established();
    if (read == 1) {
      done.bytes += n;
      continue;
    }
    const int error = SSL_get_error(ssl_.get(), read);
    if (error == SSL_ERROR_WANT_READ) break;
    if (done.bytes != 0) break;  // the next call finds the same
    if (error == SSL_ERROR_ZERO_RETURN) {
      said_end_ = true;
      return {0, Fault::ConnectionLost};
    }
    failure = handshake_failure();
    ERR_clear_error();
    return {0, failure.denied ? Fault::NotTrusted : Fault::ConnectionLost};
  }
  return done;
}

Transfer TlsStream::take(MutableBytes into) {
  Failure failure;
  Transfer t;
  bool over = false;
  std::string done;
  {
    const std::lock_guard lock(mutex_);
    const bool before = established_;
    t = read_records(into, failure);
    if (!flushing_) flush_at_once();
    // A server's flight fits into a new socket's memory. A client that does not take it in is not waited for.
    if (t.ok() && t.bytes == 0 && !established_ && !output_.empty()) {
      failure.words = "the client takes in nothing of the handshake";
      t.fault = Fault::ConnectionLost;
    }
    if (!t.ok() && !said_end_) over = std::exchange(failed_, true);
    else if (!before && established_ && logging(LogLevel::Debug))
      done = concat({SSL_get_version(ssl_.get()), ", ", SSL_get_cipher_name(ssl_.get())});
  }
  if (!done.empty()) log(LogLevel::Debug, {"TLS: ", peer(), ": ", done});
  if (!t.ok()) {
    forget_input();
    if (!over && !failure.words.empty()) t.fault = refused(failure);
    entry_.reset();
    return t;
  }
  if (!keep_rest()) return {0, Fault::OutOfMemory};
  return t;
}

// The inner stream has ended.
Transfer TlsStream::lost(const Transfer& t) {
  if (t.fault == Fault::DeadlinePassed) return t;
  if (entry_ && (kept_.size() != 0 || ssl_)) {
    (void)refused({"the client closed the connection during the handshake", false});
    entry_.reset();
  }
  return t;
}

template <class Wait>
Transfer TlsStream::receive_by(MutableBytes into, Wait&& wait) {
  for (bool first = true;; first = false) {
    const bool more = first && whole_ == 0 && input_.empty() && ssl_ && SSL_pending(ssl_.get()) == 0;
    if (!more) {
      const Transfer t = take(into);
      if (t.bytes != 0 || !t.ok()) return t;
    }
    if (!entry_ && part_since_ != TimePoint{} && Clock::steady().now() - part_since_ > record_timeout_) {
      log(LogLevel::Info, {"TLS: ", peer(), ": a record did not come whole in time"});
      return {0, Fault::ConnectionLost};
    }
    const MutableBytes room = scratch(into.size() + into.size() / 32 + 512);
    const Transfer t = wait(room, first);
    if (!t.ok()) return lost(t);
    if (!feed(room.first(t.bytes))) return {0, Fault::OutOfMemory};
  }
}

Transfer TlsStream::receive(MutableBytes into, Deadline deadline, TimePoint now) {
  return receive_by(into, [&](MutableBytes room, bool first) {
    return inner_->receive(room, deadline, first ? now : Clock::steady().now());
  });
}

// Bytes that make nothing whole do not put the end off: from the second wait on there is a deadline.
Transfer TlsStream::receive_within(MutableBytes into, Duration limit) {
  Deadline by;
  return receive_by(into, [&](MutableBytes room, bool first) {
    if (first) return inner_->receive_within(room, limit);
    if (by.is_never()) by = Deadline::in(limit);
    return inner_->receive(room, by, Clock::steady().now());
  });
}

Transfer TlsStream::receive_now(MutableBytes into) {
  return receive_by(into, [&](MutableBytes room, bool) { return inner_->receive_now(room); });
}

bool TlsStream::pending() const {
  if (whole_ != 0) return true;
  const std::lock_guard lock(mutex_);
  return ssl_ && SSL_pending(ssl_.get()) != 0;
}

// Tickets of sessions come when nobody asks for them: they leave a stream quiet.
bool TlsStream::quiet() {
  for (;;) {
    if (pending()) {
      if (!takes_tickets_only()) return false;
      continue;
    }
    if (!input_.empty()) return false;
    if (inner_->quiet()) return true;
    const MutableBytes room = scratch(kLeastReceive);
    const Transfer t = inner_->receive_now(room);
    if (!t.ok()) return t.fault == Fault::DeadlinePassed;
    if (!feed(room.first(t.bytes)) || !keep_rest()) return false;
  }
}

// Shows OpenSSL what has come. False: it is more than tickets, or the stream is over.
bool TlsStream::takes_tickets_only() {
  bool only;
  {
    const std::lock_guard lock(mutex_);
    if (!established_ || failed_) return false;
    Byte b;
    std::size_t n = 0;
    ERR_clear_error();
    const int seen = SSL_peek_ex(ssl_.get(), &b, 1, &n);
    only = seen != 1 && SSL_get_error(ssl_.get(), seen) == SSL_ERROR_WANT_READ;
    if (!flushing_) flush_at_once();
  }
  return keep_rest() && only;
}

// --- Sending ---

// Called by OpenSSL, with the lock.
int TlsStream::put(const char* bytes, int size) {
  ByteView rest(reinterpret_cast<const Byte*>(bytes), static_cast<std::size_t>(std::max(size, 0)));
  if (!send_failed_.ok()) return -1;
  if (!flushing_ && output_.empty()) {
    const Transfer t = inner_->send_now({&rest, 1});
    rest = rest.subspan(t.bytes);
    if (!t.ok() && t.fault != Fault::DeadlinePassed) {
      send_failed_ = t;
      return -1;
    }
  }
  if (!rest.empty() && !output_.append(rest)) {
    send_failed_ = {0, Fault::OutOfMemory};
    return -1;
  }
  return size;
}

// Called with the lock.
void TlsStream::flush_at_once() noexcept {
  if (output_.empty() || !send_failed_.ok()) return;
  const ByteView all = output_.view();
  const Transfer t = inner_->send_now({&all, 1});
  output_.drop_front(t.bytes);
  if (!t.ok() && t.fault != Fault::DeadlinePassed) send_failed_ = t;
}

// Sends output_, without the lock meanwhile.
template <class Flush>
Transfer TlsStream::flush_by(std::unique_lock<std::mutex>& lock, Flush&& flush) {
  Transfer t;
  while (!output_.empty() && t.ok()) {
    Buffer flight = std::move(output_);
    flushing_ = true;
    lock.unlock();
    t = flush(flight.view());
    lock.lock();
    flushing_ = false;
    flight.drop_front(t.bytes);
    if (!flight.empty() && !flight.append(output_.view())) t.fault = Fault::OutOfMemory;
    if (!flight.empty()) output_ = std::move(flight);
    t.waited = true;
  }
  if (output_.empty()) output_.shrink(0);
  if (!t.ok() && t.fault != Fault::DeadlinePassed) send_failed_ = t;
  return t;
}

template <class Flush>
Transfer TlsStream::send_by(std::span<const ByteView> parts, Flush&& flush) {
  Transfer done;
  std::unique_lock lock(mutex_);
  if (!established_ || failed_ || !send_failed_.ok())
    return {0, send_failed_.ok() ? Fault::ConnectionLost : send_failed_.fault, send_failed_.os_error};
  const auto fail = [&](const Transfer& t) {
    done.fault = t.fault;
    done.os_error = t.os_error;
    done.waited |= t.waited;
    return done;
  };
  if (!output_.empty())
    if (const Transfer t = flush_by(lock, flush); !t.ok()) return fail(t);
  std::size_t skip = std::exchange(ahead_, 0);  // sent by an earlier call that could not say so
  std::size_t at = 0;                           // in parts[0]
  while (!parts.empty()) {
    const std::size_t over = std::min(skip, parts[0].size() - at);
    skip -= over;
    at += over;
    done.bytes += over;
    if (at == parts[0].size()) {
      parts = parts.subspan(1);
      at = 0;
      continue;
    }
    ByteView chunk = parts[0].subspan(at);
    if (chunk.size() >= kPlain || parts.size() == 1) {
      chunk = chunk.first(std::min(chunk.size(), kPlain));
      at += chunk.size();
    } else {  // short parts go in one record
      Byte* const room = own_scratch().parts.get();
      std::size_t n = 0;
      while (!parts.empty() && n < kPlain) {
        const std::size_t some = std::min(parts[0].size() - at, kPlain - n);
        if (some != 0) std::memcpy(room + n, parts[0].data() + at, some);
        n += some;
        at += some;
        if (at != parts[0].size()) break;
        parts = parts.subspan(1);
        at = 0;
      }
      chunk = {room, n};
    }
    std::size_t written = 0;
    ERR_clear_error();
    if (SSL_write_ex(ssl_.get(), chunk.data(), chunk.size(), &written) != 1) {
      ERR_clear_error();
      failed_ = true;
      return fail(send_failed_.ok() ? Transfer{0, Fault::ConnectionLost} : send_failed_);
    }
    if (!output_.empty()) {
      ahead_ = written;
      const Transfer t = flush_by(lock, flush);
      if (!t.ok()) return fail(t);
      ahead_ = 0;
      done.waited |= t.waited;
    }
    done.bytes += written;
  }
  return done;
}

Transfer TlsStream::send(std::span<const ByteView> parts, Deadline deadline) {
  return send_by(parts, [&](ByteView bytes) {
    const BlockingScope blocked;
    return inner_->send({&bytes, 1}, deadline);
  });
}

Transfer TlsStream::send_within(std::span<const ByteView> parts, Duration limit) {
  return send_by(parts, [&](ByteView bytes) {
    const BlockingScope blocked;
    return inner_->send_within({&bytes, 1}, limit);
  });
}

Transfer TlsStream::send_now(std::span<const ByteView> parts) {
  return send_by(parts, [&](ByteView bytes) { return inner_->send_now({&bytes, 1}); });
}

void TlsStream::finish_sending() noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (established_ && !failed_ && !flushing_ && (SSL_get_shutdown(ssl_.get()) & SSL_SENT_SHUTDOWN) == 0) {
      ERR_clear_error();
      (void)SSL_shutdown(ssl_.get());
      ERR_clear_error();
      flush_at_once();
    }
  }
  inner_->finish_sending();
}

}  // namespace callis::transport::tls
