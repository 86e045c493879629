// SPDX-License-Identifier: Apache-2.0
// validate() and skip(). Everything read comes from the peer.
#include <callis/cdr/fixed.h>
#include <callis/marshal/internal/walker.h>
#include <callis/marshal/internal/wire_walk.h>
#include <callis/marshal/scope.h>
#include <callis/marshal/values.h>
#include <algorithm>
#include <cstring>

namespace callis::marshal {

namespace {

class WireWalk final : public Walker {
 public:
  WireWalk(const Plan& plan, cdr::Decoder& decoder, bool contents) : Walker(plan), d_(decoder), contents_(contents) {}

 private:
  // Bytes read at a time, into the stack of functions in which nothing nests: the walk itself does.
  static constexpr std::size_t kRoom = 256;
  bool primitives(Place, std::uint32_t n, std::uint32_t size, std::uint32_t check) override {
    Byte room[kRoom];
    while (n != 0) {
      const auto most = static_cast<std::uint32_t>(kRoom) / size, some = n < most ? n : most;
      if (!d_.get_array(room, some, size)) return false;
      if (contents_ && check == kBoolean && !booleans(room, some)) return fail(Fault::BadBoolean);
      if (contents_ && check != kBoolean && check != kNoCheck && !enums_in_range(room, some, check))
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
    Byte room[kRoom];
    while (n != 0) {
      const auto most = static_cast<std::uint32_t>(kRoom), some = n < most ? n : most;
      if (!d_.get_bytes(room, some)) return false;
      n -= some;
      const void* const nul = std::memchr(room, 0, some);
      if (nul != (n == 0 ? room + some - 1 : nullptr)) return fail(Fault::BadString);
    }
    return true;
  }
  bool reference(Place, const void* link) override {
    if (void* r = reference_handlers().decode(d_, link)) reference_handlers().release(r, link);
    return d_.ok();
  }
  bool wchar(Place) override {
    d_.get_wchar();
    return d_.ok();
  }
  bool wstring(Place, std::uint32_t bound) override {
    const std::uint32_t units = d_.wstring_units(bound);
    return d_.ok() && d_.get_wide(nullptr, units, bound);
  }
  bool fixed(Place, std::uint32_t digits, std::uint32_t scale) override {
    cdr::FixedValue v;
    return contents_ ? cdr::get_fixed(d_, v, digits, scale) : d_.skip(digits / 2 + 1);
  }
  bool slot(Place, const SlotHandlers& handlers, const void* link) override {
    handlers.skip(d_, link);
    return d_.ok();
  }
  bool no_handlers() override { return fail(Fault::Unsupported); }
  bool discriminator(Place, const UnionPlan& u, std::uint64_t& value) override {
    value = get_discriminator(u, d_);
    return d_.ok();
  }
  bool sequence(Place, const Shape& shape, std::uint32_t& n, Place&) override {
    n = d_.count(shape.minimum_wire, shape.size);
    if (shape.bound != 0 && n > shape.bound) return fail(Fault::BadBound);
    return d_.ok();
  }
  static bool has_checks(const Run& run) {
    const Item* const first = run.item();
    return std::any_of(first, first + run.items, [](const Item& i) { return i.check != kNoCheck; });
  }
  // In one step where it lies in one piece and has nothing to check.
  bool run(const Run& run, Place at) override {
    const std::size_t bytes = wire_bytes(run, d_.phase());
    if ((!contents_ || !has_checks(run)) && d_.contiguous() >= bytes) {
      d_.advance(bytes);
      return true;
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
};

}  // namespace

namespace {

bool walk(const Plan& plan, cdr::Decoder& decoder, bool contents) {
  if (plan.way() != Way::Scoped) return WireWalk(plan, decoder, contents).walk({}) && decoder.ok();
  const DecoderScope scope(decoder);
  return decoder.ok() && WireWalk(plan, decoder, contents).walk({}) && decoder.ok();
}

}  // namespace

bool validate(const Plan& plan, cdr::Decoder& decoder) { return walk(plan, decoder, true); }
bool skip(const Plan& plan, cdr::Decoder& decoder) { return walk(plan, decoder, false); }
bool skip_part(const Plan& plan, const Instruction* first, const Instruction* stop, cdr::Decoder& decoder) {
  (void)WireWalk(plan, decoder, false).part(first, stop, {});
  return decoder.ok();
}

}  // namespace callis::marshal
