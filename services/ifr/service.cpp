// SPDX-License-Identifier: Apache-2.0
// References to definitions, what servants make of arguments, and the adapter that finds a servant for each request.
#include <services/ifr/service.h>

namespace callis::ifr {

static_assert(static_cast<int>(CORBA::dk_LocalInterface) == static_cast<int>(Kind::LocalInterface));
static_assert(static_cast<int>(CORBA::dk_Native) == static_cast<int>(Kind::Native));
static_assert(static_cast<int>(CORBA::dk_Repository) == static_cast<int>(Kind::Repository));
static_assert(CORBA::pk_value_base == kPrimitives - 1);

namespace {

constexpr const char* kName = "InterfaceRepository";

// Types that references tell. Servants of interfaces and valuetypes have the ids of the extended ones, too; clients
// of older days know only these.
const char* type_id(Kind kind) {
  switch (kind) {
    case Kind::Attribute: return "IDL:omg.org/CORBA/AttributeDef:1.0";
    case Kind::Constant: return "IDL:omg.org/CORBA/ConstantDef:1.0";
    case Kind::Exception: return "IDL:omg.org/CORBA/ExceptionDef:1.0";
    case Kind::Interface: return "IDL:omg.org/CORBA/InterfaceDef:1.0";
    case Kind::Module: return "IDL:omg.org/CORBA/ModuleDef:1.0";
    case Kind::Operation: return "IDL:omg.org/CORBA/OperationDef:1.0";
    case Kind::Alias: return "IDL:omg.org/CORBA/AliasDef:1.0";
    case Kind::Struct: return "IDL:omg.org/CORBA/StructDef:1.0";
    case Kind::Union: return "IDL:omg.org/CORBA/UnionDef:1.0";
    case Kind::Enum: return "IDL:omg.org/CORBA/EnumDef:1.0";
    case Kind::Primitive: return "IDL:omg.org/CORBA/PrimitiveDef:1.0";
    case Kind::String: return "IDL:omg.org/CORBA/StringDef:1.0";
    case Kind::Sequence: return "IDL:omg.org/CORBA/SequenceDef:1.0";
    case Kind::Array: return "IDL:omg.org/CORBA/ArrayDef:1.0";
    case Kind::Repository: return "IDL:omg.org/CORBA/Repository:1.0";
    case Kind::Wstring: return "IDL:omg.org/CORBA/WstringDef:1.0";
    case Kind::Fixed: return "IDL:omg.org/CORBA/FixedDef:1.0";
    case Kind::Value: return "IDL:omg.org/CORBA/ValueDef:1.0";
    case Kind::ValueBox: return "IDL:omg.org/CORBA/ValueBoxDef:1.0";
    case Kind::ValueMember: return "IDL:omg.org/CORBA/ValueMemberDef:1.0";
    case Kind::Native: return "IDL:omg.org/CORBA/NativeDef:1.0";
    case Kind::AbstractInterface: return "IDL:omg.org/CORBA/AbstractInterfaceDef:1.0";
    case Kind::LocalInterface: return "IDL:omg.org/CORBA/LocalInterfaceDef:1.0";
    default: return "IDL:omg.org/CORBA/IRObject:1.0";
  }
}

// From the peer. kNone: no number.
Number number_in(const PortableServer::ObjectId& id) {
  Number out = 0;
  if (id.length() == 0 || id.length() > 18) return kNone;
  for (CORBA::ULong i = 0; i < id.length(); ++i) {
    if (id[i] < '0' || id[i] > '9') return kNone;
    out = out * 10 + (id[i] - '0');
  }
  return out;
}

PortableServer::ObjectId object_id(Number number) {
  const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId(std::to_string(number).c_str());
  return id.in();
}

class Locator final : public virtual PortableServer::ServantLocator, public virtual CORBA::LocalObject {
 public:
  explicit Locator(Service& service) : service_(service) {}

 private:
  PortableServer::Servant preinvoke(const PortableServer::ObjectId& id, PortableServer::POA_ptr, const char*,
                                    Cookie&) override {
    const std::lock_guard lock(service_.mutex());
    const Definition* const d = service_.model().find(number_in(id));
    if (!d) refuse<CORBA::OBJECT_NOT_EXIST>(4, "the definition has been destroyed, or never was");
    return make_servant(service_, *d);
  }
  void postinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*, Cookie,
                  PortableServer::Servant servant) override {
    servant->_remove_ref();
  }

