// SPDX-License-Identifier: Apache-2.0
// RegisteredReferences: the initial references that the application has registered with one ORB, which peers, too,
// know by their names. The ORB makes the object at the first register_initial_reference(), and keeps it until its own
// end. Part of the feature initial_references. Any thread may call.
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

  // Implement the ORB's functions of similar names.
  CALLIS_OPTIONAL static void add(Core& core, const char* id, CORBA::Object_ptr object);
  CALLIS_OPTIONAL static CORBA::ORB::ObjectIdList* list(Core& core);
  // Replaces a registered object by another. Returns false if no object has that id.
  CALLIS_OPTIONAL static bool replace(Core& core, std::string_view id, CORBA::Object_ptr object);

  // Lets an object go: its name is no key any more. Returns false if no object has that id.
  CALLIS_OPTIONAL static bool remove(Core& core, std::string_view id);

  // The caller owns a count; nullptr if there is none.
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
