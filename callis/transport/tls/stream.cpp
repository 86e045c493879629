// SPDX-License-Identifier: Apache-2.0
// The records of a TLS stream, in and out. handshake.cpp has its beginning and its end.
#include <callis/base/blocking_scope.h>
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/transport/tls/stream.h>
#include <algorithm>
#include <cstring>

namespace callis::transport::tls {

namespace {

constexpr std::size_t kHeader = 5;                             // of a record
constexpr std::size_t kLongestRecord = kHeader + (18u << 10);  // 2^14 and what any version adds
constexpr std::size_t kPlain = 16u << 10;                      // of one record
constexpr std::size_t kTail = 4u << 10;                        // of a message, that waits for nothing
constexpr std::size_t kLeastReceive = 4u << 10;

// The memory that a thread reads into, and puts short parts together in.
struct Scratch {
  std::unique_ptr<Byte[]> input{new Byte[TlsStream::kScratch]};
  std::unique_ptr<Byte[]> parts{new Byte[kPlain]};
};
Scratch& own_scratch() {
  static thread_local Scratch scratch;
  return scratch;
}

}  // namespace

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
  if (!flushing_ && !tail_follows_ && output_.empty()) {
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
    // A short rest goes to the socket together with the record before it: that saves a system call, and waking the
    // peer for a part. Longer ones go at once: the peer decrypts them meanwhile.
    std::size_t rest = parts.empty() ? 0 : parts[0].size() - at;
    for (std::size_t i = 1; i < parts.size() && rest <= kTail; ++i) rest += parts[i].size();
    tail_follows_ = rest != 0 && rest <= kTail;
    std::size_t written = 0;
    ERR_clear_error();
    if (SSL_write_ex(ssl_.get(), chunk.data(), chunk.size(), &written) != 1) {
      ERR_clear_error();
      failed_ = true;
      tail_follows_ = false;
      return fail(send_failed_.ok() ? Transfer{0, Fault::ConnectionLost} : send_failed_);
    }
    ahead_ += written;
    if (tail_follows_) continue;
    if (!output_.empty()) {
      const Transfer t = flush_by(lock, flush);
      if (!t.ok()) return fail(t);
      done.waited |= t.waited;
    }
    done.bytes += std::exchange(ahead_, 0);
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
