// SPDX-License-Identifier: Apache-2.0
// Service: a repository as CORBA objects. What the servants share: the model behind a lock, references to
// definitions, and descriptions.
//
//   request ──Locator──→ servant of the definition's kind, made for this request ──→ Service ──→ Model ──→ Store
//
// The id of an object is the number of its definition. Any thread; one is inside the model at a time, and one more
// makes a long change of it beside them (feed).
#pragma once
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <services/common/fair_shared_mutex.h>
#include <services/ifr/model.h>
#include <services/ifr/refuse.h>
#include <services/ifr/type_codes.h>
#include <mutex>
#include <string>
#include <vector>
#include "CallisIfr.h"

namespace callis::ifr {

class Service {
 public:
  // store: outlives this; nullptr: nothing is kept. It has been read into the model by the caller: model().
  // memory: as of Model, which outlives this.
  Service(CORBA::ORB_ptr orb, Store* store, const Bounds& bounds = {}, services::MemoryBound* memory = nullptr);
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  // Begins to serve: makes the adapter, "InterfaceRepository" below the root, which is persistent, and registers the
  // repository as the initial reference of that name, which is its key in corbaloc URLs as well.
  void serve();
  // The repository.
  CORBA::Object_var reference();

  // --- for the servants; with the lock held ---

  // Who changes something has held writers() since before it took mutex(). So who feeds a file, which takes long,
  // keeps others from changing, and nobody from reading.
  services::FairSharedMutex& mutex() { return mutex_; }
  services::FairSharedMutex& writers() { return writers_; }
  services::MemoryBound* memory() { return memory_; }
  Model& model() { return model_; }
  TypeCodes& type_codes() { return type_codes_; }
  Store* store() { return store_; }

  CORBA::Object_var reference(Number number);
  // Without the lock, too.
  CORBA::Object_var reference(Number number, Kind kind);
  // Nil for kNone.
  template<class I>
  typename I::_ptr_type reference_as(Number number) {
    if (number == kNone) return I::_nil();
    const CORBA::Object_var object = reference(number);
    return I::_unchecked_narrow(object.in());
  }
  template<class Seq, class I>
  Seq* references_as(const std::vector<Number>& numbers) {
    check_answer(numbers.size());
    typename Seq::_var_type out = new Seq;
    out->length(static_cast<CORBA::ULong>(numbers.size()));
    for (CORBA::ULong i = 0; i < out->length(); ++i) out[i] = reference_as<I>(numbers[i]);
    return out._retn();
  }
  // From a peer. BAD_PARAM: the reference is nil, or of another repository; OBJECT_NOT_EXIST: destroyed.
  Number number_of(CORBA::Object_ptr object);
  Number type_of(CORBA::IDLType_ptr type);
  // IMP_LIMIT for more than an answer may have.
  void check_answer(std::size_t definitions) const;
  template<class Seq>
  std::vector<Number> numbers_of(const Seq& all) {
    std::vector<Number> out;
    for (CORBA::ULong i = 0; i < all.length(); ++i) out.push_back(number_of(all[i]));
    return out;
  }
  std::vector<Member> members_of(const CORBA::StructMemberSeq& members);
  std::vector<Number> exceptions_of(const CORBA::ExcDescriptionSeq& exceptions);
  std::vector<Member> parameters_of(const CORBA::ParDescriptionSeq& parameters);

  // Makes a definition, checks it, and has it stored.
  Number create(Definition d);

  CORBA::StructMemberSeq* struct_members(const std::vector<Member>& members);
  CORBA::UnionMemberSeq* union_members(const Definition& d);
  CORBA::ParDescriptionSeq* parameters(const Definition& d);
  CORBA::ExcDescriptionSeq* exceptions(const std::vector<Number>& numbers);
  CORBA::InitializerSeq* initializers(const Definition& d);
  CORBA::ExtInitializerSeq* ext_initializers(const Definition& d);
  CORBA::RepositoryIdSeq* ids(const std::vector<Number>& numbers);
  CORBA::OperationDescription operation(const Definition& d);
  CORBA::AttributeDescription attribute(const Definition& d);
  CORBA::ExtAttributeDescription ext_attribute(const Definition& d);
  CORBA::ValueMember value_member(const Definition& d);
  // What Contained::describe() has as its value.
  CORBA::Any description(const Definition& d);
  std::string id_of(Number container);

 private:
  const CORBA::ORB_var orb_;
  Store* const store_;
  services::MemoryBound* const memory_;
  services::FairSharedMutex writers_;  // before mutex_
  services::FairSharedMutex mutex_;    // over what follows
  Model model_;
  TypeCodes type_codes_;
  PortableServer::POA_var poa_;
};

inline char* copy(const std::string& text) { return CORBA::string_dup(text.c_str()); }
inline CORBA::DefinitionKind kind_of(const Definition& d) { return static_cast<CORBA::DefinitionKind>(d.kind); }

// A servant of the definition, for one request.
PortableServer::Servant make_servant(Service& service, const Definition& d);
PortableServer::Servant make_type_servant(Service& service, const Definition& d);
PortableServer::Servant make_interface_servant(Service& service, const Definition& d);

}  // namespace callis::ifr
