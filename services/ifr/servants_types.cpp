// SPDX-License-Identifier: Apache-2.0
// Modules, constants, exceptions, and types but for interfaces and valuetypes.
#include <services/ifr/parts.h>
#include <services/ifr/servants.h>

namespace callis::ifr {

namespace {

class ModuleServant final : public virtual POA_CallisIfr::ModuleDef,
                            public virtual ContainerServant,
                            public virtual ContainedServant {
  void create_component() override { no_components(); }
  void create_home() override { no_components(); }
  void create_event() override { no_components(); }
};

class ConstantServant final : public virtual POA_CORBA::ConstantDef, public virtual ContainedServant {
  CORBA::TypeCode_ptr type() override {
    const auto held = lock();
    return type_code(here().type);
  }
  CORBA::IDLType_ptr type_def() override {
    const auto held = lock();
    return service().reference_as<CORBA::IDLType>(here().type);
  }
  // The value must be of the new type: where it is not, both cannot be changed one after the other.
  void type_def(CORBA::IDLType_ptr type) override {
    change([&](Definition& d) {
      CORBA::Any value;
      any_from_bytes(d.value, value);
      d.type = service().type_of(type);
      d.value = constant_bytes(type_codes(), d.type, value);
    });
  }
  CORBA::Any* value() override {
    const auto held = lock();
    CORBA::Any_var out = new CORBA::Any;
    any_from_bytes(here().value, out.inout());
    return out._retn();
  }
  void value(const CORBA::Any& value) override {
    change([&](Definition& d) { d.value = constant_bytes(type_codes(), d.type, value); });
  }
};

class ExceptionServant final : public virtual POA_CORBA::ExceptionDef,
                               public virtual ContainerServant,
                               public virtual ContainedServant {
  CORBA::TypeCode_ptr type() override {
    const auto held = lock();
    (void)here();
    return type_code(number());
  }
  CORBA::StructMemberSeq* members() override {
    const auto held = lock();
    return service().struct_members(here().members);
  }
  void members(const CORBA::StructMemberSeq& members) override {
    change([&](Definition& d) { d.members = service().members_of(members); });
  }
};

class StructServant final : public virtual POA_CORBA::StructDef,
                            public virtual NamedTypeServant,
                            public virtual ContainerServant {
  CORBA::StructMemberSeq* members() override {
    const auto held = lock();
    return service().struct_members(here().members);
  }
  void members(const CORBA::StructMemberSeq& members) override {
    change([&](Definition& d) { d.members = service().members_of(members); });
  }
};

class UnionServant final : public virtual POA_CORBA::UnionDef,
                           public virtual NamedTypeServant,
                           public virtual ContainerServant {
  CORBA::TypeCode_ptr discriminator_type() override {
    const auto held = lock();
    return type_code(here().type);
  }
  CORBA::IDLType_ptr discriminator_type_def() override {
    const auto held = lock();
    return service().reference_as<CORBA::IDLType>(here().type);
  }
  void discriminator_type_def(CORBA::IDLType_ptr type) override {
    change([&](Definition& d) { d.type = service().type_of(type); });
  }
  CORBA::UnionMemberSeq* members() override {
    const auto held = lock();
    return service().union_members(here());
  }
  void members(const CORBA::UnionMemberSeq& members) override {
    change([&](Definition& d) { d.members = union_parts(service(), members); });
  }
};

class EnumServant final : public virtual POA_CORBA::EnumDef, public virtual NamedTypeServant {
  CORBA::EnumMemberSeq* members() override {
    const auto held = lock();
    const Definition& d = here();
    CORBA::EnumMemberSeq_var out = new CORBA::EnumMemberSeq;
    out->length(static_cast<CORBA::ULong>(d.words.size()));
    for (CORBA::ULong i = 0; i < out->length(); ++i) out[i] = copy(d.words[i]);
    return out._retn();
  }
  void members(const CORBA::EnumMemberSeq& members) override {
    change([&](Definition& d) {
      d.words.clear();
      for (CORBA::ULong i = 0; i < members.length(); ++i) d.words.emplace_back(members[i]);
    });
  }
};

template<class Skeleton>
class OriginalServant final : public virtual Skeleton, public virtual NamedTypeServant {
  CORBA::IDLType_ptr original_type_def() override {
    const auto held = lock();
    return service().template reference_as<CORBA::IDLType>(here().type);
  }
  void original_type_def(CORBA::IDLType_ptr type) override {
    change([&](Definition& d) { d.type = service().type_of(type); });
  }
};

class NativeServant final : public virtual POA_CORBA::NativeDef, public virtual NamedTypeServant {};

class PrimitiveServant final : public virtual POA_CORBA::PrimitiveDef, public virtual TypeServant {
  CORBA::PrimitiveKind kind() override {
    const auto held = lock();
    return static_cast<CORBA::PrimitiveKind>(here().bound);
  }
};

template<class Skeleton>
class TextServant final : public virtual Skeleton, public virtual TypeServant {
  CORBA::ULong bound() override {
    const auto held = lock();
    return here().bound;
  }
  void bound(CORBA::ULong bound) override {
    change_anonymous([&](Definition& d) { d.bound = bound; });
  }
};

class FixedServant final : public virtual POA_CORBA::FixedDef, public virtual TypeServant {
  CORBA::UShort digits() override {
    const auto held = lock();
    return static_cast<CORBA::UShort>(here().bound);
  }
  void digits(CORBA::UShort digits) override {
    change_anonymous([&](Definition& d) { d.bound = digits; });
  }
  CORBA::Short scale() override {
    const auto held = lock();
    return static_cast<CORBA::Short>(here().scale);
  }
  void scale(CORBA::Short scale) override {
    change_anonymous([&](Definition& d) { d.scale = scale; });
  }
};

// Sequences and arrays.
template<class Skeleton>
class ManyServant : public virtual Skeleton, public virtual TypeServant {
  CORBA::TypeCode_ptr element_type() override {
    const auto held = lock();
    return type_code(here().type);
  }
  CORBA::IDLType_ptr element_type_def() override {
    const auto held = lock();
    return service().template reference_as<CORBA::IDLType>(here().type);
  }
  void element_type_def(CORBA::IDLType_ptr type) override {
    change_anonymous([&](Definition& d) { d.type = service().type_of(type); });
  }
};

class SequenceServant final : public ManyServant<POA_CORBA::SequenceDef> {
  CORBA::ULong bound() override {
    const auto held = lock();
    return here().bound;
  }
  void bound(CORBA::ULong bound) override {
    change_anonymous([&](Definition& d) { d.bound = bound; });
  }
};

class ArrayServant final : public ManyServant<POA_CORBA::ArrayDef> {
  CORBA::ULong length() override {
    const auto held = lock();
    return here().bound;
  }
  void length(CORBA::ULong length) override {
    change_anonymous([&](Definition& d) { d.bound = length; });
  }
};

}  // namespace

PortableServer::Servant make_type_servant(Service& service, const Definition& d) {
  switch (d.kind) {
    case Kind::Module: return new_servant<ModuleServant>(service, d);
    case Kind::Constant: return new_servant<ConstantServant>(service, d);
    case Kind::Exception: return new_servant<ExceptionServant>(service, d);
    case Kind::Struct: return new_servant<StructServant>(service, d);
    case Kind::Union: return new_servant<UnionServant>(service, d);
    case Kind::Enum: return new_servant<EnumServant>(service, d);
    case Kind::Alias: return new_servant<OriginalServant<POA_CORBA::AliasDef>>(service, d);
    case Kind::ValueBox: return new_servant<OriginalServant<POA_CORBA::ValueBoxDef>>(service, d);
    case Kind::Native: return new_servant<NativeServant>(service, d);
    case Kind::Primitive: return new_servant<PrimitiveServant>(service, d);
    case Kind::String: return new_servant<TextServant<POA_CORBA::StringDef>>(service, d);
    case Kind::Wstring: return new_servant<TextServant<POA_CORBA::WstringDef>>(service, d);
    case Kind::Fixed: return new_servant<FixedServant>(service, d);
    case Kind::Sequence: return new_servant<SequenceServant>(service, d);
    case Kind::Array: return new_servant<ArrayServant>(service, d);
    default: refuse<CORBA::OBJECT_NOT_EXIST>(4, "the definition is of a kind that has no object");
  }
}

}  // namespace callis::ifr
