// SPDX-License-Identifier: Apache-2.0
// The servants' common bases: one each for IRObject, Contained, Container, IDLType and TypedefDef. A servant stands
// for one definition, for one request; each operation takes the lock, and finds that the definition may be gone.
#pragma once
#include <callis/poa/servant/administrative.h>
#include <services/ifr/service.h>
#include <cstring>
#include <mutex>
#include <utility>
#include "CallisIfr_skel.h"

namespace callis::ifr {

class ObjectServant : public virtual POA_CORBA::IRObject {
 public:
  void stand_for(Service& service, const Definition& d) {
    service_ = &service;
    number_ = d.number;
    kind_ = d.kind;
  }

  // Each definition can be changed by who reaches it (callis/poa/servant/administrative.h).
  CORBA::Boolean _is_a(const char* id) override {
    return (id && std::strcmp(id, poa::kAdministrativeId) == 0) || PortableServer::ServantBase::_is_a(id);
  }
  CORBA::DefinitionKind def_kind() override { return static_cast<CORBA::DefinitionKind>(kind_); }
  void destroy() override;

 protected:
  // One at a time; held while it lives.
  using Lock = std::unique_lock<services::FairSharedMutex>;
  [[nodiscard]] Lock lock() { return Lock(service_->mutex()); }
  // For who changes something.
  struct Changing {
    explicit Changing(Service& service) : writers(service.writers()), all(service.mutex()) {}
    Lock writers, all;
  };
  [[nodiscard]] Changing lock_to_change() { return Changing(*service_); }
  Service& service() { return *service_; }
  Model& model() { return service_->model(); }
  TypeCodes& type_codes() { return service_->type_codes(); }
  Number number() const { return number_; }
  // With the lock held. OBJECT_NOT_EXIST.
  const Definition& here() { return model().at(number_); }
  // Takes the lock; changes the definition by `how`, checks it and has it stored. What depends on it must still have
  // a TypeCode.
  template<class F>
  void change(F&& how) {
    const auto held = lock_to_change();
    Change change(model());
    (void)here();
    how(model().edit(number_));
    examine(number_);
    change.commit(service().store());
  }
  // The same for an anonymous type.
  template<class F>
  void change_anonymous(F&& how) {
    const auto held = lock_to_change();
    Change change(model());
    Definition changed = here();
    how(changed);
    model().set_anonymous(number_, std::move(changed));
    examine(number_);
    change.commit(service().store());
  }
  void examine(Number changed);
  CORBA::TypeCode_ptr type_code(Number number) { return type_codes().of(number)._retn(); }

 private:
  Service* service_ = nullptr;
  Number number_ = kNone;
  Kind kind_ = Kind::None;
};

class ContainedServant : public virtual POA_CORBA::Contained, public virtual ObjectServant {
 public:
  char* id() override;
  void id(const char* value) override;
  char* name() override;
  void name(const char* value) override;
  char* version() override;
  void version(const char* value) override;
  CORBA::Container_ptr defined_in() override;
  char* absolute_name() override;
  CORBA::Repository_ptr containing_repository() override;
  CORBA::Contained::Description* describe() override;
  void move(CORBA::Container_ptr new_container, const char* new_name, const char* new_version) override;

 private:
  void rename(Number container, const char* name, const char* version);
};

class TypeServant : public virtual POA_CORBA::IDLType, public virtual ObjectServant {
 public:
  CORBA::TypeCode_ptr type() override;
};

class ContainerServant : public virtual POA_CORBA::Container, public virtual ObjectServant {
 public:
  CORBA::Contained_ptr lookup(const char* search_name) override;
  CORBA::ContainedSeq* contents(CORBA::DefinitionKind limit_type, CORBA::Boolean exclude_inherited) override;
  CORBA::ContainedSeq* lookup_name(const char* search_name, CORBA::Long levels_to_search,
                                   CORBA::DefinitionKind limit_type, CORBA::Boolean exclude_inherited) override;
  CORBA::Container::DescriptionSeq* describe_contents(CORBA::DefinitionKind limit_type,
                                                      CORBA::Boolean exclude_inherited,
                                                      CORBA::Long max_returned_objs) override;

