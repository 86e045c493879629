// SPDX-License-Identifier: Apache-2.0
// One end of a flow: its sockets, and the thread that receives and does what is due.
#include <poll.h>
#include <services/streams/flows/flow.h>
#include <services/streams/flows/flow_failed.h>
#include <services/streams/flows/plain_protocol.h>
#include <services/streams/flows/rtp_protocol.h>
#include <services/streams/flows/sfp_protocol.h>
#include <sys/eventfd.h>
#include <algorithm>
#include <cerrno>

namespace callis::streams {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kAtOnceBytes = 256 << 10;  // of a connection
constexpr int kTurns = 64;                       // receives before timers and the end are looked at again

std::unique_ptr<FrameProtocol> make_protocol(const FlowSettings& settings) {
  const bool tcp = settings.carrier == Carrier::Tcp;
  // A carrier RTP/UDP is RTP, whether the protocol's field says so, too, or is empty.
  if (settings.protocol.kind == FlowProtocol::Kind::Rtp || settings.carrier == Carrier::RtpUdp) {
    if (tcp) throw FlowFailed("RTP goes over UDP, not over TCP");
    if (settings.protocol.kind == FlowProtocol::Kind::Sfp) throw FlowFailed("SFP goes over UDP or TCP, not over RTP");
    return std::make_unique<RtpProtocol>(settings.rtp, Clock::now());
  }
  if (settings.protocol.kind == FlowProtocol::Kind::None) return std::make_unique<PlainProtocol>();
  SfpSettings sfp;
  sfp.producer = settings.producer;
  sfp.connection = tcp;
  sfp.credit = settings.protocol.credit;
  sfp.most_frame_bytes = settings.most_frame_bytes;
  return std::make_unique<SfpProtocol>(sfp);
}

}  // namespace

// The carrier, as the protocol writes to it.
class Flow::Sockets final : public Line {
 public:
  explicit Sockets(const FlowSettings& settings) : settings_(settings) {}
  bool data(ByteView head, ByteView body) override {
    if (settings_.carrier == Carrier::Tcp) {
      return connected && connection.send(head, body, settings_.send_within);
    }
    if (!out || !consented.load(std::memory_order_relaxed)) return errno = ENOTCONN, false;
    return out->send(head, body);
  }
  bool control(ByteView datagram) override {
    return control_out && consented.load(std::memory_order_relaxed) && control_out->send({}, datagram);
  }
  // Of one peer, which is the only one that datagrams come from.
  bool has_peer() const { return in && in == out; }
  bool rtp() const {
    return settings_.carrier == Carrier::RtpUdp || settings_.protocol.kind == FlowProtocol::Kind::Rtp;
  }

  // Where the peer's data comes from; -1: from nowhere.
  int data_fd() const { return connected ? connection.fd() : in ? in->fd() : -1; }

  // UDP: bound, and in unicast both ways the same.
  std::optional<DatagramSocket> bound, control_bound;
  DatagramSocket *out = nullptr, *control_out = nullptr, *in = nullptr, *control_in = nullptr;
  std::atomic<bool> consented{true};  // the peer wants what is sent: false until it has answered
  std::optional<DatagramSocket> group_out, group_control_out;
  SocketAddress group_sender;  // of a group's member: whose RTCP speaks for the source
  // TCP.
  std::optional<TcpListener> listener;
  std::optional<TcpConnector> connector;
  SocketAddress awaited;
  TcpConnection connection;
  std::atomic<bool> connected{false};  // the connection is there: written by the flow's thread, or before it starts

 private:
  const FlowSettings& settings_;
};

// Lets frames through while the flow is started, and counts them.
class Flow::Gate final : public FrameReceiver {
 public:
  explicit Gate(Flow& flow) : flow_(flow) {}
  void receive(const Frame& frame) override {
    if (!flow_.started_.load(std::memory_order_relaxed)) {
      flow_.while_stopped_.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    flow_.frames_received_.fetch_add(1, std::memory_order_relaxed);
    flow_.bytes_received_.fetch_add(frame.data.size(), std::memory_order_relaxed);
    flow_.receiver_.receive(frame);
  }
  void ended(const char* why) override { flow_.receiver_.ended(why); }

 private:
  Flow& flow_;
};

Flow::Flow(const FlowSettings& settings, FrameReceiver& receiver)
    : settings_(settings),
      receiver_(receiver),
      protocol_(make_protocol(settings)),
      sockets_(std::make_unique<Sockets>(settings_)),
      gate_(std::make_unique<Gate>(*this)),
      woken_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!woken_) fail_with_errno("making an event for a flow", errno);
}

Flow::~Flow() { close(); }

FlowAddress Flow::listen(bool connects) {
  const SocketAddress at(settings_.host, 0);
  FlowAddress out;
  out.carrier = settings_.carrier;
  out.host = at.host();
  Sockets& s = *sockets_;
  if (settings_.carrier == Carrier::Tcp) {
    if (connects) {
      out.port = s.connector.emplace(at).local().port();
    } else {
      out.port = s.listener.emplace(at).local().port();
    }
    return out;
  }
  if (s.rtp()) {
    auto [data, control] = DatagramSocket::bound_pair(at);
    s.bound = std::move(data);
    s.control_bound = std::move(control);
  } else {
    s.bound = DatagramSocket::bound(at);
  }
  s.bound->set_buffers(settings_.buffer_bytes);
  out.port = s.bound->local().port();
  return out;
}

