// SPDX-License-Identifier: Apache-2.0
#include <callis/rt/priorities/network_mappings.h>
#include <algorithm>
#include <array>

namespace callis::rt {
namespace {

using RTCORBA::NetworkPriority;
using RTCORBA::Priority;

constexpr int kMostCodePoint = 63;

class Classes final : public RTCORBA::NetworkPriorityMapping {
 public:
  Classes(const PriorityMapper& mapper, NativeRange range) : mapper_(mapper), range_(range) {}
  CORBA::Boolean to_network(Priority p, NetworkPriority& network) override {
    const std::optional<int> native = mapper_.to_native(p);
    if (!native || *native < range_.least || *native > range_.most) return false;
    network = kClasses[static_cast<std::size_t>((*native - range_.least) * kCount / levels())];
    return true;
  }
  // The least urgent one of the class.
  CORBA::Boolean to_CORBA(NetworkPriority network, Priority& p) override {
    const auto found = std::ranges::find(kClasses, network);
    if (found == kClasses.end()) return false;
    const int at = static_cast<int>(found - kClasses.begin());
    const auto priority = mapper_.to_corba(range_.least + (at * levels() + kCount - 1) / kCount);
    if (priority) p = *priority;
    return priority.has_value();
  }

 private:
  static constexpr std::array<NetworkPriority, 6> kClasses{0, 16, 24, 32, 40, 46};
  static constexpr int kCount = kClasses.size();
  int levels() const { return range_.most - range_.least + 1; }

  const PriorityMapper& mapper_;
  const NativeRange range_;
};

class LinearCodePoints final : public RTCORBA::NetworkPriorityMapping {
 public:
  CORBA::Boolean to_network(Priority p, NetworkPriority& network) override {
    if (p < RTCORBA::minPriority) return false;
    network = kAll[static_cast<std::size_t>(std::min(p * kCount / RTCORBA::maxPriority, kCount - 1))];
    return true;
  }
  CORBA::Boolean to_CORBA(NetworkPriority network, Priority& p) override {
    const auto found = std::ranges::find(kAll, network);
    if (found == kAll.end()) return false;
    const int at = static_cast<int>(found - kAll.begin());
    p = static_cast<Priority>((at * RTCORBA::maxPriority + kCount - 1) / kCount);
    return true;
  }

 private:
  static constexpr std::array<NetworkPriority, 21> kAll{0,  8,  16, 24, 32, 40, 48, 56, 10, 12, 14,
                                                        18, 20, 22, 26, 28, 30, 34, 36, 38, 46};
  static constexpr int kCount = kAll.size();
};

}  // namespace

std::unique_ptr<RTCORBA::NetworkPriorityMapping> make_network_mapping(NetworkMappingKind kind,
                                                                      const PriorityMapper& mapper,
                                                                      NativeRange range) {
  if (kind == NetworkMappingKind::Linear) return std::make_unique<LinearCodePoints>();
  return std::make_unique<Classes>(mapper, range);
}

std::optional<CodePoint> NetworkPriorityMapper::code_point(RTCORBA::Priority priority) const noexcept {
  NetworkPriority network = -1;
  try {
    if (mapping_.use()->to_network(priority, network) && network >= 0 && network <= kMostCodePoint)
      return static_cast<CodePoint>(network);
  } catch (...) {  // counts as false
  }
  return std::nullopt;
}

}  // namespace callis::rt
