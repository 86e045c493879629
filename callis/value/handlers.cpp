// SPDX-License-Identifier: Apache-2.0
// Values as the marshaling engine sees them: a counted pointer in a slot. Copies share the value, as X_vars do,
// unless the copy is of a value as a whole.
#include <callis/marshal/handlers.h>
#include <callis/value/internal/copies.h>
#include <callis/value/internal/handlers.h>
#include <callis/value/internal/scope.h>
#include <callis/value/wire.h>
#include <cstring>
#include <new>
#include <utility>

namespace callis::value {
namespace {

const ValueLink* link_of(const void* link) { return static_cast<const ValueLink*>(link); }

void* typed(const void* slot) {
  void* p;
  std::memcpy(&p, slot, sizeof p);
  return p;
}

void set(void* slot, void* p) { std::memcpy(slot, &p, sizeof p); }

}  // namespace

CORBA::ValueBase* value_in(const void* slot, const ValueLink* l) noexcept {
  void* const p = typed(slot);
  return p && l && l->to_base ? l->to_base(p) : static_cast<CORBA::ValueBase*>(p);
}

namespace {

void encode(cdr::Encoder& e, const void* slot, const void* link) {
  put_value(e, value_in(slot, link_of(link)), link_of(link));
}

void destroy(void* slot, const void* link) {
  CORBA::ValueBase* const v = value_in(slot, link_of(link));
  set(slot, nullptr);
  if (v) v->_remove_ref();
}

void decode(cdr::Decoder& d, void* slot, const void* link) {
  CORBA::ValueBase* const v = get_value(d, link_of(link));
  if (d.ok()) put_into(slot, link_of(link), v);
}

void skip(cdr::Decoder& d, const void* link) { skip_value(d, link_of(link)); }

// A value within one that is being copied as a whole.
[[gnu::noinline]] bool deep_copy(Copies& copies, void* to, CORBA::ValueBase& v, const ValueLink* l) {
  set(to, nullptr);
  if (copies.failure) return false;
  try {
    if (copies.later) return copies.places.push_back({to, &v, nullptr}), true;
    CORBA::ValueBase* const copied = copies.copy(v);
    set(to, l && l->from_base ? l->from_base(copied) : copied);
    return true;
  } catch (...) {
    copies.failure = std::current_exception();
    return false;
  }
}

bool copy(void* to, const void* from, const void* link) {
  if (CORBA::ValueBase* const v = value_in(from, link_of(link))) {
    if (Copies* const copies = copies_in_progress()) return deep_copy(*copies, to, *v, link_of(link));
    v->_add_ref();
  }
  set(to, typed(from));
  return true;
}

bool equal(const void* a, const void* b, const void*) { return typed(a) == typed(b); }

std::uint64_t hash(const void* slot, const void*) { return reinterpret_cast<std::uintptr_t>(typed(slot)) >> 4; }

void* value_of(const void* slot, const void* link) { return value_in(slot, link_of(link)); }

constexpr marshal::SlotHandlers kHandlers = {&encode, &decode, &skip,   &destroy, &copy,
                                             &equal,  &hash,   nullptr, &value_of};

void* open_writer() noexcept { return new (std::nothrow) Writer; }
void close_writer(void* scope) noexcept { delete static_cast<Writer*>(scope); }
void* open_reader(const void* around) noexcept {
  auto* const reader = new (std::nothrow) Reader;
  if (reader && around) reader->nest_in(*static_cast<const Reader*>(around));
  return reader;
}
void close_reader(void* scope, bool failed) noexcept {
  auto* const reader = static_cast<Reader*>(scope);
  if (failed) reader->empty_all();
  delete reader;
}
marshal::ScopeMark mark(const void* scope) noexcept { return static_cast<const Reader*>(scope)->mark(); }
void abandon(void* scope, marshal::ScopeMark mark) noexcept { static_cast<Reader*>(scope)->abandon(mark); }

bool writes_chunks(const void* scope) noexcept { return static_cast<const Writer*>(scope)->chunk_level != 0; }
bool name_types(void* scope, bool always) noexcept {
  return std::exchange(static_cast<Writer*>(scope)->names_types, always);
}
marshal::ScopeAttachment& attachment(void* scope) noexcept { return static_cast<Reader*>(scope)->attachment; }

}  // namespace

void put_into(void* slot, const ValueLink* formal, CORBA::ValueBase* v) noexcept {
  destroy(slot, formal);
  set(slot, v && formal && formal->from_base ? formal->from_base(v) : v);
}

void install_handlers() noexcept {
  link_finder = &find_link;
  marshal::set_slot_handlers(marshal::Kind::Value, kHandlers);
  marshal::set_value_scopes({&open_writer, &close_writer, &open_reader, &close_reader, &writes_chunks, &attachment,
                             &mark, &abandon, &name_types, &begin_described, &end_described,
                             &reads_described, &keep_described, &drop_described});
}

}  // namespace callis::value
