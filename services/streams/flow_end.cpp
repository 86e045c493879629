// SPDX-License-Identifier: Apache-2.0
// One end of one flow: what was agreed, the flow itself, and its state.
#include <services/streams/flow_end.h>
#include <services/streams/flows/flow_failed.h>
#include <services/streams/flows/sfp_protocol.h>
#include <services/streams/qos.h>
#include <services/streams/receivers.h>
#include <unistd.h>
#include <algorithm>

namespace callis::streams {
namespace {

std::vector<Way> ways_of(const FlowOffer& offer) {
  return offer.ways.empty() ? std::vector<Way>{Way{Carrier::RtpUdp, {FlowProtocol::Kind::Rtp, 0}}} : offer.ways;
}

// A carrier RTP/UDP, and RTP over UDP, are the same.
Way plain(Way way) {
  if (way.carrier == Carrier::RtpUdp || way.protocol.kind == FlowProtocol::Kind::Rtp) {
    return {Carrier::RtpUdp, {FlowProtocol::Kind::Rtp, 0}};
  }
  return way;
}

bool same_way(Way a, Way b) {
  a = plain(a);
  b = plain(b);
  a.protocol.credit = b.protocol.credit = 0;  // is the consumer's to give, whatever the offer says
  return a == b;
}

std::string own_name() {
  char host[256] = "localhost";
  gethostname(host, sizeof host - 1);
  return "callis-" + std::to_string(::getpid()) + "@" + host;
}

}  // namespace

std::string Way::text() const {
  const std::string fp = plain(*this).carrier == Carrier::RtpUdp ? "" : protocol.text();
  return std::string(to_text(plain(*this).carrier)) + (fp.empty() ? "" : ";" + fp);
}

Way parse_way(std::string_view text) {
  const std::size_t end = text.find(';');
  Way out;
  if (!parse_carrier(text.substr(0, end), out.carrier)) {
    throw FlowFailed("the carrier " + std::string(text.substr(0, std::min(end, kMostFieldBytes))) + " is unknown");
  }
  if (end != std::string_view::npos) out.protocol = parse_flow_protocol(text.substr(end + 1));
  return plain(out);
}

FlowEnd::FlowEnd(const FlowOffer& offer, const DeviceOffer& device, bool party_a, std::shared_ptr<StreamPart> part,
                 std::function<void(const std::string&, const std::string&)> on_end)
    : offer_(offer),
      device_(device),
      party_a_(party_a),
      part_(std::move(part)),
      on_end_(std::move(on_end)),
      way_(plain(ways_of(offer)[0])) {
  if (!offer_.formats.empty()) format_ = offer_.formats[0];
}

FlowEnd::~FlowEnd() { close("its end is gone"); }

void FlowEnd::receive(const Frame& frame) { part_->receive(offer_.name, frame); }

void FlowEnd::ended(const char* why) {
  part_->ended(offer_.name, why);
  on_end_(offer_.name, why);
}

void FlowEnd::set_format(const std::string& format) {
  if (!offer_.formats.empty() &&
      std::find(offer_.formats.begin(), offer_.formats.end(), format) == offer_.formats.end()) {
    throw FlowFailed("the flow " + offer_.name + " has no format " + format.substr(0, kMostFieldBytes));
  }
  part_->set_format(offer_.name, format);
  const std::lock_guard lock(mutex_);
  format_ = format;
}

void FlowEnd::set_way(const Way& way) {
  if (!allows(way)) throw FlowFailed("the flow " + offer_.name + " does not go by " + way.text());
  const std::lock_guard lock(mutex_);
  if (flow_) throw FlowFailed("the flow " + offer_.name + " is connected already");
  way_ = plain(way);
}

std::string FlowEnd::format() const {
  const std::lock_guard lock(mutex_);
  return format_;
}

Way FlowEnd::way() const {
  const std::lock_guard lock(mutex_);
  return way_;
}

void FlowEnd::restrict(const AVStreams::protocolSpec& carriers) {
  const std::lock_guard lock(mutex_);
  only_.clear();
  for (CORBA::ULong i = 0; i < carriers.length(); ++i) {
    Carrier one;
    if (parse_carrier(carriers[i], one)) only_.push_back(one);
  }
  const auto ways = ways_of(offer_);
  const auto good = std::find_if(ways.begin(), ways.end(), [&](const Way& w) {
    return only_.empty() || std::find(only_.begin(), only_.end(), plain(w).carrier) != only_.end();
  });
  if (good == ways.end()) throw FlowFailed("the flow " + offer_.name + " has none of these carriers");
  way_ = plain(*good);
}

bool FlowEnd::allows(const Way& way) const {
  const std::lock_guard lock(mutex_);
  if (!only_.empty() && std::find(only_.begin(), only_.end(), plain(way).carrier) == only_.end()) return false;
  const auto ways = ways_of(offer_);
  return std::any_of(ways.begin(), ways.end(), [&](const Way& w) { return same_way(w, way); });
}

void FlowEnd::open() {
  if (flow_) throw FlowFailed("the flow " + offer_.name + " is connected already");
  if (state_ == AVStreams::dead) throw FlowFailed("the flow " + offer_.name + " has been destroyed");
  FlowSettings settings;
  settings.carrier = way_.carrier;
  settings.protocol = way_.protocol;
  settings.producer = offer_.producer;
  settings.host = device_.host;
  settings.rtp = offer_.rtp;
  settings.multicast_ttl = device_.multicast_ttl;
  if (settings.rtp.cname.empty()) settings.rtp.cname = own_name();
  if (source_) settings.rtp.ssrc = *source_;
  flow_ = std::make_unique<Flow>(settings, *this);
  if (source_) flow_->protocol().set_source(*source_);
  if (auto* const sfp = dynamic_cast<SfpProtocol*>(&flow_->protocol()))
    sfp->set_status(sfp_.seqNums, sfp_.timestamps);
}

void FlowEnd::connect_flow(const FlowAddress& peer, const Vouched& by, bool connects) {
  const bool tcp = way_.carrier == Carrier::Tcp;
  // Who listens sends nothing anywhere before somebody has connected from there.
  if (tcp && !connects) return flow_->connect(peer);
  if (peer.empty()) throw FlowFailed("the peer has told no address for the flow " + offer_.name);
  flow_->connect(peer, may_begin(device_, peer, by, tcp) == Begin::OnConsent);
}

void FlowEnd::opened() { part_->connected(offer_.name, *flow_); }

// An entry's carrier and protocol, where it names them.
void FlowEnd::check_way(const FlowEntry& asked) {
  Way way = this->way();
  if (asked.address) way.carrier = asked.address->carrier;
  if (asked.address || asked.protocol.kind != FlowProtocol::Kind::None) way.protocol = asked.protocol;
  if (way.carrier == Carrier::RtpUdp) way.protocol = {FlowProtocol::Kind::Rtp, 0};
  set_way(way);
}

FlowEntry FlowEnd::begin() {
  const std::lock_guard lock(mutex_);
  open();
  FlowEntry out;
  out.flow = offer_.name;
  out.direction = direction();
  out.format = format_;
  out.protocol = way_.protocol;
  try {
    out.address = flow_->listen(true);
  } catch (...) {
    flow_.reset();
    throw;
  }
  return out;
}

void FlowEnd::finish(const FlowEntry& answer, const Vouched& by) {
  const std::lock_guard lock(mutex_);
  if (!flow_) throw FlowFailed("the flow " + offer_.name + " has not begun");
  if (!answer.address) throw FlowFailed("the peer has told no address for the flow " + offer_.name);
  connect_flow(*answer.address, by, true);
  opened();
}

FlowEntry FlowEnd::respond(const FlowEntry& asked, const Vouched& by) {
  if (asked.direction && *asked.direction != direction()) {
    throw FlowFailed("the flow " + offer_.name + " goes the other way");
  }
  if (!asked.address || asked.address->empty()) {
    throw FlowFailed("the flow " + offer_.name + " is asked for without the address that may send to it");
  }
  if (!asked.format.empty()) set_format(asked.format);
  check_way(asked);
  const std::lock_guard lock(mutex_);
  open();
  FlowEntry out;
  out.flow = offer_.name;
  out.protocol = way_.protocol;
  try {
    out.address = flow_->listen(false);
    connect_flow(*asked.address, by, false);
  } catch (...) {
    flow_.reset();
    throw;
  }
  opened();
  return out;
}

FlowEntry FlowEnd::begin_multicast(const FlowEntry& asked) {
  if (!offer_.producer)
    throw FlowFailed("the flow " + offer_.name + " of the A party is no producer: others cannot be its members");
  FlowAddress group;
  if (asked.address && !asked.address->empty()) {
    check_way(asked);
    check_group(device_, *asked.address);
    group = *asked.address;
  } else {
    group.host = device_.multicast_host;
    // A port that nobody on this host has now; others' cannot be known.
    group.port = DatagramSocket::bound_pair(SocketAddress(device_.host, 0)).first.local().port();
  }
  const std::lock_guard lock(mutex_);
  if (way_.carrier == Carrier::Tcp) throw FlowFailed("multicast goes over UDP or RTP/UDP, not over TCP");
  if (way_.protocol.kind == FlowProtocol::Kind::Sfp) throw FlowFailed("SFP of this ORB is not for multicast");
  group.carrier = way_.carrier;
  open();
  FlowEntry out;
  out.flow = offer_.name;
  out.direction = Direction::In;
  out.format = format_;
  out.protocol = way_.protocol;
  try {
    group.sender = flow_->send_to_group(group).host;
  } catch (...) {
    flow_.reset();
    throw;
  }
  out.address = group;
  opened();
  return out;
}

void FlowEnd::join(const FlowEntry& asked) {
  if (offer_.producer)
    throw FlowFailed("the flow " + offer_.name + " of a B party is no consumer: it cannot be a member");
  if (!asked.address || asked.address->empty()) throw FlowFailed("no group is named for the flow " + offer_.name);
  check_group(device_, *asked.address);
  if (!asked.format.empty()) set_format(asked.format);
  check_way(asked);
  const std::lock_guard lock(mutex_);
  open();
  try {
    flow_->join(*asked.address, asked.address->sender);
  } catch (...) {
    flow_.reset();
    throw;
  }
  opened();
}

FlowAddress FlowEnd::listen(bool connects) {
  const std::lock_guard lock(mutex_);
  open();
  connects_ = connects;
  return flow_->listen(connects);
}

void FlowEnd::connect(const FlowAddress& peer, const Vouched& by) {
  const std::lock_guard lock(mutex_);
  if (!flow_) throw FlowFailed("the flow " + offer_.name + " has no address yet");
  connect_flow(peer, by, connects_);
  opened();
}

void FlowEnd::start() {
  {
    const std::lock_guard lock(mutex_);
    if (!flow_ || state_ == AVStreams::dead || state_ == AVStreams::started) return;
    state_ = AVStreams::started;
    flow_->start();
  }
  part_->start(offer_.name);
}

void FlowEnd::stop() {
  {
    const std::lock_guard lock(mutex_);
    if (!flow_ || state_ != AVStreams::started) return;
    state_ = AVStreams::stopped;
    flow_->stop();
  }
  part_->stop(offer_.name);
}

void FlowEnd::end(const std::string& why, AVStreams::flowState state) {
  stop();
  std::unique_ptr<Flow> flow;
  {
    const std::lock_guard lock(mutex_);
    if (state_ != AVStreams::dead) state_ = state;
    flow = std::move(flow_);
  }
  if (!flow) return;
  flow->stop();
  part_->closed(offer_.name);  // it does not send any more
  flow->close(why.c_str());
}

AVStreams::flowState FlowEnd::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

bool FlowEnd::connected() const {
  const std::lock_guard lock(mutex_);
  return flow_ && flow_->connected();
}

bool FlowEnd::in_use() const {
  const std::lock_guard lock(mutex_);
  return flow_ != nullptr;
}

bool FlowEnd::modify_qos(AVStreams::QoS& qos) {
  bool met = true;
  const QosValues agreed = agree(offer_, qos.QoSParams, met);
  part_->set_qos(offer_.name, agreed);
  put_values(agreed, qos.QoSParams);
  const std::lock_guard lock(mutex_);
  qos_ = qos.QoSParams;
  return met;
}

void FlowEnd::set_parameters(const CosPropertyService::Properties& parameters) {
  part_->set_parameters(offer_.name, parameters);
}

void FlowEnd::set_source(std::uint32_t source) {
  const std::lock_guard lock(mutex_);
  source_ = source;
  if (flow_) flow_->protocol().set_source(source);
}

void FlowEnd::set_fp_status(const std::string& protocol, const CORBA::Any& settings) {
  const AVStreams::SFPStatus* status = nullptr;
  if (protocol != "SFP1.0" || !(settings >>= status)) {
    throw FlowFailed("the settings are none of SFP1.0, which is the one flow protocol that has any");
  }
  if (status->isSpecialFormat) throw FlowFailed("SFP of this ORB has no special formats");
  const std::lock_guard lock(mutex_);
  sfp_ = *status;
  if (!flow_) return;
  if (auto* const sfp = dynamic_cast<SfpProtocol*>(&flow_->protocol())) {
    sfp->set_status(status->seqNums, status->timestamps);
  } else {
    throw FlowFailed("the flow " + offer_.name + " does not use SFP1.0");
  }
}

FlowQuality FlowEnd::quality() const {
  const std::lock_guard lock(mutex_);
  return flow_ ? flow_->quality() : FlowQuality{};
}

FlowCounts FlowEnd::counts() const {
  const std::lock_guard lock(mutex_);
  return flow_ ? flow_->counts() : FlowCounts{};
}

AVStreams::flowStatus FlowEnd::status() const {
  const std::lock_guard lock(mutex_);
  AVStreams::flowStatus out;
  out.flowName = offer_.name.c_str();
  out.directionality = offer_.producer ? AVStreams::dir_out : AVStreams::dir_in;
  out.status = state_;
  out.theFormat = sfp_;
  out.theQoS.QoSType = offer_.name.c_str();
  out.theQoS.QoSParams = qos_;
  return out;
}

}  // namespace callis::streams
