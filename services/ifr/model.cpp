// SPDX-License-Identifier: Apache-2.0
// Definitions by number, with an index each by repository id, by name in a container, and of anonymous types by what
// they are. A change keeps what it replaces until it is committed.
#include <services/ifr/model.h>
#include <services/ifr/refuse.h>
#include <algorithm>
#include <unordered_set>

namespace callis::ifr {

namespace {

// Names that differ in case alone are the same to IDL (7.2.3).
std::string without_case(std::string_view name) {
  std::string out(name);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

bool is_anonymous(Kind k) {
  return k == Kind::String || k == Kind::Wstring || k == Kind::Fixed || k == Kind::Sequence || k == Kind::Array;
}

std::string structure_of(const Definition& d) {
  return std::to_string(static_cast<int>(d.kind)) + ":" + std::to_string(d.bound) + ":" + std::to_string(d.scale) +
         ":" + std::to_string(d.type);
}

}  // namespace

Model::Model(const Model& base, services::OperationTime& time)
    : bounds_(base.bounds_), base_(&base), time_(&time), next_(base.next_) {}

Model::Model(const Bounds& bounds, services::MemoryBound* memory) : bounds_(bounds), memory_(memory) {
  Definition repository;
  repository.number = kRepository;
  repository.kind = Kind::Repository;
  all_.emplace(kRepository, std::move(repository));
  for (std::uint32_t i = 0; i < kPrimitives; ++i) {
    Definition primitive;
    primitive.number = kFirstPrimitive + i;
    primitive.kind = Kind::Primitive;
    primitive.bound = i;
    all_.emplace(primitive.number, std::move(primitive));
  }
}

const Definition* Model::find(Number number) const {
  const auto found = all_.find(number);
  if (found != all_.end()) return &found->second;
  return base_ ? base_->find(number) : nullptr;
}

const Definition& Model::at(Number number) const {
  const Definition* const found = find(number);
  if (!found) refuse<CORBA::OBJECT_NOT_EXIST>(4, "the definition has been destroyed");
  return *found;
}

Number Model::by_id(std::string_view id) const {
  const auto found = by_id_.find(std::string(id));
  if (found != by_id_.end()) return found->second;
  return base_ ? base_->by_id(id) : kNone;
}

std::string Model::key(Number container, std::string_view name) const {
  return std::to_string(container) + ":" + without_case(name);
}

Number Model::in_container(Number container, std::string_view name) const {
  const auto found = by_name_.find(key(container, name));
  if (found != by_name_.end()) return found->second;
  return base_ ? base_->in_container(container, name) : kNone;
}

std::string Model::absolute_name(const Definition& d) const {
  std::string out;
  for (const Definition* at = &d; at && is_contained(at->kind); at = find(at->container)) out = "::" + at->name + out;
  return out;
}

std::vector<Number> Model::bases_of(const Definition& d) const {
  std::vector<Number> out = d.bases;
  if (d.base != kNone) out.insert(out.begin(), d.base);
  out.insert(out.end(), d.supported.begin(), d.supported.end());
  return out;
}

std::vector<Number> Model::ancestors(const Definition& d) const {
  std::vector<Number> out;
  std::unordered_set<Number> seen{d.number};
  std::vector<Number> open = bases_of(d);
  std::reverse(open.begin(), open.end());
  while (!open.empty()) {
    step();
    const Number next = open.back();
    open.pop_back();
    const Definition* const base = find(next);
    if (!base || !seen.insert(next).second) continue;
    out.push_back(next);
    const std::vector<Number> further = bases_of(*base);
    open.insert(open.end(), further.rbegin(), further.rend());
  }
  return out;
}

bool Model::is_a(const Definition& d, std::string_view id) const {
  if (d.id == id) return true;
  for (const Number n : ancestors(d))
    if (at(n).id == id) return true;
  return false;
}

std::vector<Number> Model::contents(const Definition& d, bool inherited) const {
  std::vector<Number> out = d.contents;
  if (!inherited) return out;
  for (const Number base : ancestors(d)) {
    const Definition& b = at(base);
    out.insert(out.end(), b.contents.begin(), b.contents.end());
  }
  return out;
}

Number Model::lookup(const Definition& from, std::string_view scoped_name) const {
  const Definition* scope = &from;
  const bool absolute = scoped_name.starts_with("::");
  if (scoped_name.ends_with("::")) return kNone;
  if (absolute) {
    scope = &at(kRepository);
    scoped_name.remove_prefix(2);
  }
  const auto first = [&] {
    const std::size_t end = std::min(scoped_name.find("::"), scoped_name.size());
    const std::string_view word = scoped_name.substr(0, end);
    scoped_name.remove_prefix(std::min(end + 2, scoped_name.size()));
    return word;
  };
  // Names are found without regard to case, but must be spelled as they were declared.
  const auto within = [&](const Definition& d, std::string_view word) {
    Number found = in_container(d.number, word);
    if (found == kNone) {
      for (const Number base : ancestors(d)) {
        found = in_container(base, word);
        if (found != kNone) break;
      }
    }
    return found != kNone && at(found).name == word ? found : kNone;
  };
  std::string_view word = first();
  Number found = within(*scope, word);
  while (found == kNone && !absolute && scope->number != kRepository) {
    scope = &at(scope->container);
    found = within(*scope, word);
  }
  while (found != kNone && !scoped_name.empty()) {
    word = first();
    found = within(at(found), word);
  }
  return found;
}

void Model::index(const Definition& d) {
  if (is_anonymous(d.kind)) by_structure_[structure_of(d)] = d.number;
  if (!is_contained(d.kind)) return;
  by_id_[d.id] = d.number;
  by_name_[key(d.container, d.name)] = d.number;
}

void Model::unindex(const Definition& d) {
  const auto drop = [&d](auto& index, const std::string& key) {
    const auto found = index.find(key);
    if (found != index.end() && found->second == d.number) index.erase(found);
  };
  if (is_anonymous(d.kind)) drop(by_structure_, structure_of(d));
  if (!is_contained(d.kind)) return;
  drop(by_id_, d.id);
  drop(by_name_, key(d.container, d.name));
}

// Before a definition is changed, made or removed.
void Model::save(Number number) {
  if (base_) return;  // which is as it was
  const Definition* const now = find(number);
  before_.try_emplace(number, now ? std::optional<Definition>(*now) : std::nullopt);
}

// To be changed: of an overlay a copy of its base's.
Definition& Model::own(Number number) {
  const auto found = all_.find(number);
  if (found != all_.end() || !base_) return all_.at(number);
  ++copied_;
  return all_.emplace(number, base_->at(number)).first->second;
}

void Model::begin() {
  time_ = &own_time_.emplace(bounds_.time);
  changing_ = true;
  next_before_ = next_;
  before_.clear();
  ++generation_;
}

Number Model::create(Definition d) {
  step();
  if (size() >= bounds_.definitions)
    refuse<CORBA::IMP_LIMIT>(0, "the repository is full: " + std::to_string(bounds_.definitions) + " definitions");
  d.number = next_;
  check_names(d);
  check_place(d);
  save(d.number);
  ++next_;
  if (is_contained(d.kind)) {
    save(d.container);
    own(d.container).contents.push_back(d.number);
  }
  const Number number = d.number;
  index(d);
  all_.emplace(number, std::move(d));
  ++generation_;
  return number;
}

Number Model::anonymous(Definition d) {
  const auto known = by_structure_.find(structure_of(d));
  if (known != by_structure_.end()) return known->second;
  if (base_) {
    const auto there = base_->by_structure_.find(structure_of(d));
    if (there != base_->by_structure_.end()) return there->second;
  }
  const Number number = create(std::move(d));
  check(number);
  return number;
}

void Model::set_anonymous(Number number, Definition changed) {
  std::size_t users = 0;
  for (const auto& [other, d] : all_) {
    const std::vector<Number> to = references(d);
    if (std::find(to.begin(), to.end(), number) != to.end()) ++users;
  }
  if (users > 1)
    refuse<CORBA::BAD_INV_ORDER>(0, std::to_string(users) + " definitions have this type: create another one, and "
                                                            "set it where this one is used");
  save(number);
  Definition& now = all_.at(number);
  unindex(now);
  now = std::move(changed);
  by_structure_.try_emplace(structure_of(now), number);
  ++generation_;
  check(number);
}

Definition& Model::edit(Number number) {
  at(number);
  save(number);
  ++generation_;
  return own(number);
}

// It, and all that it contains.
std::vector<Number> Model::going_with(Number number, std::unordered_set<Number>& gone) const {
  const Definition& top = at(number);
  if (!is_contained(top.kind) && !is_anonymous(top.kind))
    refuse<CORBA::BAD_INV_ORDER>(kIndestructible, std::string("a ") + std::string(kind_word(top.kind)) +
                                                      " of the repository itself cannot be destroyed");
  std::vector<Number> going{number};
  gone.insert(number);
  for (std::size_t i = 0; i < going.size(); ++i) {
    for (const Number inner : at(going[i]).contents)
      if (gone.insert(inner).second) going.push_back(inner);
  }
  return going;
}

void Model::check_removable(Number number) const {
  std::unordered_set<Number> gone;
  (void)going_with(number, gone);
  for (const auto& [other, d] : all_) {
    if (gone.contains(other)) continue;
    for (const Number to : references(d)) {
      if (!gone.contains(to)) continue;
      const std::string who = absolute_name(d);
      refuse<CORBA::BAD_INV_ORDER>(
          kIsReferredTo,
          absolute_name(at(to)) + " is used by " +
              (who.empty() ? std::string(kind_word(d.kind)) + " number " + std::to_string(other) : who));
    }
  }
}

void Model::remove(Number number, bool checked) {
  if (!checked) check_removable(number);
  const Definition& top = at(number);
  std::unordered_set<Number> gone;
  const std::vector<Number> going = going_with(number, gone);
  if (is_contained(top.kind)) {
    save(top.container);
    std::erase(all_.at(top.container).contents, number);
  }
  for (const Number n : going) {
    save(n);
    unindex(all_.at(n));
    all_.erase(n);
  }
  ++generation_;
}

void Model::rename(Number number, Number container, std::string name, std::string version) {
  Definition d = at(number);
  for (const Definition* up = find(container); up; up = find(up->container))
    if (up->number == number) refuse<CORBA::BAD_PARAM>(kWrongContainer, "nothing can be moved into itself");
  save(number);
  save(d.container);
  save(container);
  const Number old = d.container;
  unindex(d);
  d.container = container;
  d.name = std::move(name);
  d.version = std::move(version);
  const Number there = in_container(container, d.name);
  if (there != kNone && there != number)
    refuse<CORBA::BAD_PARAM>(kNameIsThere, d.name + " is in " + absolute_name(at(container)) + " already");
  Definition without_id = d;
  without_id.id.clear();
  check_names(without_id);
  check_place(d);
  std::erase(all_.at(old).contents, number);
  all_.at(container).contents.push_back(number);
  std::sort(all_.at(container).contents.begin(), all_.at(container).contents.end());
  index(d);
  all_.at(number) = std::move(d);
  ++generation_;
}

void Model::set_id(Number number, std::string id) {
  Definition d = at(number);
  const Number there = by_id(id);
  if (there == number) return;
  save(number);
  Definition nameless = d;
  nameless.id = std::move(id);
  nameless.name.clear();
  check_names(nameless);
  unindex(d);
  d.id = std::move(nameless.id);
  index(d);
  all_.at(number) = std::move(d);
  ++generation_;
}

// What a definition takes: itself, its texts and parts, and its places in the indexes.
static std::size_t bytes_of(const Definition& d) {
  return sizeof d + 3 * (d.id.size() + d.name.size()) + d.version.size() + 2 * to_bytes(d).size();
}

// For those that clients have made; the numbers of new ones. What was there at the start is counted as a whole.
// NO_RESOURCES, and nothing has changed.
std::vector<Number> Model::take_memory(const std::vector<const Definition*>& changed) {
  std::vector<std::pair<Number, services::MemoryBound::Hold>> fresh;
  for (const Definition* const d : changed) {
    if (!memory_ || d->number < loaded_until_) continue;
    const std::size_t bytes = bytes_of(*d);
    const auto known = held_.find(d->number);
    if (known == held_.end()) fresh.emplace_back(d->number, memory_->take(bytes));
    else known->second.resize(bytes);
  }
  std::vector<Number> out;
  for (auto& [number, hold] : fresh) {
    out.push_back(number);
    held_.insert_or_assign(number, std::move(hold));
  }
  return out;
}

void Model::store(Store* store, const std::vector<const Definition*>& changed, const std::vector<Number>& removed,
                  Number next) {
  if (more_ > less_ && bytes_ + more_ - less_ > bounds_.bytes)
    refuse<CORBA::IMP_LIMIT>(0, "the repository is full: its definitions would take more than " +
                                    std::to_string(bounds_.bytes) + " bytes");
  const std::vector<Number> fresh = take_memory(changed);
  try {
    if (store && (!changed.empty() || !removed.empty())) store->write(changed, removed, next);
  } catch (...) {
    for (const Number number : fresh) held_.erase(number);
    throw;
  }
  for (const Number number : removed) held_.erase(number);
}

void Model::commit(Store* store) {
  std::vector<const Definition*> changed;
  std::vector<Number> removed;
  more_ = less_ = 0;
  for (const auto& [number, before] : before_) {
    const Definition* const now = find(number);
    if (now) more_ += bytes_of(*now);
    if (before) less_ += bytes_of(*before);
    if (now)
      changed.push_back(now);
    else if (before)
      removed.push_back(number);
  }
  this->store(store, changed, removed, next_);
  bytes_ = bytes_ + more_ - less_;
  before_.clear();
  changing_ = false;
  time_ = nullptr;
}

void Model::prepare(Model& overlay, Store* store) {
  std::vector<const Definition*> changed;
  more_ = less_ = 0;
  for (const auto& [number, now] : overlay.all_) {
    overlay.step();
    more_ += bytes_of(now);
    if (const Definition* const before = find(number)) less_ += bytes_of(*before);
    changed.push_back(&now);
  }
  std::sort(changed.begin(), changed.end(), [](const auto* a, const auto* b) { return a->number < b->number; });
  this->store(store, changed, {}, overlay.next_);
  for (const Definition* const each : changed)
    if (find(each->number)) overlay.changed_.push_back(std::move(overlay.all_.extract(each->number).mapped()));
}

// All that others can find leads to definitions that are there already. Nothing can fail any more, so a reader that
// comes between two portions sees a change that is not whole yet, but none that will be undone.
bool Model::adopt(Model& overlay) {
  std::size_t most = 1'000;
  const auto move = [&most](auto& from, auto& to) {
    for (; most != 0 && !from.empty(); --most) to.insert(from.extract(from.begin()));
  };
  move(overlay.all_, all_);
  move(overlay.by_structure_, by_structure_);
  move(overlay.by_id_, by_id_);
  move(overlay.by_name_, by_name_);
  if (most == 0) return false;
  for (Definition& changed : overlay.changed_) std::swap(all_.at(changed.number), changed);
  next_ = overlay.next_;
  bytes_ = bytes_ + more_ - less_;
  ++generation_;
  return true;
}

void Model::rollback() {
  if (!changing_) return;
  for (const auto& [number, before] : before_) {
    if (const Definition* now = find(number)) unindex(*now);
    all_.erase(number);
  }
  for (auto& [number, before] : before_) {
    if (!before) continue;
    index(*before);
    all_.insert_or_assign(number, std::move(*before));
  }
  next_ = next_before_;
  before_.clear();
  changing_ = false;
  time_ = nullptr;
  ++generation_;
}

std::string Model::load(std::vector<Definition> stored, Number next) {
  std::sort(stored.begin(), stored.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  for (Definition& d : stored) {
    const std::string who = "definition " + std::to_string(d.number);
    if (d.number < kFirstCreated || d.number >= next) return who + " has a number that cannot be";
    if (!is_contained(d.kind) && !is_anonymous(d.kind)) return who + " is of a kind that cannot be";
    index(d);
    if (!all_.emplace(d.number, std::move(d)).second) return who + " is there twice";
  }
  std::size_t named = 0;
  for (const auto& [number, d] : all_) {
    if (number < kFirstCreated) continue;
    const std::string who = "definition " + std::to_string(number);
    for (const Number to : references(d))
      if (!find(to)) return who + " refers to one that is not there";
    if (!is_contained(d.kind)) continue;
    ++named;
    std::size_t depth = 0;
    for (const Definition* up = &d; up->number != kRepository; up = find(up->container)) {
      const Definition* const outer = find(up->container);
      if (!outer || !is_container(outer->kind) || ++depth > bounds_.depth) return who + " is in no container";
    }
  }
  if (by_id_.size() != named || by_name_.size() != named) return "two definitions have the same id or name";
  for (const auto& [number, d] : all_)
    if (is_contained(d.kind)) all_.at(d.container).contents.push_back(number);
  for (auto& [number, d] : all_) {
    std::sort(d.contents.begin(), d.contents.end());
    try {
      if (number >= kFirstCreated) check(number);
    } catch (const CORBA::SystemException& e) {
      return "definition " + std::to_string(number) + ": " + e.what();
    }
  }
  bytes_ = 0;
  for (const auto& [number, d] : all_) bytes_ += bytes_of(d);
  next_ = loaded_until_ = next;
  if (memory_) loaded_ = memory_->adopt(bytes_);
  ++generation_;
  return {};
}

}  // namespace callis::ifr
