// SPDX-License-Identifier: Apache-2.0
#include <callis/marshal/handlers.h>
#include <callis/typecode/internal/message_types.h>
#include <cstring>
#include <new>

namespace callis::typecode {

namespace {

marshal::ScopeAttachment* attachment(const cdr::Decoder& d) {
  const auto attached = marshal::value_scopes().attachment;
  return attached && d.values() ? &attached(d.values()) : nullptr;
}

}  // namespace

MessageTypes::~MessageTypes() {
  for (auto& [key, entry] : by_bytes_) CORBA::release(entry.type);
}

bool MessageTypes::Key::operator<(const Key& other) const {
  if (hash != other.hash) return hash < other.hash;
  if (wire.size() != other.wire.size()) return wire.size() < other.wire.size();
  if (order != other.order) return order < other.order;
  return std::memcmp(wire.data(), other.wire.data(), wire.size()) < 0;
}

MessageTypes* MessageTypes::of(cdr::Decoder& d) noexcept {
  marshal::ScopeAttachment* const at = attachment(d);
  if (!at) return nullptr;
  if (!at->object && (at->object = new (std::nothrow) MessageTypes))
    at->drop = [](void* types) noexcept { delete static_cast<MessageTypes*>(types); };
  return static_cast<MessageTypes*>(at->object);
}

const MessageTypes* MessageTypes::known(const cdr::Decoder& d) noexcept {
  const marshal::ScopeAttachment* const at = attachment(d);
  return at ? static_cast<const MessageTypes*>(at->object) : nullptr;
}

TypeCode_ptr MessageTypes::find(ByteView wire, std::uint64_t hash, ByteOrder order,
                                const cdr::Budget& budget) const noexcept {
  const auto known = by_bytes_.find({hash, wire, order});
  if (known == by_bytes_.end() || known->second.depth > budget.depth_left) return nullptr;
  return TypeCode::_duplicate(known->second.type);
}

void MessageTypes::keep(ByteView wire, std::uint64_t hash, TypeCode_ptr type, std::uint32_t depth,
                        cdr::Decoder& d) noexcept try {
  if (!d.charge(sizeof(std::pair<Key, Entry>) + wire.size())) return;
  std::unique_ptr<Byte[]> copy(new Byte[wire.size()]);
  std::memcpy(copy.get(), wire.data(), wire.size());
  const Key key{hash, {copy.get(), wire.size()}, d.order()};
  const auto [at, fresh] = by_bytes_.try_emplace(key);
  if (fresh) at->second = {std::move(copy), TypeCode::_duplicate(type), depth};
} catch (const std::bad_alloc&) {
  d.set_fault(Fault::OutOfMemory);
}

}  // namespace callis::typecode
