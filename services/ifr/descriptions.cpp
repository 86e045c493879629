// SPDX-License-Identifier: Apache-2.0
// Definitions as the structs of module CORBA that describe them.
#include <services/ifr/service.h>

namespace callis::ifr {

namespace {

// The fields that all descriptions begin with.
template<class D>
void begin(D& out, const Definition& d, const std::string& defined_in) {
  out.name = copy(d.name);
  out.id = copy(d.id);
  out.defined_in = copy(defined_in);
  out.version = copy(d.version);
}

}  // namespace

// Of the repository itself "".
std::string Service::id_of(Number container) { return container == kNone ? "" : model_.at(container).id; }

CORBA::StructMemberSeq* Service::struct_members(const std::vector<Member>& members) {
  CORBA::StructMemberSeq_var out = new CORBA::StructMemberSeq;
  out->length(static_cast<CORBA::ULong>(members.size()));
  for (CORBA::ULong i = 0; i < out->length(); ++i) {
    out[i].name = copy(members[i].name);
    out[i].type = type_codes_.of(members[i].type);
    out[i].type_def = reference_as<CORBA::IDLType>(members[i].type);
  }
  return out._retn();
}

CORBA::UnionMemberSeq* Service::union_members(const Definition& d) {
  CORBA::UnionMemberSeq_var out = new CORBA::UnionMemberSeq;
  out->length(static_cast<CORBA::ULong>(d.members.size()));
  for (CORBA::ULong i = 0; i < out->length(); ++i) {
    out[i].name = copy(d.members[i].name);
    out[i].type = type_codes_.of(d.members[i].type);
    out[i].type_def = reference_as<CORBA::IDLType>(d.members[i].type);
    any_from_bytes(d.members[i].label, out[i].label);
  }
  return out._retn();
}

CORBA::ParDescriptionSeq* Service::parameters(const Definition& d) {
  CORBA::ParDescriptionSeq_var out = new CORBA::ParDescriptionSeq;
  out->length(static_cast<CORBA::ULong>(d.members.size()));
  for (CORBA::ULong i = 0; i < out->length(); ++i) {
    out[i].name = copy(d.members[i].name);
    out[i].type = type_codes_.of(d.members[i].type);
    out[i].type_def = reference_as<CORBA::IDLType>(d.members[i].type);
    out[i].mode = static_cast<CORBA::ParameterMode>(d.members[i].mode);
  }
  return out._retn();
}

CORBA::ExcDescriptionSeq* Service::exceptions(const std::vector<Number>& numbers) {
  CORBA::ExcDescriptionSeq_var out = new CORBA::ExcDescriptionSeq;
  out->length(static_cast<CORBA::ULong>(numbers.size()));
  for (CORBA::ULong i = 0; i < out->length(); ++i) {
    const Definition& e = model_.at(numbers[i]);
    begin(out[i], e, id_of(e.container));
    out[i].type = type_codes_.of(numbers[i]);
  }
  return out._retn();
}

CORBA::InitializerSeq* Service::initializers(const Definition& d) {
  CORBA::InitializerSeq_var out = new CORBA::InitializerSeq;
  out->length(static_cast<CORBA::ULong>(d.initializers.size()));
  for (CORBA::ULong i = 0; i < out->length(); ++i) {
    out[i].name = copy(d.initializers[i].name);
    out[i].members = CORBA::StructMemberSeq_var(struct_members(d.initializers[i].members)).in();
  }
  return out._retn();
}

CORBA::ExtInitializerSeq* Service::ext_initializers(const Definition& d) {
  CORBA::ExtInitializerSeq_var out = new CORBA::ExtInitializerSeq;
  out->length(static_cast<CORBA::ULong>(d.initializers.size()));
  for (CORBA::ULong i = 0; i < out->length(); ++i) {
    out[i].name = copy(d.initializers[i].name);
    out[i].members = CORBA::StructMemberSeq_var(struct_members(d.initializers[i].members)).in();
    out[i].exceptions = CORBA::ExcDescriptionSeq_var(exceptions(d.initializers[i].exceptions)).in();
  }
  return out._retn();
}

CORBA::RepositoryIdSeq* Service::ids(const std::vector<Number>& numbers) {
  CORBA::RepositoryIdSeq_var out = new CORBA::RepositoryIdSeq;
  out->length(static_cast<CORBA::ULong>(numbers.size()));
  for (CORBA::ULong i = 0; i < out->length(); ++i) out[i] = copy(model_.at(numbers[i]).id);
  return out._retn();
}

CORBA::OperationDescription Service::operation(const Definition& d) {
  CORBA::OperationDescription out;
  begin(out, d, id_of(d.container));
  out.result = type_codes_.of(d.type);
  out.mode = static_cast<CORBA::OperationMode>(d.mode);
  out.contexts.length(static_cast<CORBA::ULong>(d.words.size()));
  for (CORBA::ULong i = 0; i < out.contexts.length(); ++i) out.contexts[i] = copy(d.words[i]);
  out.parameters = CORBA::ParDescriptionSeq_var(parameters(d)).in();
  out.exceptions = CORBA::ExcDescriptionSeq_var(exceptions(d.exceptions)).in();
  return out;
}

CORBA::AttributeDescription Service::attribute(const Definition& d) {
  CORBA::AttributeDescription out;
  begin(out, d, id_of(d.container));
  out.type = type_codes_.of(d.type);
  out.mode = static_cast<CORBA::AttributeMode>(d.mode);
  return out;
}

CORBA::ExtAttributeDescription Service::ext_attribute(const Definition& d) {
  CORBA::ExtAttributeDescription out;
  begin(out, d, id_of(d.container));
  out.type = type_codes_.of(d.type);
  out.mode = static_cast<CORBA::AttributeMode>(d.mode);
  out.get_exceptions = CORBA::ExcDescriptionSeq_var(exceptions(d.exceptions)).in();
  out.put_exceptions = CORBA::ExcDescriptionSeq_var(exceptions(d.set_exceptions)).in();
  return out;
}

CORBA::ValueMember Service::value_member(const Definition& d) {
  CORBA::ValueMember out;
  begin(out, d, id_of(d.container));
  out.type = type_codes_.of(d.type);
  out.type_def = reference_as<CORBA::IDLType>(d.type);
  out.access = static_cast<CORBA::Visibility>(d.mode);
  return out;
}

CORBA::Any Service::description(const Definition& d) {
  CORBA::Any out;
  const std::string container = id_of(d.container);
  switch (d.kind) {
    case Kind::Module: {
      CORBA::ModuleDescription m;
      begin(m, d, container);
      out <<= m;
      break;
    }
    case Kind::Constant: {
      CORBA::ConstantDescription c;
      begin(c, d, container);
      c.type = type_codes_.of(d.type);
      any_from_bytes(d.value, c.value);
      out <<= c;
      break;
    }
    case Kind::Exception: {
      CORBA::ExceptionDescription e;
      begin(e, d, container);
      e.type = type_codes_.of(d.number);
      out <<= e;
      break;
    }
    case Kind::Attribute: out <<= attribute(d); break;
    case Kind::Operation: out <<= operation(d); break;
    case Kind::ValueMember: {
      CallisIfr::ValueMember m;
      begin(m, d, container);
      m.type = type_codes_.of(d.type);
      m.type_def = reference_as<CORBA::IDLType>(d.type);
      m.access = static_cast<CORBA::Visibility>(d.mode);
      out <<= m;
      break;
    }
    case Kind::Interface:
    case Kind::AbstractInterface:
    case Kind::LocalInterface: {
      CORBA::InterfaceDescription i;
      begin(i, d, container);
      i.base_interfaces = CORBA::RepositoryIdSeq_var(ids(d.bases)).in();
      out <<= i;
      break;
    }
    case Kind::Value: {
      CORBA::ValueDescription v;
      begin(v, d, container);
      v.is_abstract = (d.mode & kIsAbstract) != 0;
      v.is_custom = (d.mode & kIsCustom) != 0;
      v.is_truncatable = (d.mode & kIsTruncatable) != 0;
      v.supported_interfaces = CORBA::RepositoryIdSeq_var(ids(d.supported)).in();
      v.abstract_base_values = CORBA::RepositoryIdSeq_var(ids(d.bases)).in();
      v.base_value = copy(id_of(d.base));
      out <<= v;
      break;
    }
    default: {
      CORBA::TypeDescription t;
      begin(t, d, container);
      t.type = type_codes_.of(d.number);
      out <<= t;
      break;
    }
  }
  return out;
}

}  // namespace callis::ifr
