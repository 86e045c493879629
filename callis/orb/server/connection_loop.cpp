// SPDX-License-Identifier: Apache-2.0
// A connection with a thread of its own, which waits for bytes and for the peer to take in replies.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/orb/context/orb_context.h>
#include <callis/orb/server/connection_driver.h>
#include <callis/orb/server/connection_loop.h>
#include <callis/orb/server/pool.h>
#include <callis/orb/server/running_upcall.h>
#include <callis/orb/server/server.h>
#include <callis/orb/server/session.h>
#include <callis/orb/server/stream_holder.h>

namespace callis::orb {
namespace {

constexpr std::size_t kFirstReceiveBytes = 8u << 10;
constexpr std::size_t kManyReceiveBytes = 64u << 10;  // where small messages come in crowds
constexpr std::size_t kKeepBytes = 96u << 10;   // of a buffer, while the connection is idle
constexpr Duration kBusy{1'000};                // so long after a message, large buffers are kept
constexpr Duration kFarewell{200};              // for a peer to read the last message
constexpr std::size_t kFarewellBytes = 1u << 20;

class ConnectionLoop final : public ConnectionDriver<ConnectionLoop>,
                             private RunningUpcall::Owner,
                             private WorkerGroup {
 public:
  // stream: the server's, which takes it to hand it over.
  ConnectionLoop(OrbContext& orb, std::unique_ptr<transport::Stream>& stream)
      : ConnectionDriver(orb, stream->peer(), &stream->peer_identity()),
        orb_(orb),
        owned_(stream),
        stream_(*stream),
        patience_(patience(orb.limits())),
        holder_(stream_) {
    session_.may_leave();
    MemoryHolder::ask_for(&holder_);
    UpcallWatch* const watch = orb.server().upcall_watch();
    if (!CALLIS_HAS(upcall_watch) || !watch) return;
    session_.upcall().show_to(*this, *watch);
    WorkerGroup::enlist(this);
  }
  ~ConnectionLoop() {
    WorkerGroup::enlist(nullptr);
    MemoryHolder::ask_for(nullptr);
  }

  void run() { drive(true); }
  // run() has thrown.
  void fail() {
    if (session_.upcall().is_watched()) (void)session_.upcall().ends();
    if (pooled_) pooled_->answer({});
  }
  // It ended because the pool is to have the connection.
  bool leaves() const { return leaves_; }
  HandedOver hand_over() {
    HandedOver l{std::move(session_.conversation()), Buffer(Buffer::kForPeer)};
    if (!l.rest.append(session_.left()) || !l.rest.append(in_.view(consumed_))) stream_.shutdown();
    return l;
  }

 private:
  friend class ConnectionDriver<ConnectionLoop>;

  // --- What the driver asks for ---

  bool must_close() const { return orb_.server().stopping(); }
  bool receive(bool idle) {
    if (consumed_ == in_.size() && idle ? wait_for_message() : read_rest()) [[likely]] return true;
    if (!leaves_ && orb_.server().stopping()) close_in_order();  // stop() made the receive fail
    return false;
  }
  bool send(std::span<const ByteView> messages) {
    if (out_.capacity() > kKeepBytes) [[unlikely]] return send_much(messages);
    return sent(stream_.send_within(messages, orb_.limits().send_timeout));
  }
  static bool go_on(const Session::StepResult&) { return true; }
  // The upcall that the connection was handed over in is over.
  [[gnu::cold]] void let_go(std::span<const ByteView> reply) {
    pooled_->answer(reply);
  }
  void leave() { leaves_ = true; }
  static void lost() {}

  // --- Upcalls that last ---

  [[gnu::cold]] bool hand_over(const Byte* behind) noexcept override {
    const ByteView rest{behind, static_cast<std::size_t>(in_.data() + in_.size() - behind)};
    pooled_ = orb::hand_over(orb_.server(), owned_, session_.conversation(), rest);
    return pooled_ != nullptr;
  }
  void leaves(Wait what) noexcept override {
    if (what != Wait::Turn) session_.upcall().waits();
  }
  void returns() noexcept override {}

  // Sends a large reply, and may wait for the peer. Meanwhile the account knows what closing the connection would
  // return.
  [[gnu::cold, gnu::noinline]] bool send_much(std::span<const ByteView> messages) {
    holder_.holds_output(in_.capacity() + out_.capacity() + session_.incomplete_bytes());
    const bool all = sent(stream_.send_within(messages, orb_.limits().send_timeout));
    holder_.holds_output(0);
    return all;
  }
  bool sent(const transport::Transfer& t) {
    out_.clear();
    if (t.ok()) [[likely]] return true;
    if (t.fault == Fault::DeadlinePassed) note("does not read its replies");
    return false;
  }

  // False when the connection is over, as for all that read.
  [[gnu::always_inline]] bool wait_for_message() {
    in_.clear();
    consumed_ = 0;
    began_ = {};
    if (in_.capacity() - kFirstReceiveBytes > kKeepBytes - kFirstReceiveBytes || out_.capacity() > kKeepBytes ||
        crowded_) [[unlikely]]
      return wait_with_other_buffers();
    const std::size_t room = next_receive();
    const auto t = stream_.receive_within({in_.data(), room}, patience_);
    received(t.bytes, room);
    if (t.fault == Fault::DeadlinePassed) [[unlikely]] return wait_longer();
    return t.ok();
  }

  // How long the thread waits for a message before wait_longer() looks whether the connection is idle for too long,
  // or is for the pool because threads are short.
  static Duration patience(const Limits& limits) {
    const Duration idle = limits.idle_timeout, thread = limits.thread_idle_timeout;
    return thread.count() > 0 && (idle.count() <= 0 || thread < idle) ? thread : idle;
  }

  // Patience is over.
  [[gnu::cold, gnu::noinline]] bool wait_longer() {
    const Duration idle = orb_.limits().idle_timeout;
    Duration waited = patience_;
    for (;;) {
      if (idle.count() > 0 && waited >= idle) {
        close_in_order();
        return false;
      }
      if (CALLIS_HAS(pool) && orb_.server().short_of_threads()) {
        leaves_ = true;
        return false;
      }
      const Duration now = idle.count() > 0 ? std::min(patience_, idle - waited) : patience_;
      const auto t = receive_first(Deadline::in(now));
      if (t.fault != Fault::DeadlinePassed) return t.ok();
      waited += now;
    }
  }

  // A message is likely to be as large as a large one before it.
  std::size_t next_receive() {
    if (large_ != 0 && !was_large_) [[unlikely]] large_ = 0;
    return large_ != 0 ? std::min(large_, in_.capacity()) : in_.capacity();
  }
  void received(std::size_t n, std::size_t room) {
    in_.set_size(n);
    if (large_ != 0) [[unlikely]] was_large_ = n == large_;
    else if (n == room) [[unlikely]] crowded_ = room < kManyReceiveBytes;
  }

  // Too small yet, or so large that they are kept only while the connection is busy.
  [[gnu::cold, gnu::noinline]] bool wait_with_other_buffers() {
    if (crowded_) (void)in_.reserve(std::min(2 * in_.capacity(), kManyReceiveBytes));
    crowded_ = false;
    if (in_.capacity() > kKeepBytes || out_.capacity() > kKeepBytes) {
      if (!PeerMemory::is_short()) {
        const auto t = receive_first(Deadline::in(kBusy));
        if (t.fault != Fault::DeadlinePassed) return t.ok();
      }
      in_.shrink(kKeepBytes);
      out_.shrink(kKeepBytes);
      large_ = 0;
    }
    const auto t = receive_first(Deadline::in(patience_));
    return t.fault == Fault::DeadlinePassed ? wait_longer() : t.ok();
  }
  transport::Transfer receive_first(Deadline deadline) {
    const std::size_t room = in_.capacity() == 0 ? SIZE_MAX : next_receive();
    const auto t = receive_into(deadline, Clock::steady().now(), room);
    received(t.bytes, room);
    return t;
  }

  [[gnu::noinline]] bool read_rest() {
    if (consumed_ != 0) began_ = {};  // what is there of a message now has begun behind the one before
    drop_consumed();
    const TimePoint now = Clock::steady().now();
    if (began_ == TimePoint{}) began_ = now;
    const std::size_t bytes = large_message();
    was_large_ = bytes != 0;
    if (was_large_) large_ = bytes;
    const Limits& limits = orb_.limits();
    const Deadline by = limits.message_timeout.count() > 0 ? Deadline::at(whole_by(limits, began_, now)) : Deadline();
    // Bytes that come do not put the deadline off. But an upcall may have taken the time: so the first look after the
    // deadline still receives what has come by then.
    const bool late = now >= by.time();
    transport::Transfer t;
    if (late && late_) t.fault = Fault::DeadlinePassed;
    else t = receive_into(by, now, was_large_ ? bytes : SIZE_MAX);
    late_ = late;
    if (t.fault == Fault::DeadlinePassed) note("message not complete in time");
    return t.ok();
  }

  // Until there are at most so many bytes.
  transport::Transfer receive_into(Deadline deadline, TimePoint now, std::size_t most = SIZE_MAX) {
    // Between messages the engine may still want what a message wanted that the session has taken without it.
    const std::size_t wanted =
        in_.empty() ? kFirstReceiveBytes : std::max(session_.wanted_bytes(), kFirstReceiveBytes);
    if (in_.capacity() < wanted && !in_.reserve(wanted)) return {0, Fault::OutOfMemory, 0};
    if (in_.capacity() > kManyReceiveBytes || session_.reassembling()) [[unlikely]]
      holder_.holds_input(in_.capacity() + session_.incomplete_bytes());
    const auto t =
        stream_.receive({in_.data() + in_.size(), std::min(in_.capacity(), most) - in_.size()}, deadline, now);
    holder_.holds_input(0);
    in_.set_size(in_.size() + t.bytes);
    return t;
  }

  [[gnu::cold, gnu::noinline]] void close_in_order() {
    const std::span<const ByteView> last = session_.close_in_order(out_);
    if (!last.empty()) (void)send(last);
    stream_.finish_sending();
  }

  // Closing with bytes unread would make the kernel send a reset, which may overtake what was sent last.
  [[gnu::cold, gnu::noinline]] void farewell() {
    stream_.finish_sending();
    const Deadline until = Deadline::in(kFarewell);
    Byte scratch[4096];
    // A receive counts as much as it could have brought: single bytes must not keep the thread.
    for (std::size_t n = 0; n < kFarewellBytes; n += sizeof scratch)
      if (!stream_.receive(scratch, until).ok()) return;
  }

  void note(const char* what) const {
    log(LogLevel::Info, {stream_.peer(), ": ", what});
  }

  OrbContext& orb_;
  std::unique_ptr<transport::Stream>& owned_;  // the server's mutex guards it
  ServerConnection* pooled_ = nullptr;  // the connection, once it has been handed over: the count of the upcall
  transport::Stream& stream_;
  const Duration patience_;
  bool leaves_ = false;
  TimePoint began_{};         // when the message at the front of in_ began; zero between messages
  bool late_ = false;         // its time, or that of an older one in pieces, was up when read_rest() looked last
  std::size_t large_ = 0;     // bytes of the last message read alone; 0 when others came since
  bool was_large_ = false;    // while large_ is not 0: what was read last was a message of that size, or its end
  bool crowded_ = false;      // a receive has filled the buffer with small messages
  StreamHolder holder_;
};

}  // namespace

void serve_stream(OrbContext& orb, std::unique_ptr<transport::Stream>& stream,
                  std::optional<HandedOver>& handed_over) {
  try {
    ConnectionLoop loop(orb, stream);
    try {
      loop.run();
    } catch (...) {
      loop.fail();
      throw;
    }
    if (loop.leaves()) handed_over.emplace(loop.hand_over());
  } catch (const std::exception& e) {  // memory is exhausted
    log(LogLevel::Error, std::string_view(e.what()));
  }
}

}  // namespace callis::orb
