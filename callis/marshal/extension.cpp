// SPDX-License-Identifier: Apache-2.0
// Wide characters, fixed, unions, and what libraries above know of (handlers.h).
#include <callis/marshal/handlers.h>
#include <callis/marshal/internal/extension.h>
#include <callis/marshal/memory.h>
#include <callis/marshal/scope.h>
#include <cstring>

namespace callis::marshal {

namespace {

// ---- encode

// The discriminator, and the member that this selects.
void encode_union(const Program& p, const UnionPlan& u, const Byte* from, cdr::Encoder& e) {
  const std::uint64_t d = discriminator(u, from);
  if (u.check != kNoCheck && u.check != kBoolean && d >= u.check) return e.set_fault(Fault::BadEnum);
  if (u.discriminator() == Kind::WChar) {
    e.put_wchar(static_cast<wchar_t>(d));
  } else {
    switch (u.size()) {
      case 1:
        if (u.discriminator() == Kind::Char && !e.check_chars(from, 1)) return;
        e.put(static_cast<std::uint8_t>(d));
        break;
      case 2: e.put(static_cast<std::uint16_t>(d)); break;
      case 4: e.put(static_cast<std::uint32_t>(d)); break;
      default: e.put(d); break;
    }
  }
  const std::uint32_t member = selected_block(p, u, d);
  if (member != kNoBlock) encode_block(p, member, from + u.area, e);
}

void encode(const Program& p, const Instruction& i, const Byte* from, cdr::Encoder& e) {
  switch (i.op) {
    case Op::Union: return encode_union(p, p.at<UnionPlan>(i.a), from, e);
    case Op::WChar: return e.put_wchar(read<wchar_t>(from, 0));
    case Op::WString: return e.put_wstring(read<const wchar_t*>(from, 0), i.a);
    case Op::Fixed: return cdr::put_fixed(e, read<FixedValue>(from, 0), i.a, i.b);
    default: break;
  }
  const SlotHandlers* const h = slot_handlers(static_cast<Kind>(i.b));
  if (h) h->encode(e, from, p.link(i.a));
  else e.set_fault(Fault::Unsupported);
}

// ---- decode

// The old member goes, the new one is decoded into zeros.
void decode_union(const Program& p, const UnionPlan& u, Byte* to, cdr::Decoder& decoder, Arena* arena) {
  const std::uint64_t d = get_discriminator(u, decoder);
  if (!decoder.ok() || !decoder.enter()) return;
  if (u.owns() && !arena) {
    const std::uint32_t old = selected_block(p, u, discriminator(u, to));
    if (old != kNoBlock) destroy_block(p, old, to + u.area);
  }
  std::memset(to + u.area, 0, u.area_bytes);
  switch (u.size()) {
    case 1: *to = static_cast<Byte>(d); break;
    case 2: store(to, static_cast<std::uint16_t>(d)); break;
    case 4: store(to, static_cast<std::uint32_t>(d)); break;
    default: store(to, d); break;
  }
  const std::uint32_t member = selected_block(p, u, d);
  if (member != kNoBlock) decode_block(p, member, to + u.area, decoder, arena);
  decoder.leave();
}

void decode_wide(wchar_t** slot, std::uint32_t bound, cdr::Decoder& d, Arena* arena) {
  const std::uint32_t units = d.wstring_units(bound);
  if (!d.ok()) return;
  wchar_t* s = kEmptyWide;
  if (units != 0)
    s = arena ? static_cast<wchar_t*>(arena->allocate((std::size_t{units} + 1) * sizeof(wchar_t)))
              : wide_allocate(units);
  if (!s) return d.set_fault(Fault::OutOfMemory);
  if (!d.get_wide(s, units, bound)) {
    if (!arena) wide_free(s);
    return;
  }
  if (!arena) wide_free(*slot);
  *slot = s;
}

void decode(const Program& p, const Instruction& i, Byte* to, cdr::Decoder& d, Arena* arena) {
  switch (i.op) {
    case Op::Union: return decode_union(p, p.at<UnionPlan>(i.a), to, d, arena);
    case Op::WString: return decode_wide(reinterpret_cast<wchar_t**>(to), i.a, d, arena);
    case Op::WChar: {
      const wchar_t c = d.get_wchar();
      if (d.ok()) write(to, 0, c);
      return;
    }
    case Op::Fixed: {
      FixedValue v{};
      if (cdr::get_fixed(d, v, i.a, i.b)) write(to, 0, v);
      return;
    }
    default: break;
  }
  const SlotHandlers* const h = slot_handlers(static_cast<Kind>(i.b));
  if (h) h->decode(d, to, p.link(i.a));
  else d.set_fault(Fault::Unsupported);
}

// ---- destroy

void destroy(const Program& p, const Instruction& i, Byte* at) {
  if (i.op == Op::WString) {
    wide_free(read<wchar_t*>(at, 0));
    write<wchar_t*>(at, 0, nullptr);
  } else if (i.op == Op::Union) {
    // The member's owners become zeros; it stays selected.
    const UnionPlan& u = p.at<UnionPlan>(i.a);
    const std::uint32_t member = u.owns() ? selected_block(p, u, discriminator(u, at)) : kNoBlock;
    if (member != kNoBlock) destroy_block(p, member, at + u.area);
  } else if (const SlotHandlers* const h = slot_handlers(static_cast<Kind>(i.b))) {  // else there are no such values
    h->destroy(at, p.link(i.a));
  }
}

// ---- scopes

bool encode_scoped(const Plan& plan, const void* memory, cdr::Encoder& e) {
  const EncoderScope scope(e);
  return encode_block(*plan.program, plan.block, memory, e);
}
bool decode_scoped(const Plan& plan, void* memory, cdr::Decoder& d) {
  const DecoderScope scope(d);
  return decode_block(*plan.program, plan.block, memory, d, nullptr);
}

}  // namespace

const Extension kExtension{Builder::emit_extended, encode, decode, destroy, encode_scoped, decode_scoped,
                           WordMap::find_in, WordMap::put_in, remembered_facts};

}  // namespace callis::marshal
