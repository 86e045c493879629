// SPDX-License-Identifier: Apache-2.0
// CORBA::Context (CORBA 3.3 part 1, 8.6; C++ mapping 1.3, 4.30): named strings, the properties, that an operation
// with a context clause hands from its caller to its servant.
//
// A context may have a parent, on which it holds a count. Properties that the context lacks are looked for in the
// parent. A context's own properties hide properties of the same name further up. Names of properties are not empty
// and have no '*'. A pattern is a name, or the beginning of names and a '*'.
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

  // The name may be empty (or null). Throws BAD_PARAM, OMG minor 37, for a name with a '*'.
  void create_child(const char* name, Context_out child);

  // Sets or replaces a property. Throws BAD_PARAM, OMG minor 35, for an invalid name. Throws BAD_TYPECODE, OMG minor
  // 3, for a value that is not a string.
  void set_one_value(const char* name, const Any& value);
  // Sets all properties of the list, or none if it throws. Flags do not matter. Throws BAD_PARAM for a nil list.
  void set_values(NVList_ptr values);

  // Removes the matching properties of this context, but of none further up. Throws BAD_CONTEXT, OMG minor 2, if none
  // matches; BAD_PARAM, OMG minor 36, for an invalid pattern.
  void delete_values(const char* pattern);

  // Makes a new list of the matching properties, sorted by name, with flags 0. The search starts at the first context
  // from here upwards with the name start_scope, or here for "" or null. Throws BAD_CONTEXT, OMG minor 1, if there is
  // no such context. The search goes on to parents unless flags are CTX_RESTRICT_SCOPE. Throws INV_FLAG for other
  // flags but 0. Otherwise throws as delete_values() does.
  void get_values(const char* start_scope, Flags flags, const char* pattern, NVList_out values) const;

  // For the ORB: makes a context without parent and properties.
  static Context_ptr _callis_create(const char* name);
  // Like set_one_value(), but accepts any name.
  void _callis_set(const char* name, const char* value);
  // The properties, here or further up, that match any of the patterns: names and values in turn, sorted by name,
  // each once.
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

// The functions that generated code calls. On the wire a context is a sequence of strings behind the arguments, names
// and values in turn (CORBA 3.3 part 2, 9.3.5.4).
namespace callis::orb {

// The properties that match the clause's patterns; none for a nil context.
classic::StringSequence<> sent_context(CORBA::Context_ptr context, std::initializer_list<const char*> patterns);
// The most properties that a peer may put into a context. They take more memory than the strings of the message.
inline constexpr CORBA::ULong kMostReceivedProperties = FixedLimits::max_context_properties;
// The caller releases the result. Throws MARSHAL, minor Fault::BadValue, for a name without a value; IMP_LIMIT, minor
// Fault::LimitExceeded, beyond kMostReceivedProperties. The last of equal names counts.
CORBA::Context_ptr received_context(const classic::StringSequence<>& strings);

// The context of ORB::get_default_context(); not counted.
CORBA::Context_ptr default_context();

}  // namespace callis::orb
