// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/base/errors.h>
#include <tools/bridge/signatures.h>
#include <tools/bridge/translation.h>

namespace callis::tools {

using Guard = std::lock_guard<std::recursive_mutex>;

const Signatures::Interface* Signatures::find_interface(const std::string& id) {
  const Guard guard(types_.mutex);
  return types_.find_interface(id);
}

const Signatures::Operations& Signatures::operations(const Interface& interface) {
  const auto [at, fresh] = operations_.try_emplace(&interface);
  if (fresh) {
    for (const idl::ast::WireOperation& o : idl::ast::all_operations(interface)) at->second.emplace(o.name, o);
  }
  return at->second;
}

std::shared_ptr<const KnownOperation> Signatures::find(const Interface& interface, const std::string& operation) {
  const Guard guard(types_.mutex);
  const auto known = known_.find({&interface, operation});
  if (known != known_.end()) return known->second;
  const Operations& all = operations(interface);
  const auto declared = all.find(operation);
  if (declared == all.end()) return nullptr;
  auto made = std::make_shared<KnownOperation>();
  try {
    made->signature = signature_of(types_, declared->second);
  } catch (const NoSuchType&) {
    orb::raise<CORBA::BAD_TYPECODE>(0, CORBA::COMPLETED_NO, "the operation has a type that is never sent");
  }
  for (const Signature::Parameter& p : made->signature.parameters)
    made->translated.push_back(may_hold_references(*p.type.in()));
  made->translated_result = may_hold_references(*made->signature.result.in());
  known_.emplace(std::pair(&interface, operation), made);
  return made;
}

const Signatures::Interface* Signatures::search(const std::string& operation,
                                                const std::function<bool(const char* id)>& is_a) {
  std::vector<const Interface*> candidates;
  {
    const Guard guard(types_.mutex);
    for (const Interface* i : types_.interfaces()) {
      if (operation.empty() || operations(*i).contains(operation)) candidates.push_back(i);
    }
  }
  for (const Interface* i : candidates) {
    if (is_a(i->repository_id.c_str())) return i;
  }
  return nullptr;
}

}  // namespace callis::tools
