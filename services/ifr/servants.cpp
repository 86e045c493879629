// SPDX-License-Identifier: Apache-2.0
// IRObject, Contained, IDLType, and what reads a Container.
#include <services/ifr/servants.h>
#include <algorithm>

namespace callis::ifr {

namespace {

bool is_wanted(Kind kind, CORBA::DefinitionKind limit) {
  if (limit == CORBA::dk_all) return true;
  if (limit == CORBA::dk_Typedef) return is_typedef(kind);
  return static_cast<CORBA::DefinitionKind>(kind) == limit;
}

}  // namespace

// Others read while it is looked for what refers to the definition.
void ObjectServant::destroy() {
  const Lock writers(service_->writers());
  model().check_removable(number_);
  const auto held = lock();
  Change change(model());
  model().remove(number_, true);
  change.commit(service_->store());
}

void ObjectServant::examine(Number changed) {
  model().check(changed);
  const Kind kind = model().at(changed).kind;
  if (is_type(kind) || kind == Kind::Exception) (void)type_codes().of(changed);
}

CORBA::TypeCode_ptr TypeServant::type() {
  const auto held = lock();
  (void)here();
  return type_code(number());
}

char* ContainedServant::id() {
  const auto held = lock();
  return copy(here().id);
}
void ContainedServant::id(const char* value) {
  const auto held = lock_to_change();
  Change change(model());
  (void)here();
  model().set_id(number(), value);
  change.commit(service().store());
}
char* ContainedServant::name() {
  const auto held = lock();
  return copy(here().name);
}
void ContainedServant::name(const char* value) {
  const auto held = lock_to_change();
  const Definition& d = here();
  rename(d.container, value, std::string(d.version).c_str());
}
char* ContainedServant::version() {
  const auto held = lock();
  return copy(here().version);
}
void ContainedServant::version(const char* value) {
  const auto held = lock_to_change();
  const Definition& d = here();
  rename(d.container, std::string(d.name).c_str(), value);
}
CORBA::Container_ptr ContainedServant::defined_in() {
  const auto held = lock();
  return service().reference_as<CORBA::Container>(here().container);
}
char* ContainedServant::absolute_name() {
  const auto held = lock();
  return copy(model().absolute_name(here()));
}
CORBA::Repository_ptr ContainedServant::containing_repository() {
  const auto held = lock();
  (void)here();
  return service().reference_as<CORBA::Repository>(kRepository);
}

CORBA::Contained::Description* ContainedServant::describe() {
  const auto held = lock();
  const Definition& d = here();
  CORBA::Contained::Description_var out = new CORBA::Contained::Description;
  out->kind = kind_of(d);
  out->value = service().description(d);
  return out._retn();
}

void ContainedServant::move(CORBA::Container_ptr new_container, const char* new_name, const char* new_version) {
  const auto held = lock_to_change();
  (void)here();
  rename(service().number_of(new_container), new_name, new_version);
}

void ContainedServant::rename(Number container, const char* name, const char* version) {
  Change change(model());
  model().rename(number(), container, name, version);
  change.commit(service().store());
}

CORBA::Contained_ptr ContainerServant::lookup(const char* search_name) {
  const auto held = lock();
  return service().reference_as<CORBA::Contained>(model().lookup(here(), search_name));
}

std::vector<Number> ContainerServant::chosen(CORBA::DefinitionKind limit, bool exclude_inherited) {
  std::vector<Number> out = model().contents(here(), !exclude_inherited);
  std::erase_if(out, [&](Number n) { return !is_wanted(model().at(n).kind, limit); });
  return out;
}

// References to many are made without the lock.
CORBA::ContainedSeq* ContainerServant::contained(Lock&& held, const std::vector<Number>& all) {
  service().check_answer(all.size());
  std::vector<Kind> kinds;
  for (const Number n : all) kinds.push_back(model().at(n).kind);
  held.unlock();
  CORBA::ContainedSeq_var out = new CORBA::ContainedSeq;
  out->length(static_cast<CORBA::ULong>(all.size()));
  for (CORBA::ULong i = 0; i < out->length(); ++i) {
    const CORBA::Object_var object = service().reference(all[i], kinds[i]);
    out[i] = CORBA::Contained::_unchecked_narrow(object.in());
  }
  return out._retn();
}

CORBA::ContainedSeq* ContainerServant::contents(CORBA::DefinitionKind limit_type, CORBA::Boolean exclude_inherited) {
  Lock held = lock();
  const std::vector<Number> all = chosen(limit_type, exclude_inherited);
  return contained(std::move(held), all);
}

// levels_to_search: 1 is this container alone; -1 is all levels.
CORBA::ContainedSeq* ContainerServant::lookup_name(const char* search_name, CORBA::Long levels_to_search,
                                                   CORBA::DefinitionKind limit_type,
                                                   CORBA::Boolean exclude_inherited) {
  Lock held = lock();
  std::vector<Number> found, level{here().number};
  const std::string_view name = search_name;
  for (CORBA::Long n = 0; !level.empty() && (levels_to_search < 0 || n < levels_to_search); ++n) {
    std::vector<Number> below;
    for (const Number container : level) {
      for (const Number inner : model().contents(model().at(container), n == 0 && !exclude_inherited)) {
        const Definition& d = model().at(inner);
        if (d.name == name && is_wanted(d.kind, limit_type)) found.push_back(inner);
        if (is_container(d.kind)) below.push_back(inner);
      }
    }
    level = std::move(below);
  }
  return contained(std::move(held), found);
}

CORBA::Container::DescriptionSeq* ContainerServant::describe_contents(CORBA::DefinitionKind limit_type,
                                                                      CORBA::Boolean exclude_inherited,
                                                                      CORBA::Long max_returned_objs) {
  constexpr std::size_t kPortion = 100;  // with the lock held once
  Lock held = lock();
  std::vector<Number> all = chosen(limit_type, exclude_inherited);
  if (max_returned_objs >= 0 && all.size() > static_cast<std::size_t>(max_returned_objs))
    all.resize(static_cast<std::size_t>(max_returned_objs));
  service().check_answer(all.size());
  CORBA::Container::DescriptionSeq_var out = new CORBA::Container::DescriptionSeq;
  out->length(static_cast<CORBA::ULong>(all.size()));
  CORBA::ULong made = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i % kPortion == kPortion - 1) {
      held.unlock();
      held.lock();
    }
    const Definition* const d = model().find(all[i]);
    if (!d) continue;  // destroyed meanwhile
    out[made].contained_object = service().reference_as<CORBA::Contained>(d->number);
    out[made].kind = kind_of(*d);
    out[made].value = service().description(*d);
    ++made;
  }
  out->length(made);
  return out._retn();
}

}  // namespace callis::ifr