  CORBA::ModuleDef_ptr create_module(const char* id, const char* name, const char* version) override;
  CORBA::ConstantDef_ptr create_constant(const char* id, const char* name, const char* version,
                                         CORBA::IDLType_ptr type, const CORBA::Any& value) override;
  CORBA::StructDef_ptr create_struct(const char* id, const char* name, const char* version,
                                     const CORBA::StructMemberSeq& members) override;
  CORBA::UnionDef_ptr create_union(const char* id, const char* name, const char* version,
                                   CORBA::IDLType_ptr discriminator_type,
                                   const CORBA::UnionMemberSeq& members) override;
  CORBA::EnumDef_ptr create_enum(const char* id, const char* name, const char* version,
                                 const CORBA::EnumMemberSeq& members) override;
  CORBA::AliasDef_ptr create_alias(const char* id, const char* name, const char* version,
                                   CORBA::IDLType_ptr original_type) override;
  CORBA::InterfaceDef_ptr create_interface(const char* id, const char* name, const char* version,
                                           const CORBA::InterfaceDefSeq& base_interfaces) override;
  CORBA::ValueDef_ptr create_value(const char* id, const char* name, const char* version, CORBA::Boolean is_custom,
                                   CORBA::Boolean is_abstract, CORBA::ValueDef_ptr base_value,
                                   CORBA::Boolean is_truncatable, const CORBA::ValueDefSeq& abstract_base_values,
                                   const CORBA::InterfaceDefSeq& supported_interfaces,
                                   const CORBA::InitializerSeq& initializers) override;
  CORBA::ValueBoxDef_ptr create_value_box(const char* id, const char* name, const char* version,
                                          CORBA::IDLType_ptr original_type_def) override;
  CORBA::ExceptionDef_ptr create_exception(const char* id, const char* name, const char* version,
                                           const CORBA::StructMemberSeq& members) override;
  CORBA::NativeDef_ptr create_native(const char* id, const char* name, const char* version) override;
  CORBA::AbstractInterfaceDef_ptr create_abstract_interface(
      const char* id, const char* name, const char* version,
      const CORBA::AbstractInterfaceDefSeq& base_interfaces) override;
  CORBA::LocalInterfaceDef_ptr create_local_interface(const char* id, const char* name, const char* version,
                                                      const CORBA::InterfaceDefSeq& base_interfaces) override;
  CORBA::ExtValueDef_ptr create_ext_value(const char* id, const char* name, const char* version,
                                          CORBA::Boolean is_custom, CORBA::Boolean is_abstract,
                                          CORBA::ValueDef_ptr base_value, CORBA::Boolean is_truncatable,
                                          const CORBA::ValueDefSeq& abstract_base_values,
                                          const CORBA::InterfaceDefSeq& supported_interfaces,
                                          const CORBA::ExtInitializerSeq& initializers) override;

 protected:
  // With the lock held.
  std::vector<Number> chosen(CORBA::DefinitionKind limit, bool exclude_inherited);
  CORBA::ContainedSeq* contained(Lock&& held, const std::vector<Number>& all);
  Definition shell(Kind kind, const char* id, const char* name, const char* version) const;
};

// TypedefDef.
class NamedTypeServant : public virtual POA_CORBA::TypedefDef,
                         public virtual ContainedServant,
                         public virtual TypeServant {};

// Contained, Container and IDLType: interfaces and valuetypes. Which skeleton it is, the last class says.
class ScopeServant : public virtual ContainerServant, public virtual ContainedServant, public virtual TypeServant {
 public:
  const poa::Skeleton& _callis_skeleton() const override = 0;
  void* _callis_self() override = 0;

 protected:
  Definition attribute(const char* id, const char* name, const char* version, CORBA::IDLType_ptr type,
                       CORBA::AttributeMode mode, const CORBA::ExceptionDefSeq& get,
                       const CORBA::ExceptionDefSeq& set);
  Definition operation(const char* id, const char* name, const char* version, CORBA::IDLType_ptr result,
                       CORBA::OperationMode mode, const CORBA::ParDescriptionSeq& params,
                       const CORBA::ExceptionDefSeq& exceptions, const CORBA::ContextIdSeq& contexts);
  // With what is inherited. With the lock held.
  std::vector<Number> inner(Kind kind);
  CORBA::OpDescriptionSeq* operations();
  CORBA::AttrDescriptionSeq* attributes();
  CORBA::ExtAttrDescriptionSeq* ext_attributes();
};

// NO_IMPLEMENT: what module ComponentIR has.
[[noreturn]] void no_components();

template<class S>
PortableServer::Servant new_servant(Service& service, const Definition& d) {
  auto* const servant = new S;
  servant->stand_for(service, d);
  return servant;
}

}  // namespace callis::ifr