void Flow::connect(const FlowAddress& peer, bool on_consent) {
  Sockets& s = *sockets_;
  if (peer.carrier != settings_.carrier || peer.empty()) {
    throw FlowFailed("the peer's address " + peer.text() + " is none of " + to_text(settings_.carrier));
  }
  if (s.connector) {
    s.connection = s.connector->connect(peer.data(), settings_.connect_within);
    s.connected = true;
  } else if (s.listener) {
    s.awaited = peer.data();
  } else if (s.bound) {
    if (on_consent) consent_.emplace();
    s.consented = !on_consent;
    s.bound->connect(peer.data());
    s.out = s.in = &*s.bound;
    if (s.control_bound) {
      s.control_bound->connect(peer.control());
      s.control_out = s.control_in = &*s.control_bound;
    }
  } else {
    throw FlowFailed("a flow is connected before it has an address of its own");
  }
  open();
}

FlowAddress Flow::send_to_group(const FlowAddress& group) {
  Sockets& s = *sockets_;
  const SocketAddress own(settings_.host, 0);
  const SocketAddress through = own.wildcard() ? SocketAddress() : own;
  s.group_out = DatagramSocket::sending_to(group.data(), through, settings_.multicast_ttl);
  s.group_out->set_buffers(settings_.buffer_bytes);
  s.out = &*s.group_out;
  if (s.rtp()) {
    s.group_control_out = DatagramSocket::sending_to(group.control(), through, settings_.multicast_ttl);
    s.control_out = &*s.group_control_out;
    s.control_bound = DatagramSocket::joined(group.control(), through, {});
    s.control_in = &*s.control_bound;
  }
  FlowAddress out;
  out.carrier = settings_.carrier;
  out.host = own.host();
  out.port = s.group_out->local().port();
  open();
  return out;
}

void Flow::join(const FlowAddress& group, const std::string& sender) {
  Sockets& s = *sockets_;
  const SocketAddress own(settings_.host, 0);
  const SocketAddress through = own.wildcard() ? SocketAddress() : own;
  if (!sender.empty()) s.group_sender = SocketAddress(sender, 0);
  s.bound = DatagramSocket::joined(group.data(), through, s.group_sender);
  s.bound->set_buffers(settings_.buffer_bytes);
  s.in = &*s.bound;
  if (s.rtp()) {
    s.control_bound = DatagramSocket::joined(group.control(), through, {});
    s.control_in = &*s.control_bound;
    s.group_control_out = DatagramSocket::sending_to(group.control(), through, settings_.multicast_ttl);
    s.control_out = &*s.group_control_out;
  }
  open();
}

void Flow::open() {
  if (!consent_) {
    protocol_->open(Clock::now(), *sockets_);
    if (!sockets_->listener) connected_ = true;
  }
  const bool control = sockets_->control_in != nullptr;
  const auto start = [](Thread& thread, const char* name, auto job) {
    if (const int error = thread.start({name}, job)) fail_with_errno("starting a flow's thread", error);
  };
  if (control) start(control_thread_, "callis-rtcp", [this] { run_control(); });
  if (!control || sockets_->in) start(thread_, "callis-flow", [this] { run(); });
}

Sent Flow::send(const Frame& frame) {
  if (!started_.load(std::memory_order_relaxed)) {
    while_stopped_.fetch_add(1, std::memory_order_relaxed);
    return Sent::Stopped;
  }
  if (!connected()) return Sent::NotConnected;
  const Sent sent = protocol_->send(frame, Clock::now(), *sockets_);
  if (sent == Sent::Sent) {
    frames_sent_.fetch_add(1, std::memory_order_relaxed);
    bytes_sent_.fetch_add(frame.data.size(), std::memory_order_relaxed);
  } else if (sent == Sent::Failed && errno == EMSGSIZE) {
    return Sent::TooLarge;
  }
  return sent;
}

void Flow::end(const char* why) {
  if (ended_.exchange(true)) return;
  if (!closing_) receiver_.ended(why);
}

// `wait`: there is nothing to do but to receive.
void Flow::receive_data(DatagramSocket::Batch& batch, MutableBytes bytes, bool wait) {
  Sockets& s = *sockets_;
  for (int turn = 0; turn < kTurns && !ended_ && !closing_; ++turn) {
    if (settings_.carrier == Carrier::Tcp) {
      const std::ptrdiff_t got = s.connection.receive(bytes, wait);
      if (got == 0) return;
      if (got < 0) return end("the peer has closed the connection");
      if (!protocol_->data({bytes.data(), static_cast<std::size_t>(got)}, Clock::now(), s, *gate_)) {
        return end("the peer has ended the flow");
      }
      continue;
    }
    int error = 0;
    const std::size_t count = batch.receive(*s.in, wait, error);
    // Errors of UDP tell of datagrams that were sent, and pass. What comes after the end of receiving is none.
    if (count == 0 || closing_) return;
    const auto now = Clock::now();
    for (std::size_t i = 0; i < count; ++i) {
      if (batch[i].size() == Consent::kBytes && take_consent(batch[i], now)) continue;
      if (!protocol_->data(batch[i], now, s, *gate_)) return end("the peer has ended the flow");
    }
  }
}

