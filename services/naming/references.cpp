// SPDX-License-Identifier: Apache-2.0
// References to contexts, with the addresses of all instances; references as bytes; addresses as text.
#include <callis/base/text.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/context/orb_context.h>
#include <callis/orb/core/object_of.h>
#include <services/naming/references.h>
#include <algorithm>
#include <bit>
#include <cstring>

namespace callis::naming {

namespace {

using From = orb::MessageSource::From;

constexpr std::size_t kIdBytes = 16;
constexpr const char* kTypeId = "IDL:omg.org/CosNaming/NamingContextExt:1.0";

void put_number(Byte* to, Number number) {
  for (std::size_t i = 8; i-- > 0; number >>= 8) to[i] = static_cast<Byte>(number & 0xff);
}
Number get_number(const Byte* from) {
  Number out = 0;
  for (std::size_t i = 0; i < 8; ++i) out = out << 8 | from[i];
  return out;
}

ByteView key_in(const ior::Ior& ior) {
  ByteView key;
  for (const ior::TaggedProfile& p : ior.profiles)
    if (ior::find_object_key(p.tag, p.data, key) == Fault::None) return key;
  return {};
}

}  // namespace

References::References(PortableServer::POA_ptr poa, Number identity)
    : poa_(PortableServer::POA::_duplicate(poa)), identity_(identity) {
  root_ = context(kRoot);
  const ByteView key = key_in(ior_of(root_.in()));
  if (key.size() >= kIdBytes) key_prefix_.assign(key.begin(), key.end() - kIdBytes);
}

const ior::Ior& References::ior_of(CORBA::Object_ptr object) const { return object->_callis_reference()->ior(); }

CORBA::Object_var References::make(ior::Ior&& ior, orb::MessageSource::From from) const {
  auto reference =
      orb::ReferencePtr::adopt(new orb::Reference(root_->_callis_reference()->orb(), std::move(ior), {}, from));
  return orb::make_object(*reference);
}

CORBA::Object_var References::context(Number number) const {
  PortableServer::ObjectId id;
  id.length(kIdBytes);
  put_number(id.get_buffer(), identity_);
  put_number(id.get_buffer() + 8, number);
  CORBA::Object_var plain = poa_->create_reference_with_id(id, kTypeId);
  std::vector<ior::Address> others;
  {
    const std::lock_guard lock(mutex_);
    others = others_;
  }
  if (others.empty()) return plain;
  ior::Ior all = ior_of(plain.in());
  ior::add_components(all, {}, [&](std::uint32_t tag, std::vector<ior::TaggedComponent>& to) {
    if (tag != ior::kInternetProfile) return;
    for (const ior::Address& a : others) to.push_back(ior::alternate_address_component(a));
  });
  return make(std::move(all), orb::MessageSource::From::Self);
}

std::optional<Number> References::number_in(ByteView id) const {
  if (id.size() != kIdBytes) return std::nullopt;
  const Number identity = get_number(id.data()), number = get_number(id.data() + 8);
  // The root of an earlier life whose store was in memory is the root.
  if (identity != identity_ && number != kRoot) return std::nullopt;
  return number;
}

std::optional<Number> References::own_context(CORBA::Object_ptr object) const {
  if (!object || !object->_callis_reference()) return std::nullopt;
  const ByteView key = key_in(ior_of(object));
  if (key.size() != key_prefix_.size() + kIdBytes ||
      !std::equal(key_prefix_.begin(), key_prefix_.end(), key.begin()))
    return std::nullopt;
  const Byte* const id = key.data() + key_prefix_.size();
  if (get_number(id) != identity_) return std::nullopt;
  return get_number(id + 8);
}

std::vector<ior::Address> References::own_addresses() const {
  for (const ior::TaggedProfile& p : ior_of(root_.in()).profiles) {
    if (p.tag != ior::kInternetProfile) continue;
    const auto read = ior::parse_iiop(p.data);
    if (read) return ior::addresses(read.value());
  }
  return {};
}

bool References::set_others(std::vector<ior::Address> addresses) {
  const std::vector<ior::Address> own = own_addresses();
  std::erase_if(addresses, [&](const ior::Address& a) { return std::find(own.begin(), own.end(), a) != own.end(); });
  const std::lock_guard lock(mutex_);
  if (addresses == others_) return false;
  others_ = std::move(addresses);
  return true;
}

std::string References::to_bytes(CORBA::Object_ptr object) {
  static const ior::Ior kNil;
  if (object && !object->_callis_reference())
    orb::raise<CORBA::MARSHAL>(orb::omg(4), CORBA::COMPLETED_NO, "an object that never leaves its process");
  Buffer buffer;
  cdr::Encoder encoder(buffer, ByteOrder::Little);
  ior::encode(encoder, object ? object->_callis_reference()->ior() : kNil);
  // Behind the reference; earlier versions do not look there.
  if (const From from = object ? object->_callis_reference()->from() : From::Self; from != From::Self)
    encoder.put_octet(static_cast<Byte>(from));
  encoder.finish();
  if (encoder.fault() != Fault::None) orb::throw_fault(encoder.fault(), "a reference", orb::Step::DecodeRequest);
  if (buffer.size() > kMostReferenceBytes)
    throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                           concat({"a reference has ", Decimal(buffer.size()), " bytes, more than ",
                                   Decimal(kMostReferenceBytes)}));
  return {reinterpret_cast<const char*>(buffer.data()), buffer.size()};
}

CORBA::Object_var References::from_bytes(std::string_view bytes) const {
  const Limits limits;
  cdr::Budget budget = cdr::Budget::of(limits, bytes.size());
  cdr::Decoder decoder({reinterpret_cast<const Byte*>(bytes.data()), bytes.size()}, ByteOrder::Little, budget);
  ior::Ior ior;
  if (!ior::decode(decoder, ior, limits) || ior.is_nil()) return CORBA::Object::_nil();
  // Without it: kept by an earlier version, or by an operator's program.
  const auto from = decoder.remaining() == 0 ? From::Kept : static_cast<From>(decoder.get_octet());
  return make(std::move(ior), std::min(from, From::Kept));
}

std::string to_text(const std::vector<ior::Address>& addresses) {
  std::string out;
  for (const ior::Address& a : addresses) {
    const bool brackets = a.host.find(':') != std::string::npos;
    if (!out.empty()) out += ',';
    out += concat({brackets ? "[" : "", a.host, brackets ? "]:" : ":", Decimal(a.port)});
  }
  return out;
}

std::vector<ior::Address> addresses_in(std::string_view text) {
  std::vector<ior::Address> out;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view one = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    const std::size_t colon = one.rfind(':');
    std::uint64_t port = 0;
    if (colon == std::string_view::npos || !parse_decimal(one.substr(colon + 1), 65535, port) || port == 0) continue;
    std::string_view host = one.substr(0, colon);
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    if (!host.empty()) out.push_back({std::string(host), static_cast<std::uint16_t>(port)});
  }
  return out;
}

}  // namespace callis::naming
