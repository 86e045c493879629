// SPDX-License-Identifier: Apache-2.0
// Flow: one end of a flow beside the ORB. It has the sockets, the protocol, and a thread that receives. RTCP has a
// socket and a thread of its own: so the first thread needs no poll() before each datagram.
//
//   Flow one(settings, receiver), other(...);
//   address = one.listen(...)              its address goes to the peer, in a flow spec, which answers with its own
//   one.connect(peer's address)            from here on the peer counts, and nobody else; it is asked before the
//                                          flow begins where nobody vouches for its address
//   one.start();  one.send(frame);  one.stop();
//
// Any thread may call; listen(), connect() and close() come from one at a time. close() waits for the receiver's
// call to end, so it must not come from there.
#pragma once
#include <callis/base/thread.h>
#include <services/streams/flows/consent.h>
#include <services/streams/flows/datagrams.h>
#include <services/streams/flows/flow_spec.h>
#include <services/streams/flows/frame_protocol.h>
#include <services/streams/flows/tcp.h>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

namespace callis::streams {

struct FlowSettings {
  FlowProtocol protocol;
  Carrier carrier = Carrier::Udp;
  bool producer = false;
  std::string host = "127.0.0.1";  // numeric: where it binds, which is what it tells its peer
  RtpSettings rtp;
  std::chrono::milliseconds connect_within{5000};
  std::chrono::milliseconds send_within{2000};  // TCP: how long send() waits for a peer that does not read
  int buffer_bytes = 1 << 20;                   // of a UDP socket in the kernel, each way
  std::size_t most_frame_bytes = 16u << 20;     // SFP
  int multicast_ttl = 1;
};

struct FlowCounts {
  std::uint64_t frames_sent = 0, bytes_sent = 0, frames_received = 0, bytes_received = 0;
  std::uint64_t while_stopped = 0;  // frames that came, or were to be sent, while it was stopped
  std::uint64_t strangers = 0;      // connections, and datagrams to a group, from others than the peer
};

class Flow final {
 public:
  // `receiver` outlives the flow. Throws FlowFailed where protocol and carrier do not go together.
  Flow(const FlowSettings& settings, FrameReceiver& receiver);
  ~Flow();
  Flow(const Flow&) = delete;
  Flow& operator=(const Flow&) = delete;

  // Binds; returns the address for the peer. `connects`: TCP's end that connects. Throws FlowFailed.
  FlowAddress listen(bool connects);
  // The peer is known: opens the flow. on_consent: over UDP nothing is sent but questions before the peer has
  // answered one (consent.h), and send() is NotConnected; the flow ends if it never does. Throws FlowFailed.
  void connect(const FlowAddress& peer, bool on_consent = false);
  // Multicast: sends to the group; returns the address of the sender. Receives from the group, from `sender` alone
  // where it is not empty. Throw FlowFailed.
  FlowAddress send_to_group(const FlowAddress& group);
  void join(const FlowAddress& group, const std::string& sender);

  void start() { started_ = true; }
  void stop() { started_ = false; }
  bool started() const { return started_; }
  bool connected() const { return connected_ && !ended_; }
  Sent send(const Frame& frame);
  // Tells the peer, as the protocol can, and frees everything. Later calls do nothing.
  void close(const char* reason = "closed");

  const FlowSettings& settings() const { return settings_; }
  FrameProtocol& protocol() { return *protocol_; }
  FlowCounts counts() const;
  FlowQuality quality() const { return protocol_->quality(); }

 private:
  class Sockets;
  class Gate;
  void open();
  void run();
  void run_control();
  bool readable_until(FrameProtocol::Time due, FrameProtocol::Time now, int fd) const;
  void receive_data(DatagramSocket::Batch& batch, MutableBytes bytes, bool wait);
  void receive_control(DatagramSocket::Batch& batch);
  // On the flow's thread. When to call it next.
  FrameProtocol::Time ask_for_consent(FrameProtocol::Time now);
  // Whether that was a question about consent, or the answer to one.
  bool take_consent(ByteView datagram, FrameProtocol::Time now);
  void end(const char* why);
  void wake();

  const FlowSettings settings_;
  FrameReceiver& receiver_;
  std::unique_ptr<FrameProtocol> protocol_;
  std::unique_ptr<Sockets> sockets_;
  std::unique_ptr<Gate> gate_;
  std::optional<Consent> consent_;  // of a peer that is asked; of the flow's thread, once it runs
  std::atomic<bool> started_{false}, connected_{false}, ended_{false}, closing_{false};
  std::mutex closing_mutex_;
  bool closed_ = false;
  std::atomic<std::uint64_t> frames_sent_{0}, bytes_sent_{0}, frames_received_{0}, bytes_received_{0},
      while_stopped_{0};
  Descriptor woken_;
  Thread thread_, control_thread_;
};

}  // namespace callis::streams
