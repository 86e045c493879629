// SPDX-License-Identifier: Apache-2.0
// What peers of flows send: flow specs, RTP, RTCP, SFP, H.264 and Ogg. Byte 0 says what the rest is. What is read and
// written again is the same; nothing grows beyond its bound.
#include <services/streams/flows/flow_failed.h>
#include <services/streams/flows/flow_spec.h>
#include <services/streams/flows/rtp_session.h>
#include <services/streams/flows/sfp_protocol.h>
#include <services/streams/payload/h264.h>
#include <services/streams/payload/opus.h>
#include <cstdlib>
#include "target.h"

using namespace callis;
using namespace callis::streams;

namespace {

constexpr std::size_t kKinds = 6;
std::vector<Byte> bytes(Byte kind, const std::string& text) {
  std::vector<Byte> out{kind};
  out.insert(out.end(), text.begin(), text.end());
  return out;
}

void specs(const std::string& text) {
  for (const auto parse : {parse_forward, parse_reverse}) {
    try {
      const FlowEntry entry = parse(text);
      if (parse(parse == parse_forward ? entry.forward_text() : entry.reverse_text()) != entry) std::abort();
    } catch (const FlowFailed&) {}
  }
}

// Datagrams of one byte of length, a byte of kind, and their bytes.
template<class Each>
void each_datagram(ByteView in, Each&& each) {
  while (in.size() > 2) {
    const std::size_t size = std::min<std::size_t>(in[0], in.size() - 2);
    each(in[1], in.subspan(2, size));
    in = in.subspan(2 + size);
  }
}

void rtp(ByteView in) {
  RtpSession::Time now{std::chrono::seconds(100)};
  RtpSettings settings;
  settings.seed = 1;
  RtpSession session(settings, now);
  each_datagram(in, [&](Byte kind, ByteView datagram) {
    now += std::chrono::milliseconds(kind);
    RtpPacket packet;
    if (kind % 3 == 0) {
      session.receive(datagram, now, packet);
    } else {
      session.receive_control(datagram, now, kind % 3 == 1);
    }
    std::vector<Byte> out;
    if (now >= session.due()) session.report(now, out);
    if (!out.empty() && !parse_rtcp(out)) std::abort();
    if (session.members() > RtpSession::kMostMembers) std::abort();
  });
}

struct Nothing final : Line, FrameReceiver {
  bool data(ByteView, ByteView) override { return true; }
  bool control(ByteView) override { return true; }
  void receive(const Frame& frame) override {
    if (frame.data.size() > 1000) std::abort();
  }
  void ended(const char*) override {}
};

void sfp(ByteView in, bool connection) {
  Nothing nothing;
  SfpSettings settings;
  settings.connection = connection;
  settings.credit = 3;
  settings.most_frame_bytes = 1000;
  SfpProtocol consumer(settings);
  FrameProtocol::Time now{};
  const auto start = sfp_bytes(SfpStart{});
  consumer.data(start, now, nothing, nothing);
  each_datagram(in, [&](Byte kind, ByteView datagram) {
    now += std::chrono::milliseconds(kind);
    if (connection || datagram.size() <= 900) consumer.data(datagram, now, nothing, nothing);
    consumer.tick(now, nothing);
  });
}

void media(ByteView in) {
  AnnexB stream(1000);
  H264Assembly assembly(1000);
  OggOpus ogg;
  std::uint16_t sequence = 0;
  each_datagram(in, [&](Byte kind, ByteView datagram) {
    stream.push(datagram);
    ogg.push(datagram);
    if (kind % 8 != 7) ++sequence;
    assembly.take(datagram, sequence, [](ByteView nal) {
      if (nal.size() > 1000) std::abort();
    });
    opus_duration(datagram);
    for (ByteView nal; stream.next(nal);) {
      if (nal.empty() || nal.size() > 1000) std::abort();
    }
    for (std::vector<Byte> packet; ogg.next(packet);) {
      if (packet.empty()) std::abort();
    }
  });
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  std::vector<std::vector<Byte>> seeds{
      bytes(0, "video\\in\\MIME:video/H264\\RTP\\RTP/UDP=239.1.1.1:5004;5007@10.0.0.1"),
      bytes(0, "video\\TCP=[::1]:5004\\SFP1.0:credit=7")};
  std::vector<Byte> control;
  RtcpReport report;
  report.sender.emplace();
  report.blocks.resize(2);
  put_report(control, report);
  put_cname(control, 1, "a@b");
  put_bye(control, 1, "why");
  std::vector<Byte> seed{1, static_cast<Byte>(control.size()), 1};
  seed.insert(seed.end(), control.begin(), control.end());
  const auto header = rtp_header({});
  seed.insert(seed.end(), {static_cast<Byte>(header.size()), 0});
  seed.insert(seed.end(), header.begin(), header.end());
  seeds.push_back(seed);
  for (const Byte kind : {Byte{2}, Byte{3}}) {
    SfpFrame frame;
    frame.type = SfpType::Frame;
    frame.sources = {1, 2};
    frame.more = kind == 2;
    SfpFragment fragment;
    fragment.number = 1;
    const auto one = sfp_head(frame);
    const auto two = sfp_head(fragment);
    seed = {kind, static_cast<Byte>(one.size()), 0};
    seed.insert(seed.end(), one.begin(), one.end());
    seed.insert(seed.end(), {static_cast<Byte>(two.size()), 0});
    seed.insert(seed.end(), two.begin(), two.end());
    seeds.push_back(seed);
  }
  seeds.push_back({4, 9, 0, 0, 0, 1, 0x65, 0x88, 0, 0, 1, 0x67, 5, 0, 0x7c, 0x85, 1, 2, 3});
  seeds.push_back(
      {4, 30, 0, 'O', 'g', 'g', 'S', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 9});
  callis::fuzz::write_seeds(*argc, *argv, seeds.size(), [&](std::size_t i) { return seeds[i]; });
  return 0;
}

void callis::fuzz::try_one(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return;
  const ByteView in(data + 1, size - 1);
  switch (data[0] % kKinds) {
    case 0: specs({in.begin(), in.end()}); break;
    case 1: rtp(in); break;
    case 2: sfp(in, false); break;
    case 3: sfp(in, true); break;
    default: media(in);
  }
}