void Flow::receive_control(DatagramSocket::Batch& batch) {
  Sockets& s = *sockets_;
  int error = 0;
  const std::size_t count = batch.receive(*s.control_in, false, error);
  const bool group = s.group_control_out.has_value();
  const SocketAddress own = group ? s.group_control_out->local() : SocketAddress();
  for (std::size_t i = 0; i < count; ++i) {
    // To a group: what this end has sent itself comes back.
    if (group && batch.from(i) == own) continue;
    const bool from_peer = !group || s.group_sender.empty() || batch.from(i).same_host(s.group_sender);
    protocol_->control(batch[i], Clock::now(), s, from_peer);
  }
}

bool Flow::take_consent(ByteView datagram, FrameProtocol::Time now) {
  Sockets& s = *sockets_;
  if (!s.has_peer()) return false;
  if (const auto answer = Consent::answer_to(datagram)) {
    s.out->send({}, *answer);
    if (consent_) consent_->peer_is_there(now);
    return true;
  }
  if (!consent_ || !Consent::is_answer(datagram)) return false;
  if (s.consented || !consent_->answers(datagram)) return true;  // each question may be answered
  s.consented = true;
  protocol_->open(now, s);
  connected_ = true;
  return true;
}

FrameProtocol::Time Flow::ask_for_consent(FrameProtocol::Time now) {
  if (consent_->over(now)) {
    end("nobody at the peer's address has said that it wants the flow");
    return FrameProtocol::Time::max();
  }
  if (const auto question = consent_->ask(now)) sockets_->out->send({}, *question);
  return consent_->due();
}

void Flow::run() {
  Sockets& s = *sockets_;
  DatagramSocket::Batch batch;
  std::vector<Byte> bytes(settings_.carrier == Carrier::Tcp ? kAtOnceBytes : 0);
  while (!closing_) {
    const auto now = Clock::now();
    auto due = s.control_in ? FrameProtocol::Time::max() : protocol_->tick(now, s);
    if (consent_ && !s.consented && !ended_) due = std::min(due, ask_for_consent(now));
    if (due == FrameProtocol::Time::max() && (s.connected || s.in) && !ended_) {
      receive_data(batch, bytes, true);
      continue;
    }
    const bool awaits_peer = s.listener && !s.connected;
    if (!readable_until(due, now, ended_ ? -1 : awaits_peer ? s.listener->fd() : s.data_fd())) continue;
    if (awaits_peer) {
      s.connection = s.listener->accept(s.awaited);
      if (s.connection) {
        s.connected = true;
        connected_ = true;
        protocol_->open(Clock::now(), s);
      }
    } else {
      receive_data(batch, bytes, false);
    }
  }
}

// RTCP: its reports as they are due, and the peer's.
void Flow::run_control() {
  Sockets& s = *sockets_;
  DatagramSocket::Batch batch;
  while (!closing_) {
    const auto now = Clock::now();
    if (readable_until(protocol_->tick(now, s), now, s.control_in->fd())) receive_control(batch);
  }
}

// Waits until the socket has something, if `fd` is one, until the flow is closed, or until `due`.
bool Flow::readable_until(FrameProtocol::Time due, FrameProtocol::Time now, int fd) const {
  int timeout = -1;
  if (due != FrameProtocol::Time::max()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(due - now).count();
    timeout = static_cast<int>(std::clamp<long long>(left, 0, 60000));
  }
  pollfd polled[2] = {{woken_.get(), POLLIN, 0}, {fd, POLLIN, 0}};
  return ::poll(polled, 2, timeout) > 0 && polled[1].revents;
}

void Flow::wake() {
  const std::uint64_t one = 1;
  if (::write(woken_.get(), &one, sizeof one) < 0) {  // full: it is awake
  }
}

void Flow::close(const char* reason) {
  const std::lock_guard lock(closing_mutex_);
  if (std::exchange(closed_, true)) return;
  started_ = false;
  if (connected_ && !ended_) protocol_->close(Clock::now(), *sockets_, reason);
  connected_ = false;
  closing_ = true;
  wake();
  if (sockets_->connected) sockets_->connection.shut_down();
  if (sockets_->in) sockets_->in->end_receiving();
  if (thread_.joinable()) thread_.join();
  if (control_thread_.joinable()) control_thread_.join();
}

FlowCounts Flow::counts() const {
  FlowCounts out;
  out.frames_sent = frames_sent_;
  out.bytes_sent = bytes_sent_;
  out.frames_received = frames_received_;
  out.bytes_received = bytes_received_;
  out.while_stopped = while_stopped_;
  if (sockets_->listener) out.strangers += sockets_->listener->strangers();
  if (sockets_->bound) out.strangers += sockets_->bound->strangers();
  return out;
}

}  // namespace callis::streams
