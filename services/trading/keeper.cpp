// SPDX-License-Identifier: Apache-2.0
// Values and bytes, and the condition by which a store has one trader.
#include <callis/ior/ior.h>
#include <callis/orb/client/reference.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/object_of.h>
#include <callis/typecode/coder.h>
#include <callis/value/wire.h>
#include <services/common/memory_store.h>
#include <services/common/store_failed.h>
#include <services/trading/keeper.h>
#include <sys/random.h>
#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <new>

namespace callis::trading {

namespace {

constexpr const char *kIdentity = "a/identity", *kOwner = "a/owner";

}  // namespace

namespace {

template<std::size_t N>
std::array<std::uint64_t, N> drawn() {
  std::array<std::uint64_t, N> out{};
  if (::getrandom(out.data(), sizeof out, 0) != static_cast<ssize_t>(sizeof out))
    throw CORBA::NO_RESOURCES(0, CORBA::COMPLETED_NO, "the system has no random number");
  return out;
}

}  // namespace

std::uint64_t draw() { return drawn<1>()[0]; }

std::string draw_digits() {
  const auto bits = drawn<2>();
  return to_digits(bits[0]) + to_digits(bits[1]);
}

std::string to_digits(std::uint64_t number) {
  std::string out(16, '0');
  for (std::size_t i = 16; i-- > 0; number >>= 4) out[i] = "0123456789abcdef"[number & 15];
  return out;
}

bool from_digits(std::string_view digits, std::uint64_t& out) {
  if (digits.size() != 16) return false;
  const auto read = std::from_chars(digits.data(), digits.data() + 16, out, 16);
  return read.ec == std::errc() && read.ptr == digits.data() + 16 && to_digits(out) == digits;
}

Keeper::Keeper(CORBA::ORB_ptr orb, services::Store& store)
    : orb_(*dynamic_cast<orb::Core*>(orb)),
      store_(store),
      in_memory_(dynamic_cast<services::MemoryStore*>(&store) != nullptr) {
  const CORBA::Object_var object = orb->resolve_initial_references("CodecFactory");
  const IOP::CodecFactory_var factory = IOP::CodecFactory::_narrow(object.in());
  codec_ = factory->create_codec({IOP::ENCODING_CDR_ENCAPS, 1, 2});
  store_.read(kIdentity, [&](services::Pair&& p) { identity_ = p.value; });
  new_identity_ = identity_.empty();
  if (new_identity_) identity_ = to_digits(draw());
  if (store_.shared()) take_over();
}

// Of a shared store it is the first step: the trader before may write until then.
void Keeper::take_over() {
  if (owner_ != 0) return;
  services::Transaction t;
  if (new_identity_) {
    t.conditions.push_back({kIdentity, 0});
    t.puts.emplace_back(kIdentity, identity_);
  }
  t.puts.emplace_back(kOwner, to_digits(draw()));
  const services::Outcome outcome = store_.commit(t);
  if (!outcome.applied)
    throw services::StoreFailed(services::StoreFailed::InUse,
                                "another trader has begun to use the store at the same moment: start this one again");
  owner_ = outcome.revision;
}

void Keeper::keep(const Changes& changes) {
  services::Transaction t;
  t.conditions.push_back({kOwner, owner_});
  t.puts = changes.puts;
  t.erased = changes.erased;
  bool applied = false;
  try {
    applied = store_.commit(t).applied;
  } catch (const services::StoreFailed& e) {
    services::raise(e);
  }
  if (applied) return;
  owns_ = false;
  throw CORBA::PERSIST_STORE(0, CORBA::COMPLETED_NO,
                             "another trader has taken the store over: this one changes nothing any more");
}

// The sender stands behind the encapsulation, where earlier versions do not look.
std::string Keeper::encode(const CORBA::Any& any, From from) const {
  try {
    const CORBA::OctetSeq_var bytes = codec_->encode_value(any);
    std::string out(reinterpret_cast<const char*>(bytes->get_buffer()), bytes->length());
    if (from != From::Self) out += static_cast<char>(from);
    return out;
  } catch (const IOP::Codec::InvalidTypeForEncoding&) {
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "a value that never leaves its process");
  }
}

std::size_t Keeper::size_of(const CORBA::Any& value) const {
  CORBA::Any outer;
  outer <<= value;
  const CORBA::OctetSeq_var bytes = codec_->encode_value(outer);
  return bytes->length();
}

bool Keeper::decode(std::string_view bytes, CORBA::TypeCode_ptr type, CORBA::Any*& out) const {
  if (bytes.empty() || static_cast<unsigned char>(bytes[0]) > 1) return false;
  const auto read = [&](From from, CORBA::Any& any, std::size_t& rest) {
    cdr::Budget budget = cdr::Budget::of(orb_.limits(), bytes.size());
    const ByteView view(reinterpret_cast<const Byte*>(bytes.data()), bytes.size());
    cdr::Decoder decoder(view, static_cast<ByteOrder>(bytes[0]), budget);
    decoder.set_context(orb_.source(from));
    (void)decoder.get_octet();
    {
      const value::DecodeScope scope(decoder);
      typecode::get_any_value(decoder, type, any);
    }
    rest = decoder.remaining();
    if (decoder.fault() == Fault::OutOfMemory) throw std::bad_alloc();
    return decoder.ok();
  };
  std::size_t rest = 0;
  auto any = std::make_unique<CORBA::Any>();
  if (!read(From::Kept, *any, rest)) return false;
  if (rest != 0) {
    const auto from = std::min(static_cast<From>(bytes.back()), From::Kept);
    any = std::make_unique<CORBA::Any>();
    if (!read(from, *any, rest)) return false;
  }
  out = any.release();
  return true;
}

std::string Keeper::reference_to_bytes(CORBA::Object_ptr object) const {
  CORBA::Any any;
  any <<= object;
  const bool has = !CORBA::is_nil(object) && object->_callis_reference();
  return encode(any, has ? object->_callis_reference()->from() : From::Self);
}

// By hand: each offer that a query finds comes here.
CORBA::Object_var Keeper::reference_of(std::string_view bytes) const {
  if (bytes.empty() || static_cast<unsigned char>(bytes[0]) > 1) return CORBA::Object::_nil();
  cdr::Budget budget = cdr::Budget::of(orb_.limits(), bytes.size());
  cdr::Decoder decoder({reinterpret_cast<const Byte*>(bytes.data()), bytes.size()}, static_cast<ByteOrder>(bytes[0]),
                       budget);
  (void)decoder.get_octet();
  ior::Ior ior;
  if (!ior::decode(decoder, ior, orb_.limits()) || ior.is_nil()) return CORBA::Object::_nil();
  const auto from = decoder.remaining() == 0 ? From::Kept : static_cast<From>(decoder.get_octet());
  auto reference =
      orb::ReferencePtr::adopt(new orb::Reference(orb_, std::move(ior), {}, std::min(from, From::Kept)));
  return orb::make_object(*reference);
}

}  // namespace callis::trading
