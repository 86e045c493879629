// SPDX-License-Identifier: Apache-2.0
// ContextServant: the default servant that stands for all contexts. It turns names into paths, answers into
// exceptions, and asks other services where a name leads to them. Any thread; it keeps nothing of a request.
#pragma once
#include <services/common/stats.h>
#include <services/naming/directory.h>
#include <services/naming/federation.h>
#include <services/naming/iterators.h>
#include <services/naming/references.h>
#include <atomic>
#include "CosNaming_skel.h"

namespace callis::naming {

// What the servant works with; outlives it.
struct ServiceParts {
  Directory& directory;
  References& references;
  Iterators& iterators;
  Federation& federation;
  bool readonly;
  services::Counters::Counter& resolved;
  services::Counters::Counter& changed;
  services::Counters::Counter& refused;  // by user exceptions
  services::Counters::Counter& asked;    // of other services
};

// Runs f, whose refusals become system exceptions.
template <class F>
auto answered(F&& f) {
  try {
    return f();
  } catch (const services::StoreFailed& failed) {
    services::raise(failed);
  } catch (const Refused& refused) {
    if (refused.kind == Refused::Kind::TooMany) throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO, refused.why);
    throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, refused.why);
  }
}

class ContextServant final : public POA_CosNaming::NamingContextExt {
 public:
  explicit ContextServant(ServiceParts parts) : parts_(parts) {}

  void bind(const CosNaming::Name& n, CORBA::Object_ptr obj) override;
  void rebind(const CosNaming::Name& n, CORBA::Object_ptr obj) override;
  void bind_context(const CosNaming::Name& n, CosNaming::NamingContext_ptr nc) override;
  void rebind_context(const CosNaming::Name& n, CosNaming::NamingContext_ptr nc) override;
  CORBA::Object_ptr resolve(const CosNaming::Name& n) override;
  void unbind(const CosNaming::Name& n) override;
  CosNaming::NamingContext_ptr new_context() override;
  CosNaming::NamingContext_ptr bind_new_context(const CosNaming::Name& n) override;
  void destroy() override;
  void list(CORBA::ULong how_many, CosNaming::BindingList_out bl, CosNaming::BindingIterator_out bi) override;

  char* to_string(const CosNaming::Name& n) override;
  CosNaming::Name* to_name(const char* sn) override;
  char* to_url(const char* addr, const char* sn) override;
  CORBA::Object_ptr resolve_str(const char* sn) override;

 private:
  // The context that the request is for.
  Number here() const;
  void may_change() const;
  CORBA::Object_var object_of(const Binding& binding) const;
  CORBA::Object_ptr resolve(Path name);
  void bind_object(const CosNaming::Name& n, CORBA::Object_ptr obj, bool replace);
  void bind_context(const CosNaming::Name& n, CosNaming::NamingContext_ptr nc, bool replace);
  // Where the answer is not Done: throws what it says. Returns whether another service has to be asked.
  bool elsewhere(const Answer& answer, Path name) const;

  const ServiceParts parts_;
};

}  // namespace callis::naming
