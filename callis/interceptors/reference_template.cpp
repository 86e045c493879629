// SPDX-License-Identifier: Apache-2.0
// Templates make references of a sample: they put another type and key into its profiles.
#include <callis/interceptors/contexts.h>
#include <callis/interceptors/reference_template.h>
#include <callis/ior/iiop_profile.h>
#include <callis/ior/memory_profile.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/context/orb_context.h>
#include <callis/orb/core/object_of.h>
#include <callis/poa/adapter/adapter.h>
#include <optional>

namespace callis::interceptors {
namespace {

namespace PI = PortableInterceptor;

// Returns the key in a profile, if this ORB has its transport.
std::optional<ior::Bytes> key_in(const ior::TaggedProfile& p, const Limits& limits) {
  if (p.tag == ior::kMemoryProfile) {
    auto read = ior::parse_memory(p.data, limits);
    return read ? std::optional(std::move(read.value().object_key)) : std::nullopt;
  }
  if (p.tag != ior::kInternetProfile && p.tag != ior::kUiopProfile) return {};
  auto read = p.tag == ior::kUiopProfile ? ior::parse_uiop(p.data, limits) : ior::parse_iiop(p.data, limits);
  return read ? std::optional(std::move(read.value().object_key)) : std::nullopt;
}

// Profiles that cannot be read stay as they are.
void put_key(ior::TaggedProfile& p, ByteView key, const Limits& limits) {
  if (p.tag == ior::kMemoryProfile) {
    if (const auto read = ior::parse_memory(p.data, limits)) p = ior::memory_profile(read.value().endpoint, key);
    return;
  }
  const bool uiop = p.tag == ior::kUiopProfile;
  if (!uiop && p.tag != ior::kInternetProfile) return;
  const auto read = uiop ? ior::parse_uiop(p.data, limits) : ior::parse_iiop(p.data, limits);
  if (!read) return;
  const ior::IiopProfile& body = read.value();
  p = uiop ? ior::uiop_profile(body.version, body.address.host, key, body.components)
           : ior::to_profile(body.version, body.address, key, body.components);
}

// Returns the sample with that type and key.
orb::ReferencePtr with_key(CORBA::Object_ptr sample, const std::string& type_id, ByteView key) {
  orb::Reference& of = orb::reference_of(sample);
  ior::Ior ior = of.ior();
  ior.type_id = type_id;
  for (ior::TaggedProfile& p : ior.profiles) put_key(p, key, of.orb().limits());
  return orb::ReferencePtr::adopt(new orb::Reference(of.orb(), std::move(ior)));
}

CORBA::OctetSeq octets(ByteView bytes) {
  CORBA::OctetSeq all;
  fill(all, bytes);
  return all;
}

CORBA::Object_ptr sample_of(const poa::Adapter& adapter, ByteView prefix, const orb::AdapterNotes& components) {
  const CORBA::Object_var plain = adapter.make_reference("", prefix);
  orb::ReferencePtr made = orb::ReferencePtr(&orb::reference_of(plain.in()));
  components.complete(made);
  return orb::make_object(*made);
}

struct Factory final : CORBA::ValueFactoryBase {
  CORBA::ValueBase* create_for_unmarshal() override { return new ReferenceTemplate; }
};

}  // namespace

ReferenceTemplate::ReferenceTemplate() = default;
ReferenceTemplate::ReferenceTemplate(const ReferenceTemplate&) = default;
ReferenceTemplate::~ReferenceTemplate() = default;

ReferenceTemplate::ReferenceTemplate(poa::Adapter& adapter, const char* orb_id, const char* server_id,
                                     const orb::AdapterNotes& components)
    : registry_(&adapter.registry()) {
  of_server(server_id);
  of_orb(orb_id);
  of_adapter(name_of(adapter));
  const std::vector<Byte> before_ids = adapter.reference_key({});
  prefix(octets(before_ids));
  const CORBA::Object_var one = sample_of(adapter, before_ids, components);
  sample(one.in());
}

CORBA::Object_ptr ReferenceTemplate::make_object(const char* repository_id, const PI::ObjectId& id) {
  if (!repository_id) orb::raise<CORBA::BAD_PARAM>(0, CORBA::COMPLETED_NO, "null repository id");
  if (!sample()) orb::raise<CORBA::BAD_INV_ORDER>(0, CORBA::COMPLETED_NO, "a template without its state");
  const ByteView before_ids = bytes_of(prefix()), of_object = bytes_of(id);
  std::vector<Byte> key(before_ids.begin(), before_ids.end());
  key.insert(key.end(), of_object.begin(), of_object.end());
  if (registry_) return registry_->references().make(repository_id, key, this, nullptr);
  return orb::make_object(*with_key(sample(), repository_id, key));
}

// `made` has the key, with a seal if there are seals. Everything else stands in the sample.
void ReferenceTemplate::complete(orb::ReferencePtr& made) const {
  for (const ior::TaggedProfile& p : made->ior().profiles)
    if (const auto key = key_in(p, made->orb().limits())) {
      made = with_key(sample(), made->ior().type_id, *key);
      return;
    }
}

PI::AdapterName name_of(const poa::Adapter& adapter) {
  std::vector<const char*> names;
  for (const poa::Adapter* a = &adapter; a; a = a->parent()) names.push_back(a->name().c_str());
  PI::AdapterName list;
  list.length(static_cast<CORBA::ULong>(names.size()));
  for (CORBA::ULong i = 0; i < list.length(); ++i) list[i] = names[names.size() - 1 - i];
  return list;
}

bool use_templates() {
  const CORBA::ValueFactory_var factory = new Factory;
  const CORBA::ValueFactory_var before =
      value::register_value_factory(callis_value_AdapterTemplate.repository_id, factory.in());
  return true;
}

}  // namespace callis::interceptors
