// SPDX-License-Identifier: Apache-2.0
// Names in scopes: entering, finding, clashes.
#include <idl/sema/scope.h>
#include <idl/source/limits.h>
#include <algorithm>
#include <utility>

namespace callis::idl::sema {

namespace {

constexpr std::uint64_t kWalkedBeforeIndex = 100;  // and a step for each name that goes into the index
constexpr std::uint64_t kStepsOfName = 25;         // to enter a name into an index takes about as long

}  // namespace

// The names that a scope inherits, by key.
struct Scope::Index {
  struct Found {
    const Entry* one;                   // the first
    std::vector<const Entry*> several;  // empty: there is one alone
    bool decided;                       // `several` leaves out what is hidden, in the order of the bases
  };
  std::unordered_map<std::string_view, Found> names;  // keys stand in the bases' by_key_
  std::uint64_t generation = 0;
};

bool Lookups::exhausted() const { return steps_ > kMaxLookupSteps; }

Scope::Scope(ScopeKind k, Scope* p, ast::Declaration* o, Lookups& lookups)
    : kind(k), parent(p), owner(o), lookups_(lookups) {}

Scope::~Scope() = default;

std::string fold(std::string_view name) {
  std::string out(name);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

const Entry* Scope::find_own(std::string_view name) const {
  const auto found = by_key_.find(fold(name));
  return found == by_key_.end() ? nullptr : found->second;
}

void Scope::add(Entry entry) {
  entries_.push_back(std::move(entry));
  by_key_.try_emplace(fold(entries_.back().name), &entries_.back());
  changed();
}

void Scope::replace(std::string_view name, ast::Declaration* node, const source::Range& where) {
  if (const auto found = by_key_.find(fold(name)); found != by_key_.end()) {
    found->second->node = node;
    found->second->where = where;
  }
}

void Scope::add_base(const Scope& base) {
  bases_.push_back(&base);
  index_ = nullptr;
  changed();
}

void Scope::clear_bases() {
  bases_.clear();
  index_ = nullptr;
  changed();
}

// Bases are complete before others derive from them: this is for files with faults.
void Scope::changed() {
  if (indexed_) {
    ++lookups_.generation_;
    indexed_ = false;
  }
}

template <class Visit>
void Scope::each_base(Visit visit) const {
  const std::uint64_t walk = ++lookups_.walks_;
  visited_ = walk;
  std::vector<std::pair<const Scope*, std::size_t>> open = {{this, 0}};
  while (!open.empty()) {
    auto& [at, next] = open.back();
    if (next == at->bases_.size()) {
      open.pop_back();
      continue;
    }
    const Scope* base = at->bases_[next++];
    ++lookups_.steps_;
    if (base->visited_ == walk) {
      continue;
    }
    base->visited_ = walk;
    if (visit(*base)) {
      open.emplace_back(base, 0);
    }
  }
}

std::vector<const Scope*> Scope::all_bases() const {
  std::vector<const Scope*> out;
  each_base([&](const Scope& base) {
    out.push_back(&base);
    return true;
  });
  return out;
}

std::vector<const Entry*> Scope::find(std::string_view name) const {
  const std::string key = fold(name);
  if (const auto own = by_key_.find(key); own != by_key_.end()) {
    return {own->second};
  }
  return bases_.empty() || lookups_.exhausted() ? std::vector<const Entry*>() : find_inherited(key);
}

std::vector<const Entry*> Scope::find_inherited(const std::string& key) const {
  if (index_ != nullptr && index_->generation != lookups_.generation_) {
    index_ = nullptr;
    walked_ = 0;
  }
  Index::Found* known = nullptr;
  if (index_ != nullptr) {
    const auto found = index_->names.find(key);
    if (found == index_->names.end()) {
      return {};
    }
    known = &found->second;
    if (known->several.empty()) {
      return {known->one};
    }
    if (known->decided) {
      lookups_.steps_ += known->several.size();
      return known->several;
    }
  }
  std::vector<const Entry*> out;
  const std::uint64_t before = lookups_.steps_;
  std::uint64_t names = 0;
  each_base([&](const Scope& base) {
    names += base.by_key_.size();
    const auto found = base.by_key_.find(key);
    if (found == base.by_key_.end()) {
      return true;
    }
    out.push_back(found->second);
    return false;
  });
  if (known != nullptr) {
    known->several = out;
    known->decided = true;
  } else if (walked_ += lookups_.steps_ - before; walked_ > kWalkedBeforeIndex + names) {
    make_index();
  }
  return out;
}

void Scope::make_index() const {
  index_ = std::make_unique<Index>();
  index_->generation = lookups_.generation_;
  bool flat = true;
  each_base([&](const Scope& base) {
    base.indexed_ = true;
    flat = flat && base.bases_.empty();
    lookups_.steps_ += kStepsOfName * base.by_key_.size();
    for (const auto& [key, entry] : base.by_key_) {
      const auto [found, fresh] = index_->names.try_emplace(key, Index::Found{entry, {}, false});
      if (fresh) {
        continue;
      }
      if (found->second.several.empty()) {
        found->second.several.push_back(found->second.one);
      }
      found->second.several.push_back(entry);
    }
    return !lookups_.exhausted();
  });
  if (flat) {  // none hides what another declares
    for (auto& [key, found] : index_->names) {
      found.decided = true;
    }
  }
}

const Scope::Introduced* Scope::find_introduced(std::string_view name) const {
  const auto found = introduced_.find(fold(name));
  return found == introduced_.end() ? nullptr : &found->second;
}

void Scope::introduce(std::string_view name, const source::Range& where) {
  introduced_.try_emplace(fold(name), Introduced{std::string(name), where});
}

}  // namespace callis::idl::sema
