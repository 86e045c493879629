// SPDX-License-Identifier: Apache-2.0
// RegisteredReferences: the initial references that the application has registered with one ORB, which are known by
// their names to peers, too. The ORB makes them at the first register_initial_reference(), and has them as long as it
// lives. Feature initial_references. Any thread.
#pragma once
#include <callis/base/feature.h>
#include <callis/base/string_map.h>
#include <callis/orb/base/orb.h>
#include <callis/orb/context/orb_context.h>
#include <mutex>

CALLIS_FEATURE(initial_references);

namespace callis::orb {

class Core;

class RegisteredReferences final : public NamedObjects {
 public:
  CALLIS_OPTIONAL ~RegisteredReferences() override;

  // What the ORB's functions of these names do.
  CALLIS_OPTIONAL static void add(Core& core, const char* id, CORBA::Object_ptr object);
  CALLIS_OPTIONAL static CORBA::ORB::ObjectIdList* list(Core& core);
  // Puts another object in the place of one that has been registered; false where there is none of that id.
  CALLIS_OPTIONAL static bool replace(Core& core, std::string_view id, CORBA::Object_ptr object);

  // Lets one go: its name is no key any more. False where there is none of that id.
  CALLIS_OPTIONAL static bool remove(Core& core, std::string_view id);

  // A count for the caller; nullptr for none.
  CALLIS_OPTIONAL CORBA::Object_ptr object(std::string_view id);
  // Lets all go, without a lock.
  CALLIS_OPTIONAL void clear();

  bool find(ByteView name, ior::Ior& out) override;

 private:
  RegisteredReferences() = default;

  std::mutex mutex_;  // guards what follows
  StringMap<CORBA::Object_var> all_;
};

}  // namespace callis::orb
