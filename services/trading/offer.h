// SPDX-License-Identifier: Apache-2.0
// Offer: an offer as a trader has it in memory: one block of memory, constant once it is made, counted.
//
//   | Offer, 48 bytes | cells, 16 bytes for each slot | Hold, 24 bytes | reference, CDR | texts |
//
// The data that searches read come first: the first cell is in one line of cache with the Offer. A slot is a property
// name's number among the names of a type's offers (type_offers.h). A cell holds the value itself if its type is a
// basic type or string; for other types it refers to a Complex. Any thread may call.
#pragma once
#include <callis/corba.h>
#include <services/common/memory_bound.h>
#include <services/constraints/any_properties.h>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "CosTrading.h"
#include "CosTradingDynamic.h"

namespace callis::trading {

class TypeOffers;
class Offer;

using OfferNumber = std::uint64_t;
using Slot = std::uint16_t;

// The data that make an offer a proxy offer; its reference is the target's.
struct Proxy {
  bool if_match_all = false;
  std::string recipe;
  CosTrading::PolicySeq policies;
};

class OfferPtr final {
 public:
  OfferPtr() = default;
  explicit OfferPtr(const Offer* offer);  // adds a count
  OfferPtr(const OfferPtr& o) : OfferPtr(o.offer_) {}
  OfferPtr(OfferPtr&& o) noexcept : offer_(std::exchange(o.offer_, nullptr)) {}
  OfferPtr& operator=(OfferPtr o) noexcept {
    std::swap(offer_, o.offer_);
    return *this;
  }
  ~OfferPtr();
  const Offer* operator->() const { return offer_; }
  const Offer& operator*() const { return *offer_; }
  const Offer* get() const { return offer_; }
  explicit operator bool() const { return offer_ != nullptr; }

 private:
  const Offer* offer_ = nullptr;
};

class Offer final {
 public:
  struct Part {
    Slot slot;
    const CORBA::Any* value;
  };
  // parts: each slot once at most. reference: of the object, as Keeper makes it.
  // held: what it has of the bound on memory, until nobody refers to it.
  static OfferPtr make(OfferNumber number, std::shared_ptr<const TypeOffers> of_type, std::string_view reference,
                       const std::vector<Part>& parts, std::unique_ptr<const Proxy> proxy,
                       services::MemoryBound::Hold held);

  // Whether a cell can hold what an Any of this very type holds, and it be made again of the cell. Others are kept as
  // Anys.
  static bool is_plain(CORBA::TypeCode_ptr type);
  static constexpr std::size_t kCellBytes = 16;

  OfferNumber number() const { return number_; }
  const TypeOffers& of_type() const { return *type_offers_; }
  const Proxy* proxy() const { return proxy_.get(); }
  std::string_view reference() const { return {bytes_of_reference(), reference_size_}; }
  // One above the last that it has a cell for.
  Slot slots() const { return slots_; }

  bool has(Slot slot) const { return slot < slots_ && cells()[slot].form != kNone; }
  bool is_dynamic(Slot slot) const { return slot < slots_ && cells()[slot].form == kDynamic; }
  bool has_dynamic() const { return has_dynamic_; }
  // Missing where there is none, and of dynamic ones. Lives as long as the offer.
  constraints::Value value(Slot slot) const;
  // As it was exported. nothing: there is none.
  std::optional<CORBA::Any> any(Slot slot) const;
  // nullptr: it is not dynamic.
  const CosTradingDynamic::DynamicProp* dynamic(Slot slot) const;

  // Where TypeOffers has it; only TypeOffers, which locks.
  mutable std::uint32_t position = 0;

 private:
  friend class OfferPtr;
  static constexpr std::uint8_t kNone = 0xff, kDynamic = 0xfe, kComplex = 0xfd;  // besides values of TCKind
  struct Complex {
    explicit Complex(const CORBA::Any& from) : any(from), decoded(from) {}
    const CORBA::Any any;
    const constraints::Decoded decoded;
    const CosTradingDynamic::DynamicProp* dynamic = nullptr;  // any's
  };
  struct Cell {
    union {
      std::int64_t whole;
      std::uint64_t bits;
      double real;
      const char* text;
      const Complex* complex;
    } as;
    std::uint32_t size;      // of a text
    constraints::Kind kind;  // as constraints see it
    std::uint8_t form;
  };
  static_assert(sizeof(Cell) == kCellBytes);

  using Hold = services::MemoryBound::Hold;

  Offer(OfferNumber number, std::shared_ptr<const TypeOffers> of_type, std::unique_ptr<const Proxy> proxy)
      : number_(number), proxy_(std::move(proxy)), type_offers_(std::move(of_type)) {}
  ~Offer() = default;
  static void put(Cell& cell, const CORBA::Any& any);  // a Complex
  static void put(Cell& cell, std::uint8_t form, const constraints::Value& value, char*& texts);
  const Cell* cells() const { return reinterpret_cast<const Cell*>(this + 1); }
  const Hold* held() const { return reinterpret_cast<const Hold*>(cells() + slots_); }
  const char* bytes_of_reference() const { return reinterpret_cast<const char*>(held() + 1); }
  static void release(const Offer* offer);

  mutable std::atomic<std::uint32_t> count_{0};
  std::uint32_t reference_size_ = 0;
  Slot slots_ = 0;
  bool has_dynamic_ = false;
  const OfferNumber number_;
  const std::unique_ptr<const Proxy> proxy_;
  const std::shared_ptr<const TypeOffers> type_offers_;
};

inline OfferPtr::OfferPtr(const Offer* offer) : offer_(offer) {
  if (offer_) offer_->count_.fetch_add(1, std::memory_order_relaxed);
}
inline OfferPtr::~OfferPtr() {
  if (offer_ && offer_->count_.fetch_sub(1, std::memory_order_acq_rel) == 1) Offer::release(offer_);
}

inline constraints::Value Offer::value(Slot slot) const {
  using constraints::Kind;
  using constraints::Value;
  if (slot >= slots_) return {};
  const Cell& c = cells()[slot];
  switch (c.kind) {
    case Kind::Integer: return Value::integer(c.as.whole);
    case Kind::Real: return Value::real(c.as.real);
    case Kind::Text: return Value::text({c.as.text, c.size});
    case Kind::Boolean: return Value::boolean(c.as.bits != 0);
    case Kind::Unsigned: return Value::number(c.as.bits);
    case Kind::Missing: return {};
    default: return c.as.complex->decoded.value();
  }
}

}  // namespace callis::trading
