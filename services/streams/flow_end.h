// SPDX-License-Identifier: Apache-2.0
// FlowEnd: one end of one flow of a stream, between the application's part, the flow beside the ORB, and the servants
// that control it.
#pragma once
#include <services/streams/application.h>
#include <mutex>
#include <optional>

namespace callis::streams {

class Part;
struct Vouched;

// Any thread; operations on one end follow each other.
class FlowEnd final : public FrameReceiver {
 public:
  // `on_end`: the peer has ended the flow; called on the flow's thread.
  FlowEnd(const FlowOffer& offer, const DeviceOffer& device, bool party_a, std::shared_ptr<StreamPart> part,
          std::function<void(const std::string& flow, const std::string& why)> on_end);
  ~FlowEnd() override;

  const std::string& name() const { return offer_.name; }
  const FlowOffer& offer() const { return offer_; }
  bool producer() const { return offer_.producer; }
  // As a forward flow spec has it: `in` is from A to B.
  Direction direction() const { return offer_.producer == party_a_ ? Direction::In : Direction::Out; }

  // What the two devices have agreed on. Throw FlowFailed: it is not offered.
  void set_format(const std::string& format);
  void set_way(const Way& way);
  std::string format() const;
  Way way() const;
  void restrict(const AVStreams::protocolSpec& carriers);
  bool allows(const Way& way) const;

  // The forward entry for the peer, with our address, where we begin; and what the peer answers, in reverse form.
  // by: who vouches for the address that has come (receivers.h).
  FlowEntry begin();
  void finish(const FlowEntry& answer, const Vouched& by);
  // The peer has begun: our answer, in reverse form. Throw FlowFailed.
  FlowEntry respond(const FlowEntry& asked, const Vouched& by);
  // Multicast: the entry for members, whose address is the group's; joins it. `group` empty: the device's own.
  FlowEntry begin_multicast(const FlowEntry& asked);
  void join(const FlowEntry& asked);
  // Full profile: our address alone, for a peer whose address is known, or not yet.
  FlowAddress listen(bool connects);
  void connect(const FlowAddress& peer, const Vouched& by);

  void start();
  void stop();
  // Ends the flow; disconnect() leaves an end that may be connected again.
  void close(const std::string& why) { end(why, AVStreams::dead); }
  void disconnect(const std::string& why) { end(why, AVStreams::stopped); }
  AVStreams::flowState state() const;
  bool connected() const;
  bool in_use() const;  // an address has been told to somebody

  // Agrees, tells the part, and writes what was agreed. True: all as asked. Throws AVStreams::QoSRequestFailed.
  bool modify_qos(AVStreams::QoS& qos);
  void set_parameters(const CosPropertyService::Properties& parameters);
  void set_source(std::uint32_t source);
  // "SFP1.0": throws FlowFailed where the flow has another protocol, or the settings are none of its.
  void set_fp_status(const std::string& protocol, const CORBA::Any& settings);
  FlowQuality quality() const;
  FlowCounts counts() const;
  AVStreams::flowStatus status() const;

 private:
  void receive(const Frame& frame) override;
  void ended(const char* why) override;
  void end(const std::string& why, AVStreams::flowState state);
  void open();    // makes the flow, with the lock
  void connect_flow(const FlowAddress& peer, const Vouched& by, bool connects);  // with the lock
  void opened();  // it is connected, with the lock
  void check_way(const FlowEntry& asked);

  const FlowOffer offer_;
  const DeviceOffer& device_;
  const bool party_a_;
  const std::shared_ptr<StreamPart> part_;
  const std::function<void(const std::string&, const std::string&)> on_end_;
  mutable std::mutex mutex_;
  std::string format_;
  Way way_;
  std::vector<Carrier> only_;  // set_protocol_restriction(); empty: all
  std::unique_ptr<Flow> flow_;
  bool connects_ = false;  // this end is TCP's that connects
  std::optional<std::uint32_t> source_;
  AVStreams::SFPStatus sfp_{true, false, true, false, false};
  CosPropertyService::Properties qos_;
  AVStreams::flowState state_ = AVStreams::stopped;
};

}  // namespace callis::streams