  Service& service_;
};

}  // namespace

Service::Service(CORBA::ORB_ptr orb, Store* store, const Bounds& bounds, services::MemoryBound* memory)
    : orb_(CORBA::ORB::_duplicate(orb)),
      store_(store),
      memory_(memory),
      model_(bounds, memory),
      type_codes_(model_) {}
Service::~Service() = default;

void Service::serve() {
  CORBA::Object_var object = orb_->resolve_initial_references("RootPOA");
  const PortableServer::POA_var root = PortableServer::POA::_narrow(object.in());
  const PortableServer::POAManager_var manager = root->the_POAManager();
  CORBA::PolicyList policies;
  policies.length(4);
  policies[0] = root->create_lifespan_policy(PortableServer::PERSISTENT);
  policies[1] = root->create_id_assignment_policy(PortableServer::USER_ID);
  policies[2] = root->create_servant_retention_policy(PortableServer::NON_RETAIN);
  policies[3] = root->create_request_processing_policy(PortableServer::USE_SERVANT_MANAGER);
  poa_ = root->create_POA(kName, manager.in(), policies);
  const PortableServer::ServantManager_var locator = new Locator(*this);
  poa_->set_servant_manager(locator.in());
  object = reference();
  orb_->register_initial_reference(kName, object.in());
  manager->activate();
}

CORBA::Object_var Service::reference() {
  const std::lock_guard lock(mutex_);
  return reference(kRepository);
}

CORBA::Object_var Service::reference(Number number) { return reference(number, model_.at(number).kind); }

CORBA::Object_var Service::reference(Number number, Kind kind) {
  return poa_->create_reference_with_id(object_id(number), type_id(kind));
}

void Service::check_answer(std::size_t definitions) const {
  if (definitions > model_.bounds().answers)
    refuse<CORBA::IMP_LIMIT>(0, "the answer would have more than " + std::to_string(model_.bounds().answers) +
                                    " definitions: ask for one kind, or describe_contents for fewer");
}

Number Service::number_of(CORBA::Object_ptr object) {
  if (CORBA::is_nil(object)) refuse<CORBA::BAD_PARAM>(24, "a reference is nil");
  Number number = kNone;
  try {
    const PortableServer::ObjectId_var id = poa_->reference_to_id(object);
    number = number_in(id.in());
  } catch (const CORBA::UserException&) {
    refuse<CORBA::BAD_PARAM>(0, "a reference is to no object of this repository");
  }
  return model_.at(number).number;
}

Number Service::type_of(CORBA::IDLType_ptr type) {
  if (!type) refuse<CORBA::BAD_PARAM>(kIncompleteType, "a type is nil: type_def says the type, not the TypeCode");
  return number_of(CORBA::callis_link_IDLType.to_object(type));
}

std::vector<Member> Service::members_of(const CORBA::StructMemberSeq& members) {
  std::vector<Member> out;
  for (CORBA::ULong i = 0; i < members.length(); ++i)
    out.push_back({members[i].name.in(), type_of(members[i].type_def.in()), 0, {}});
  return out;
}

std::vector<Number> Service::exceptions_of(const CORBA::ExcDescriptionSeq& all) {
  std::vector<Number> out;
  for (CORBA::ULong i = 0; i < all.length(); ++i) {
    const Number n = model_.by_id(all[i].id.in());
    if (n == kNone) refuse<CORBA::BAD_PARAM>(0, "an exception is not in this repository");
    out.push_back(n);
  }
  return out;
}

std::vector<Member> Service::parameters_of(const CORBA::ParDescriptionSeq& all) {
  std::vector<Member> out;
  for (CORBA::ULong i = 0; i < all.length(); ++i)
    out.push_back({all[i].name.in(), type_of(all[i].type_def.in()), static_cast<std::uint32_t>(all[i].mode), {}});
  return out;
}

Number Service::create(Definition d) {
  Change change(model_);
  const Number number = model_.create(std::move(d));
  model_.check(number);
  const Kind kind = model_.at(number).kind;
  if (is_type(kind) || kind == Kind::Exception) (void)type_codes_.of(number);
  change.commit(store_);
  return number;
}

}  // namespace callis::ifr
