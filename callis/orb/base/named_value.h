// SPDX-License-Identifier: Apache-2.0
// CORBA::NamedValue and CORBA::NVList (CORBA 3.3 part 1, 11.1.1 and 11.4; C++ mapping 1.3): the form in which
// properties of a Context are set and found.
//
// Counted. One thread at a time may use a list and its items.
#pragma once
#include <callis/classic/exception.h>
#include <callis/classic/string.h>
#include <callis/orb/base/pseudo_object.h>
#include <callis/typecode/any.h>
#include <new>

namespace CORBA::inline callis_orb {

using Flags = ULong;
using Flags_out = ULong_out;
inline constexpr Flags ARG_IN = 1, ARG_OUT = 2, ARG_INOUT = 3;
inline constexpr Flags CTX_RESTRICT_SCOPE = 15;

// An index at or beyond NVList::count().
class Bounds final : public UserException {
 public:
  [[noreturn]] void _raise() const override;
  const char* _name() const noexcept override;
  const char* _rep_id() const noexcept override;
  Exception* _duplicate() const override;
  static Bounds* _downcast(Exception* e) { return dynamic_cast<Bounds*>(e); }
  static const Bounds* _downcast(const Exception* e) { return dynamic_cast<const Bounds*>(e); }
  static Bounds* _narrow(Exception* e) { return _downcast(e); }
};

class NVList;
class NamedValue;
class Request;
using NVList_ptr = NVList*;
using NamedValue_ptr = NamedValue*;

// The results of name() and value() belong to the NamedValue.
class NamedValue final : public callis::orb::PseudoObject<NamedValue> {
 public:
  const char* name() const noexcept { return name_ ? name_ : ""; }
  Any* value() noexcept { return &value_; }
  Flags flags() const noexcept { return flags_; }

 private:
  friend class callis::orb::PseudoObject<NamedValue>;
  friend class NVList;
  friend class ORB;
  friend class Request;
  // In a block, which it has entered; nullptr: alone.
  explicit NamedValue(Flags flags, callis::orb::Block* block = nullptr) noexcept : flags_(flags), block_(block) {}
  ~NamedValue() {
    if (name_) string_free(name_);
  }
  static void callis_end(NamedValue* ended) noexcept;

  Flags flags_;
  callis::orb::Block* const block_;
  char* name_ = nullptr;
  Any value_;
};

// The items that its functions return belong to the list. The first four lie in the list's block, behind it.
class NVList final : public callis::orb::PseudoObject<NVList> {
 public:
  NVList() noexcept : NVList(callis::orb::Block::of(this)) {}
  static void* operator new(std::size_t);  // in a block of its own
  static void operator delete(void* list) noexcept { callis::orb::Block::of(list).leave(); }

  ULong count() const noexcept { return count_; }
  NamedValue_ptr add(Flags flags);
  NamedValue_ptr add_item(const char* name, Flags flags);
  NamedValue_ptr add_value(const char* name, const Any& value, Flags flags);
  // Take over the name, which string_free() frees, and the value, which `delete` frees.
  NamedValue_ptr add_item_consume(char* name, Flags flags);
  NamedValue_ptr add_value_consume(char* name, Any* value, Flags flags);
  // Both raise Bounds.
  NamedValue_ptr item(ULong index) const {
    if (index >= count_) [[unlikely]] out_of_bounds();
    return items_[index];
  }
  void remove(ULong index);

 private:
  friend class callis::orb::PseudoObject<NVList>;
  friend class Request;
  static constexpr ULong kNear = 4;
  static constexpr std::size_t bytes() { return sizeof(NVList) + kNear * sizeof(NamedValue); }  // behind its Block
  explicit NVList(callis::orb::Block& block) noexcept : block_(block) {}
  ~NVList();
  static void callis_end(NVList* ended) noexcept;
  [[noreturn]] static void out_of_bounds();
  void grow();

  callis::orb::Block& block_;
  NamedValue_ptr* items_ = near_;
  ULong count_ = 0, room_ = kNear;
  ULong placed_ = 0;  // items that have been made in the block
  NamedValue_ptr near_[kNear];
};

inline Boolean is_nil(NamedValue_ptr p) { return p == nullptr; }
inline Boolean is_nil(NVList_ptr p) { return p == nullptr; }
inline void release(NamedValue_ptr p) {
  if (p) p->_remove_ref();
}
inline void release(NVList_ptr p) {
  if (p) p->_remove_ref();
}

using NamedValue_var = callis::classic::ReferenceVar<NamedValue>;
using NamedValue_out = callis::classic::ReferenceOut<NamedValue>;
using NVList_var = callis::classic::ReferenceVar<NVList>;
using NVList_out = callis::classic::ReferenceOut<NVList>;

}  // namespace CORBA::inline callis_orb
