// SPDX-License-Identifier: Apache-2.0
// References of the micro profile. The class has the name that CORBA::Object knows
// (orb/base/object.h), and takes the place of the other ORB's class of that name: no program has both.
#pragma once
#include <callis/ior/iiop_profile.h>
#include <callis/ior/reference.h>
#include <callis/orb/base/object.h>
#include <string_view>

namespace callis::micro {
class Orb;

// Where a reference leads: one of its addresses.
struct Place {
  ior::Version version;
  ior::Address address;
  ByteView key;  // in the reference's bytes
};

// Gives each address for TCP to `visit`, in the order of the reference, until the function returns true. Returns
// whether it has. Profiles and components that cannot be read, and addresses without a port, are passed over.
bool visit_places(const ior::Ior& ior, const Limits& limits, bool (*visit)(void* context, const Place& place),
                  void* context);
template <class F>
bool visit_places(const ior::Ior& ior, const Limits& limits, F&& f) {
  return visit_places(
      ior, limits, [](void* context, const Place& place) { return (*static_cast<F*>(context))(place); }, &f);
}
// The first address. Returns false if there is none.
bool first_place(const ior::Ior& ior, const Limits& limits, Place& place);

// Reads "IOR:" and "corbaloc:" texts; other schemes are errors. "corbaloc:rir:/NAME" sets `initial` to the name.
// Throws BAD_PARAM with the standard's minor codes 7 to 10, and a text that says where the reference is wrong.
ior::Ior parse_text(std::string_view text, const Limits& limits, std::string& initial);

}  // namespace callis::micro

namespace callis::orb {

// Counted; one thread.
class Reference final {
 public:
  // The new reference has count 1.
  Reference(micro::Orb& orb, ior::Ior ior);

  void add_ref() noexcept { ++count_; }
  void release() noexcept {
    if (--count_ == 0) delete this;
  }

  micro::Orb& orb() const { return orb_; }
  const ior::Ior& ior() const { return ior_; }
  // Where a server has led calls (LOCATION_FORWARD); nullptr if nowhere. Not counted.
  Reference* forward() const { return forward_; }
  // Takes over a count; nullptr: nowhere.
  void set_forward(Reference* to);

  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;

 private:
  ~Reference();

  micro::Orb& orb_;
  const ior::Ior ior_;
  Reference* forward_ = nullptr;
  std::uint32_t count_ = 1;
};

// Owns a count.
class ReferencePtr final {
 public:
  ReferencePtr() = default;
  // Adds a count.
  explicit ReferencePtr(Reference* r) : r_(r) {
    if (r_) r_->add_ref();
  }
  static ReferencePtr adopt(Reference* r) {
    ReferencePtr p;
    p.r_ = r;
    return p;
  }
  ReferencePtr(ReferencePtr&& o) noexcept : r_(o.retn()) {}
  ReferencePtr& operator=(ReferencePtr&& o) noexcept {
    if (this != &o) {
      if (r_) r_->release();
      r_ = o.retn();
    }
    return *this;
  }
  ~ReferencePtr() {
    if (r_) r_->release();
  }
  Reference* get() const { return r_; }
  Reference* operator->() const { return r_; }
  explicit operator bool() const { return r_ != nullptr; }
  Reference* retn() noexcept {
    Reference* const r = r_;
    r_ = nullptr;
    return r;
  }

 private:
  Reference* r_ = nullptr;
};

// A CORBA::Object of a reference; the caller owns the object, which adds a count of its own to the reference.
CORBA::Object_ptr make_object(Reference& reference);
// The reference of an object that is to be called. Throws INV_OBJREF for nil, NO_IMPLEMENT for local objects.
Reference& reference_of(CORBA::Object_ptr object);

}  // namespace callis::orb
