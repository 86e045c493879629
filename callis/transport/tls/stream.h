// SPDX-License-Identifier: Apache-2.0
// TlsStream: a TLS connection over another stream. Private to the transport tls.
//
//   receiving thread:  inner ── bytes ──→ whole records ──(BIO)──→ SSL_read ──→ the caller's memory
//   sending thread:    parts ──→ SSL_write ──(BIO)──→ inner; what the socket does not take at once waits in output_
//
// OpenSSL's object is for one thread at a time: mutex_ guards it, and nobody waits for a peer under mutex_. OpenSSL
// sees whole records only, so it never holds part of one, and pending() is exact.
#pragma once
#include <callis/base/buffer.h>
#include <callis/transport/stream.h>
#include <callis/transport/tls/handshakes.h>
#include <callis/transport/tls/material.h>
#include <mutex>

namespace callis::transport::tls {

class TlsStream final : public Stream {
 public:
  // entry: of a server's stream; may be nullptr. expected, session_key: of a client's.
  TlsStream(std::shared_ptr<Material> material, const TlsTerms& terms, std::unique_ptr<Stream> inner, bool is_server,
            std::string expected, std::string session_key);
  ~TlsStream() override;

  // Before others have the stream.
  void bound_by(std::shared_ptr<Handshakes> handshakes) {
    entry_ = std::make_unique<Handshakes::Entry>(std::move(handshakes), *inner_);
  }
  // A client's handshake.
  Result<void> connect(Deadline deadline);
  std::string words() const;

  Transfer send(std::span<const ByteView> parts, Deadline deadline) override;
  Transfer send_within(std::span<const ByteView> parts, Duration limit) override;
  Transfer send_now(std::span<const ByteView> parts) override;
  Transfer receive(MutableBytes into, Deadline deadline, TimePoint now) override;
  Transfer receive_within(MutableBytes into, Duration limit) override;
  Transfer receive_now(MutableBytes into) override;
  int descriptor() const override { return inner_->descriptor(); }
  bool pending() const override;
  void set_spin(std::chrono::microseconds longest) override { inner_->set_spin(longest); }
  bool quiet() override;
  void finish_sending() noexcept override;
  void stop_receiving() noexcept override { inner_->stop_receiving(); }
  void shutdown() noexcept override { inner_->shutdown(); }
  const std::string& peer() const override { return inner_->peer(); }
  const Peer& peer_identity() const override { return inner_->peer_identity(); }

  static constexpr std::size_t kScratch = 64u << 10;  // memory of a thread, into which bytes come

 private:
  friend struct StreamBio;

  // --- Receiving ---
  template <class Wait>
  Transfer receive_by(MutableBytes into, Wait&& wait);
  Transfer take(MutableBytes into);
  Transfer read_records(MutableBytes into, Failure& failure);
  bool feed(ByteView bytes);
  bool takes_tickets_only();
  bool keep_rest();
  void find_whole_records();
  void forget_input();
  MutableBytes scratch(std::size_t wanted);
  Transfer lost(const Transfer& t);

  // --- The handshake ---
  bool prepare_ssl(Failure& failure);
  bool begins_as_tls(Failure& failure) const;
  void established();
  bool hears_verdict(Deadline deadline, Failure& failure);
  Failure handshake_failure() const;
  Fault refused(const Failure& failure);

  // --- Sending. Called with the lock. ---
  template <class Flush>
  Transfer send_by(std::span<const ByteView> parts, Flush&& flush);
  template <class Flush>
  Transfer flush_by(std::unique_lock<std::mutex>& lock, Flush&& flush);
  int put(const char* bytes, int size);
  void flush_at_once() noexcept;

  const std::shared_ptr<Material> material_;
  const bool is_server_;
  const bool asks_client_, needs_client_;
  const Duration record_timeout_;
  const int process_;
  const std::unique_ptr<Stream> inner_;
  const std::string session_key_;
  std::unique_ptr<Handshakes::Entry> entry_;  // until the handshake is over

  mutable std::mutex mutex_;  // guards what follows, up to the receiver's part
  SslPtr ssl_;                // from the first bytes on
  Verification verification_;
  SessionKeeper keeper_;
  bool established_ = false;
  bool failed_ = false;
  bool said_end_ = false;    // the peer has said that it sends no more
  bool has_memory_ = false;  // on PeerMemory's account
  bool flushing_ = false;    // a thread sends output_ without the lock
  bool tail_follows_ = false;  // what is written now waits in output_ for the next record
  Transfer send_failed_;
  Buffer output_{Buffer::kForPeer};
  std::size_t ahead_ = 0;  // bytes that have been encrypted, and that no send has said to be sent

  // The receiving thread's.
  ByteView input_;              // not yet shown to OpenSSL: in kept_, or in the thread's scratch memory
  std::size_t whole_ = 0;       // bytes of whole records in front of input_
  Buffer kept_{Buffer::kForPeer};
  TimePoint part_since_{};      // when a record began that has not come whole
};

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

}  // namespace callis::transport::tls
