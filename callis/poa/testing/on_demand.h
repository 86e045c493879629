// SPDX-License-Identifier: Apache-2.0
// OnDemand: adapters that get their servants at the first request.
#pragma once
#include <callis/poa/testing/fixture.h>

namespace callis::poa::testing {

using namespace PortableServer;

inline std::string text_of(const ObjectId& id) {
  const CORBA::String_var text = ObjectId_to_string(id);
  return text.in();
}

struct OnDemand : PoaTest {
  template <class... P>
  POA_ptr user_ids(const char* name, P*... policies) {
    return child(name, static_cast<CORBA::Policy*>(root->create_id_assignment_policy(USER_ID)),
                 static_cast<CORBA::Policy*>(policies)...);
  }
  CORBA::Policy_ptr processing(RequestProcessingPolicyValue v) { return root->create_request_processing_policy(v); }
  CORBA::Policy_ptr retention(ServantRetentionPolicyValue v) { return root->create_servant_retention_policy(v); }
  CORBA::Policy_ptr multiple() { return root->create_id_uniqueness_policy(MULTIPLE_ID); }
  static Key key(POA_ptr poa, const char* id) {
    const ObjectId_var oid = text_id(id);
    const CORBA::Object_var reference = poa->create_reference_with_id(oid.in(), kProbeId);
    return key_of(reference);
  }
};

// A manager, or an activator, that says when it is destroyed.
template <class Manager>
class TellsOfItsEnd final : public Manager {
 public:
  explicit TellsOfItsEnd(bool& ended) : ended_(ended) {}

 private:
  ~TellsOfItsEnd() override { ended_ = true; }
  bool& ended_;
};

}  // namespace callis::poa::testing
