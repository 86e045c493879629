// SPDX-License-Identifier: Apache-2.0
// Reading and writing flow specs, with their limits.
#include <services/streams/flows/flow_failed.h>
#include <services/streams/flows/flow_spec.h>
#include <charconv>
#include <vector>

namespace callis::streams {
namespace {

// Printable ASCII; the rest is shown as ? in messages.
bool printable(char c) { return c >= 0x20 && c < 0x7f; }

std::string shown(std::string_view text) {
  std::string out(text.substr(0, 80));
  for (char& c : out) {
    if (!printable(c)) c = '?';
  }
  return text.size() > 80 ? out + "..." : out;
}

[[noreturn]] void refuse(std::string_view entry, std::size_t field, const std::string& why) {
  throw FlowFailed("flow spec \"" + shown(entry) + "\", field " + std::to_string(field) + ": " + why);
}

std::vector<std::string_view> fields_of(std::string_view entry, std::size_t most) {
  if (entry.size() > kMostEntryBytes) {
    throw FlowFailed("a flow spec has " + std::to_string(entry.size()) + " bytes; the most is " +
                     std::to_string(kMostEntryBytes));
  }
  std::vector<std::string_view> out;
  std::string_view rest = entry;
  while (true) {
    const std::size_t end = rest.find('\\');
    const std::string_view field = rest.substr(0, end);
    if (out.size() == most) refuse(entry, most + 1, "there are " + std::to_string(most) + " fields at most");
    if (field.size() > (out.empty() ? kMostNameBytes : kMostFieldBytes)) {
      refuse(entry, out.size() + 1, "it is too long");
    }
    for (const char c : field) {
      if (!printable(c)) refuse(entry, out.size() + 1, "it has a character that is not printable ASCII");
    }
    out.push_back(field);
    if (end == std::string_view::npos) break;
    rest = rest.substr(end + 1);
  }
  if (out[0].empty()) refuse(entry, 1, "the flow has no name");
  return out;
}

// `read` throws FlowFailed without a place.
template<class Read>
auto at_field(std::string_view entry, std::size_t field, Read&& read) {
  try {
    return read();
  } catch (const FlowFailed& e) {
    refuse(entry, field, e.what());
  }
}

void check_together(std::string_view entry, const FlowEntry& of) {
  if (!of.address) return;
  const bool rtp = of.protocol.kind == FlowProtocol::Kind::Rtp;
  if (rtp && of.address->carrier == Carrier::Tcp) {
    throw FlowFailed("flow spec \"" + shown(entry) + "\": RTP goes over UDP");
  }
  if (of.protocol.kind == FlowProtocol::Kind::Sfp && of.address->carrier == Carrier::RtpUdp) {
    throw FlowFailed("flow spec \"" + shown(entry) + "\": SFP goes over UDP or TCP, not over RTP");
  }
}

}  // namespace

std::string FlowProtocol::text() const {
  if (kind == Kind::Rtp) return "RTP";
  if (kind != Kind::Sfp) return {};
  return credit ? "SFP1.0:credit=" + std::to_string(credit) : "SFP1.0";
}

FlowProtocol parse_flow_protocol(std::string_view text) {
  if (text.empty()) return {};
  if (text == "RTP") return {FlowProtocol::Kind::Rtp, 0};
  static constexpr std::string_view kSfp = "SFP1.0", kCredit = ":credit=";
  if (text == kSfp) return {FlowProtocol::Kind::Sfp, 0};
  if (text.starts_with(kSfp) && text.substr(kSfp.size()).starts_with(kCredit)) {
    const std::string_view number = text.substr(kSfp.size() + kCredit.size());
    std::uint32_t credit = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), credit);
    if (error == std::errc() && end == number.data() + number.size() && credit > 0 && credit <= 65535) {
      return {FlowProtocol::Kind::Sfp, credit};
    }
    throw FlowFailed("the credit of SFP is a number from 1 to 65535");
  }
  throw FlowFailed("the flow protocol " + shown(text) + " is unknown; there are RTP, SFP1.0 and SFP1.0:credit=N");
}

std::string FlowEntry::forward_text() const {
  std::string out = flow + "\\";
  if (direction) out += *direction == Direction::In ? "in" : "out";
  out += "\\" + format + "\\" + protocol.text() + "\\";
  if (address) out += address->text();
  while (out.back() == '\\') out.pop_back();
  return out;
}

std::string FlowEntry::reverse_text() const {
  std::string out = flow + "\\";
  if (address) out += address->text();
  out += "\\" + protocol.text();
  while (out.back() == '\\') out.pop_back();
  return out;
}

FlowEntry parse_forward(std::string_view entry) {
  auto fields = fields_of(entry, 5);
  fields.resize(5);
  FlowEntry out;
  out.flow = fields[0];
  if (fields[1] == "in" || fields[1] == "IN") {
    out.direction = Direction::In;
  } else if (fields[1] == "out" || fields[1] == "OUT") {
    out.direction = Direction::Out;
  } else if (!fields[1].empty()) {
    refuse(entry, 2, "the direction is in or out");
  }
  out.format = fields[2];
  out.protocol = at_field(entry, 4, [&] { return parse_flow_protocol(fields[3]); });
  if (!fields[4].empty()) out.address = at_field(entry, 5, [&] { return parse_address(fields[4]); });
  check_together(entry, out);
  return out;
}

FlowEntry parse_reverse(std::string_view entry) {
  auto fields = fields_of(entry, 3);
  fields.resize(3);
  FlowEntry out;
  out.flow = fields[0];
  if (!fields[1].empty()) out.address = at_field(entry, 2, [&] { return parse_address(fields[1]); });
  out.protocol = at_field(entry, 3, [&] { return parse_flow_protocol(fields[2]); });
  check_together(entry, out);
  return out;
}

std::string flow_name(std::string_view entry) { return std::string(fields_of(entry, 5)[0]); }

}  // namespace callis::streams
