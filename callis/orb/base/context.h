// SPDX-License-Identifier: Apache-2.0
// CORBA::Context (CORBA 3.3 part 1, 8.6; C++ mapping 1.3, 4.30): named strings, the properties, that an operation
// with a context clause hands from its caller to its servant.
//
// A context may have a parent, on which it holds a count: what it has not, is looked for there. Its own properties
// hide those of the same name further up. Names of properties are not empty and have no '*'. A pattern is a name, or
// the beginning of names and a '*'.
//
// Counted. Any number of threads may read a context, calls with it included, while none changes it.
#pragma once
#include <callis/base/fixed_limits.h>
#include <callis/classic/sequence.h>
#include <callis/orb/base/named_value.h>
#include <initializer_list>
#include <memory>

namespace CORBA::inline callis_orb {

class Context;
using Context_ptr = Context*;
using Context_var = callis::classic::ReferenceVar<Context>;
using Context_out = callis::classic::ReferenceOut<Context>;

class Context final : public callis::orb::PseudoObject<Context> {
 public:
  // Both belong to the context. No parent is nil.
  const char* context_name() const noexcept;
  Context_ptr parent() const noexcept;

  // The name may be empty (or null); BAD_PARAM, OMG minor 37, for one with a '*'.
  void create_child(const char* name, Context_out child);

  // Sets or replaces. BAD_PARAM, OMG minor 35, for what cannot be a name; BAD_TYPECODE, OMG minor 3, for a value that
  // is not a string.
  void set_one_value(const char* name, const Any& value);
  // All of the list, or nothing when it throws; flags do not matter. BAD_PARAM for a nil list.
  void set_values(NVList_ptr values);

  // Removes the properties of this context, but of none further up, that match. BAD_CONTEXT, OMG minor 2, when none
  // does; BAD_PARAM, OMG minor 36, for what cannot be a pattern.
  void delete_values(const char* pattern);

  // A new list of what matches, by name, with flags 0. Starts at the first context from here upwards that has the
  // name start_scope, with this one for "" or null: BAD_CONTEXT, OMG minor 1, when there is none. Goes on to parents
  // unless flags are CTX_RESTRICT_SCOPE; INV_FLAG when they are neither that nor 0. Throws as delete_values() else.
  void get_values(const char* start_scope, Flags flags, const char* pattern, NVList_out values) const;

  // For the ORB: without parent and properties.
  static Context_ptr _callis_create(const char* name);
  // As set_one_value(), whatever the name.
  void _callis_set(const char* name, const char* value);
  // What matches any of the patterns here or further up: names and values in turn, sorted by name, each once.
  callis::classic::StringSequence<> _callis_matching(std::initializer_list<const char*> patterns) const;

 private:
  friend class callis::orb::PseudoObject<Context>;
  struct Body;
  explicit Context(const char* name, Context_ptr parent);
  ~Context();

  std::unique_ptr<Body> body_;
};

inline Boolean is_nil(Context_ptr p) { return p == nullptr; }
inline void release(Context_ptr p) {
  if (p) p->_remove_ref();
}

}  // namespace CORBA::inline callis_orb

// What generated code calls: on the wire a context is a sequence of strings behind the arguments, names and values in
// turn (CORBA 3.3 part 2, 9.3.5.4).
namespace callis::orb {

// Of the clause's patterns; nothing for nil.
classic::StringSequence<> sent_context(CORBA::Context_ptr context, std::initializer_list<const char*> patterns);
// What a peer may make a context hold, since the properties take more memory than the strings of the message.
inline constexpr CORBA::ULong kMostReceivedProperties = FixedLimits::max_context_properties;
// To be released. MARSHAL, minor Fault::BadValue, for a name without a value; IMP_LIMIT, minor Fault::LimitExceeded,
// beyond kMostReceivedProperties. Of equal names the last counts.
CORBA::Context_ptr received_context(const classic::StringSequence<>& strings);

// The one that ORB::get_default_context() gives; not counted.
CORBA::Context_ptr default_context();

}  // namespace callis::orb
