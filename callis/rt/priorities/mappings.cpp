// SPDX-License-Identifier: Apache-2.0
#include <callis/rt/priorities/mappings.h>
#include <sched.h>

namespace callis::rt {
namespace {

using RTCORBA::NativePriority;
using RTCORBA::Priority;

constexpr int kPriorities = RTCORBA::maxPriority + 1;

class Mapping : public RTCORBA::PriorityMapping {
 public:
  explicit Mapping(NativeRange range) : range_(range) {}

 protected:
  bool is_native(int native) const { return native >= range_.least && native <= range_.most; }
  bool give_native(int native, NativePriority& to) const {
    if (is_native(native)) to = static_cast<NativePriority>(native);
    return is_native(native);
  }
  static bool give_corba(int priority, Priority& to) {
    const bool good = priority >= RTCORBA::minPriority && priority <= RTCORBA::maxPriority;
    if (good) to = static_cast<Priority>(priority);
    return good;
  }

  const NativeRange range_;
};

class Continuous final : public Mapping {
 public:
  using Mapping::Mapping;
  CORBA::Boolean to_native(Priority p, NativePriority& native) override {
    return p >= RTCORBA::minPriority && give_native(range_.least + p, native);
  }
  CORBA::Boolean to_CORBA(NativePriority native, Priority& p) override {
    return is_native(native) && give_corba(native - range_.least, p);
  }
};

class Direct final : public Mapping {
 public:
  using Mapping::Mapping;
  CORBA::Boolean to_native(Priority p, NativePriority& native) override {
    return p >= RTCORBA::minPriority && give_native(p, native);
  }
  CORBA::Boolean to_CORBA(NativePriority native, Priority& p) override {
    return is_native(native) && give_corba(native, p);
  }
};

// Native priority least + n stands for the CORBA priorities p with n = floor(p * levels / 32768): as many for each as
// can be. Back it is the least of these, so that there and back again is the same native priority.
class Linear final : public Mapping {
 public:
  using Mapping::Mapping;
  CORBA::Boolean to_native(Priority p, NativePriority& native) override {
    return p >= RTCORBA::minPriority && give_native(range_.least + p * levels() / kPriorities, native);
  }
  CORBA::Boolean to_CORBA(NativePriority native, Priority& p) override {
    return is_native(native) && give_corba(((native - range_.least) * kPriorities + levels() - 1) / levels(), p);
  }

 private:
  int levels() const { return range_.most - range_.least + 1; }
};

}  // namespace

NativeRange NativeRange::of_fifo() {
  return {sched_get_priority_min(SCHED_FIFO), sched_get_priority_max(SCHED_FIFO)};
}

std::unique_ptr<RTCORBA::PriorityMapping> make_mapping(MappingKind kind, NativeRange range) {
  switch (kind) {
    case MappingKind::Direct: return std::make_unique<Direct>(range);
    case MappingKind::Linear: return std::make_unique<Linear>(range);
    case MappingKind::Continuous: break;
  }
  return std::make_unique<Continuous>(range);
}

}  // namespace callis::rt
