// SPDX-License-Identifier: Apache-2.0
// How an interface is read from a repository, and which interfaces may be of events.
#include <callis/base/buffer.h>
#include <callis/base/text.h>
#include <callis/orb/base/errors.h>
#include <callis/typecode/coder.h>
#include <services/events/typed/interface.h>
#include <algorithm>

namespace callis::events {

namespace {

constexpr std::string_view kPull = "pull_", kTryPull = "try_pull_";

}  // namespace

const CallisTypedEvents::Call* call_in(const CORBA::Any& event) {
  const CallisTypedEvents::Call* out = nullptr;
  return (event >>= out) ? out : nullptr;
}

bool TypedOperation::matches(const CallisTypedEvents::Call& call) const {
  if (name != call.operation.in() || parameters.size() != call.arguments.length()) return false;
  for (CORBA::ULong i = 0; i < call.arguments.length(); ++i) {
    const CORBA::TypeCode_var type = call.arguments[i].value.type();
    if (!type->equivalent(parameters[i].type.in())) return false;
  }
  return true;
}

TypedInterface::TypedInterface(CORBA::Repository_ptr repository, const std::string& id, Model model) : id_(id) {
  if (CORBA::is_nil(repository))
    orb::raise<CORBA::INTF_REPOS>(orb::omg(1), CORBA::COMPLETED_NO,
                                  "the service has no Interface Repository to ask about types");
  if (id.empty() || id.size() > kMostKeyBytes) throw NoEvents{"a key is a repository id of at most 1024 bytes"};
  try {
    read(repository, model);
  } catch (const CORBA::SystemException& e) {
    throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO,
                           concat({"the Interface Repository cannot be asked about ", id, ": ", e.what()}));
  }
}

void TypedInterface::read(CORBA::Repository_ptr repository, Model model) {
  const CORBA::Contained_var found = repository->lookup_id(id_.c_str());
  if (CORBA::is_nil(found.in())) throw NoEvents{"the Interface Repository does not have it"};
  const CORBA::InterfaceDef_var interface = CORBA::InterfaceDef::_narrow(found.in());
  if (CORBA::is_nil(interface.in())) throw NoEvents{"it is no interface"};
  const CORBA::InterfaceDef::FullInterfaceDescription_var all = interface->describe_interface();
  if (all->attributes.length() != 0) throw NoEvents{"it has attributes"};
  if (all->operations.length() == 0 || all->operations.length() > 2 * kMostOperations)
    throw NoEvents{concat({"it has ", Decimal(all->operations.length()), " operations"})};
  for (CORBA::ULong i = 0; i < all->operations.length(); ++i) add(all->operations[i], model);
  ids_ = {id_, "IDL:omg.org/CORBA/Object:1.0"};
  add_bases(repository, all->base_interfaces);
}

void TypedInterface::add_bases(CORBA::Repository_ptr repository, const CORBA::RepositoryIdSeq& bases) {
  for (CORBA::ULong i = 0; i < bases.length(); ++i) {
    if (!ids_.emplace(bases[i]).second) continue;
    if (ids_.size() > kMostBases) throw NoEvents{"it has more than 256 bases"};
    const CORBA::Contained_var found = repository->lookup_id(bases[i]);
    const CORBA::InterfaceDef_var base = CORBA::InterfaceDef::_narrow(found.in());
    if (CORBA::is_nil(base.in())) continue;
    const CORBA::InterfaceDef::FullInterfaceDescription_var all = base->describe_interface();
    add_bases(repository, all->base_interfaces);
  }
}

