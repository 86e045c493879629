// SPDX-License-Identifier: Apache-2.0
// validate() and skip(). Everything read comes from the peer.
#include <callis/marshal/internal/walker.h>
#include <callis/marshal/values.h>
#include <cstring>

namespace callis::marshal {

namespace {

class WireWalk final : public Walker {
 public:
  WireWalk(const Plan& plan, cdr::Decoder& decoder, bool contents) : Walker(plan), d_(decoder), contents_(contents) {}

 private:
  bool primitives(Place, std::uint32_t n, std::uint32_t size, std::uint32_t check) override {
    while (n != 0) {
      const auto most = static_cast<std::uint32_t>(sizeof room_) / size, some = n < most ? n : most;
      if (!d_.get_array(room_, some, size)) return false;
      if (contents_ && check == kBoolean && !booleans(room_, some)) return fail(Fault::BadBoolean);
      if (contents_ && check != kBoolean && check != kNoCheck && !enums_in_range(room_, some, check))
        return fail(Fault::BadEnum);
      n -= some;
    }
    return true;
  }
  bool long_double(Place) override {
    d_.get_long_double();
    return d_.ok();
  }
  bool string(Place, std::uint32_t bound) override {
    std::uint32_t n = d_.string_length(bound);
    if (n == 0) return false;
    if (!contents_) return d_.skip(n);
    while (n != 0) {
      const auto most = static_cast<std::uint32_t>(sizeof room_), some = n < most ? n : most;
      if (!d_.get_bytes(room_, some)) return false;
      n -= some;
      const void* const nul = std::memchr(room_, 0, some);
      if (nul != (n == 0 ? room_ + some - 1 : nullptr)) return fail(Fault::BadString);
    }
    return true;
  }
  bool reference(Place, const void* link) override {
    if (void* r = reference_handlers().decode(d_, link)) reference_handlers().release(r, link);
    return d_.ok();
  }
  bool sequence(Place, const Shape& shape, std::uint32_t& n, Place&) override {
    n = d_.count(shape.minimum_wire, shape.size);
    if (shape.bound != 0 && n > shape.bound) return fail(Fault::BadBound);
    return d_.ok();
  }
  // In one step where it lies in one piece and has nothing to check.
  bool run(const Run& run, Place at) override {
    const std::uint32_t variant = run.variant[d_.phase()];
    if (variant != kNoVariant) {
      const Variant& v = p_.variants[variant];
      if ((v.checks == 0 || !contents_) && d_.contiguous() >= v.wire_bytes) {
        d_.advance(v.wire_bytes);
        return true;
      }
    }
    return Walker::run(run, at);
  }
  bool enter() override { return d_.enter(); }
  void leave() override { d_.leave(); }

  bool fail(Fault f) {
    d_.set_fault(f);
    return false;
  }

  cdr::Decoder& d_;
  const bool contents_;
  Byte room_[256];
};

}  // namespace

bool validate(const Plan& plan, cdr::Decoder& decoder) { return WireWalk(plan, decoder, true).walk({}) && decoder.ok(); }
bool skip(const Plan& plan, cdr::Decoder& decoder) { return WireWalk(plan, decoder, false).walk({}) && decoder.ok(); }

}  // namespace callis::marshal