void TypedInterface::add(const CORBA::OperationDescription& operation, Model model) {
  const std::string name = operation.name.in();
  const auto refuse = [&](std::string_view why) { throw NoEvents{concat({"its operation ", name, why})}; };
  if (name.empty() || name[0] == '_') refuse(" has a name that IDL cannot give, or the ORB's own");
  const bool tries = model == Model::Pull && name.starts_with(kTryPull);
  const bool pulls = model == Model::Pull && name.starts_with(kPull);
  if (model == Model::Pull && !tries && !pulls) refuse(" is neither pull_X nor try_pull_X");
  const std::string event = tries ? name.substr(kTryPull.size()) : pulls ? name.substr(kPull.size()) : name;
  const CORBA::TCKind result = operation.result->kind();
  if (result != (tries ? CORBA::tk_boolean : CORBA::tk_void))
    refuse(tries ? " does not return a boolean" : " returns a value");
  if (operation.exceptions.length() != 0) refuse(" raises exceptions");
  if (operation.contexts.length() != 0) refuse(" has a context clause");
  if (operation.parameters.length() > kMostParameters) refuse(" has more than 64 parameters");
  TypedOperation made;
  made.name = event;
  for (CORBA::ULong i = 0; i < operation.parameters.length(); ++i) {
    const CORBA::ParameterDescription& p = operation.parameters[i];
    if (p.mode != (model == Model::Push ? CORBA::PARAM_IN : CORBA::PARAM_OUT))
      refuse(model == Model::Push ? " has parameters that are not in" : " has parameters that are not out");
    made.parameters.push_back({p.name.in(), CORBA::TypeCode::_duplicate(p.type.in())});
  }
  const auto [at, fresh] = operations_.try_emplace(event, std::move(made));
  TypedOperation& known = at->second;
  if (!fresh) {
    bool same = known.parameters.size() == operation.parameters.length();
    for (CORBA::ULong i = 0; same && i < operation.parameters.length(); ++i)
      same = operation.parameters[i].type->equivalent(known.parameters[i].type.in());
    if (!same) refuse(" has other parameters than its counterpart");
  }
  known.pulls = known.pulls || pulls;
  known.tries = known.tries || tries;
}

bool TypedInterface::says_the_same(const TypedInterface& other) const {
  const auto same_parameter = [](const TypedOperation::Parameter& a, const TypedOperation::Parameter& b) {
    return a.name == b.name && a.type->equal(b.type.in());
  };
  const auto same = [&](const auto& a, const auto& b) {
    return a.first == b.first && a.second.pulls == b.second.pulls && a.second.tries == b.second.tries &&
           std::equal(a.second.parameters.begin(), a.second.parameters.end(), b.second.parameters.begin(),
                      b.second.parameters.end(), same_parameter);
  };
  return id_ == other.id_ && ids_ == other.ids_ &&
         std::equal(operations_.begin(), operations_.end(), other.operations_.begin(), other.operations_.end(), same);
}

// TypeCodes have nodes of far more bytes than they have on the wire.
std::size_t TypedInterface::bytes() const {
  constexpr std::size_t kOverhead = services::MemoryBound::kOverhead, kOfWire = 16;
  std::size_t out = sizeof *this + id_.size();
  for (const std::string& id : ids_) out += kOverhead + id.size();
  for (const auto& [name, operation] : operations_) {
    out += kOverhead + sizeof operation + 2 * name.size();
    for (const TypedOperation::Parameter& p : operation.parameters) {
      Buffer buffer;
      cdr::Encoder encoder(buffer);
      typecode::put_type_code(encoder, p.type.in());
      encoder.finish();
      out += sizeof p + p.name.size() + kOverhead + kOfWire * buffer.size();
    }
  }
  return out;
}

struct TypedInterfaces::Kept {
  TypedInterface interface;
  services::MemoryBound::Hold held{};
};

std::shared_ptr<const TypedInterface> TypedInterfaces::get(CORBA::Repository_ptr repository, const std::string& id,
                                                           TypedInterface::Model model) {
  const auto fresh = std::make_shared<Kept>(Kept{TypedInterface(repository, id, model)});
  const std::lock_guard lock(mutex_);
  std::erase_if(known_, [](const auto& each) { return each.second.expired(); });
  std::weak_ptr<const TypedInterface>& known = known_[{id, model}];
  if (auto there = known.lock(); there && there->says_the_same(fresh->interface)) return there;
  if (memory_) fresh->held = memory_->take(fresh->interface.bytes());
  const std::shared_ptr<const TypedInterface> out(fresh, &fresh->interface);
  known = out;
  return out;
}

const TypedOperation* TypedInterface::find(std::string_view name) const {
  const auto found = operations_.find(name);
  return found == operations_.end() ? nullptr : &found->second;
}

const TypedOperation* TypedInterface::find(const CORBA::Any& event) const {
  const CallisTypedEvents::Call* const call = call_in(event);
  const TypedOperation* const out = call ? find(std::string_view(call->operation.in())) : nullptr;
  return out && out->matches(*call) ? out : nullptr;
}

}  // namespace callis::events
