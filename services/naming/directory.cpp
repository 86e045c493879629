// SPDX-License-Identifier: Apache-2.0
// What changes names: from the walk through the model to the transaction, and back into the model.
#include <callis/base/log.h>
#include <services/common/rules.h>
#include <services/naming/directory.h>
#include <sys/random.h>
#include <algorithm>
#include <utility>

namespace callis::naming {

namespace {

using services::Change;
using services::Pair;
using services::StoreFailed;
using services::Transaction;

Answer not_found(Why why, std::size_t at) { return {.kind = Answer::Kind::NotFound, .why = why, .at = at}; }

// Of a walk that led somewhere, or nowhere.
Answer of(Walk&& walk) {
  switch (walk.kind) {
    case Walk::Kind::Here: return {.binding = std::move(walk.binding)};
    case Walk::Kind::NotFound: return not_found(walk.why, walk.at);
    case Walk::Kind::Foreign:
      return {.kind = Answer::Kind::Foreign, .at = walk.at, .binding = std::move(walk.binding)};
    case Walk::Kind::NoContext: break;
  }
  return {.kind = Answer::Kind::NoContext};
}

std::string value_of(const Target& target) {
  switch (target.kind) {
    case Binding::Kind::Object: return object_value(target.reference);
    case Binding::Kind::Foreign: return foreign_value(target.reference);
    case Binding::Kind::Local: break;
  }
  return local_value(target.number);
}

// A transaction that changes the binding of the name's last component, if its context is still as it was.
void in_context(const Walk& walk, Path name, Transaction& to) {
  const std::string key = binding_key(walk.context, name.back());
  to.conditions.push_back({key, walk.binding ? walk.binding->changed : 0});
  to.conditions.push_back({context_key(walk.context), walk.context_changed});
  if (walk.closing) to.puts.emplace_back(context_key(walk.context), kOpen);
}

std::vector<Change> changes_of(Transaction transaction, Revision revision) {
  std::vector<Change> out;
  out.reserve(transaction.puts.size() + transaction.erased.size());
  for (auto& [key, value] : transaction.puts) out.push_back({std::move(key), std::move(value), revision});
  for (std::string& key : transaction.erased) out.push_back({std::move(key), std::nullopt, revision});
  return out;
}

}  // namespace

Directory::Directory(services::Store& store, Watching& watching, const Bounds& bounds, services::MemoryBound* memory)
    : store_(store), watching_(watching), bounds_(bounds), shared_(store.shared()),
      model_(memory, store.in_memory()) {
  prepare();
  const Revision revision = read_all();
  if (!shared_) return;
  watching_.set(this);
  store_.watch(revision, watching_);
}

Directory::~Directory() { watching_.set(nullptr); }

void Directory::lost() {
  try {
    read_all();
  } catch (const StoreFailed& failed) {
    log(LogLevel::Error, {"naming: what other instances have changed meanwhile is not known here: ", failed.what()});
  }
}

Number Directory::draw() const {
  Number out = kRoot;
  while (out == kRoot)
    if (::getrandom(&out, sizeof out, 0) != static_cast<ssize_t>(sizeof out)) out = kRoot;
  return out;
}

// Of several instances that meet a new store at once, one makes the root context.
void Directory::prepare() {
  bool there = false;
  store_.read(kIdentityKey, [&](Pair&&) { there = true; });
  if (there) return;
  Transaction first;
  first.conditions.push_back({std::string(kIdentityKey), 0});
  first.puts.emplace_back(kIdentityKey, to_digits(draw()));
  first.puts.emplace_back(context_key(kRoot), kOpen);
  (void)store_.commit(first);
}

Revision Directory::read_all() {
  std::vector<Pair> pairs;
  const Revision revision = store_.read("", [&](Pair&& pair) {
    if (pair.key == kIdentityKey) {
      identity_ = from_digits(pair.value).value_or(0);
    } else {
      pairs.push_back(std::move(pair));
    }
  });
  model_.replace(std::move(pairs));
  const std::lock_guard lock(seen_mutex_);
  seen_ = revision;
  seen_changed_.notify_all();
  return revision;
}

void Directory::told(Revision revision, const std::vector<Change>& changes) {
  {
    const std::lock_guard lock(seen_mutex_);
    if (revision <= seen_) return;
  }
  model_.apply(changes);
  const std::lock_guard lock(seen_mutex_);
  seen_ = revision;
  seen_changed_.notify_all();
}

// --- what was found, and whether that is still so ---

bool Directory::wait_for(Revision revision) {
  std::unique_lock lock(seen_mutex_);
  return seen_changed_.wait_until(lock, patience(), [&] { return seen_ >= revision; });
}

bool Directory::catch_up() {
  if (!shared_) return false;
  if (!wait_for(store_.latest()))
    throw Refused{Refused::Kind::Late, "the store has changes that it has not told of for a long time"};
  return true;
}

Answer Directory::resolve(Number from, Path name) {
  for (bool again = true;; again = false) {
    Walk walk = model_.walk(from, name);
    const bool found = walk.kind == Walk::Kind::Foreign || (walk.kind == Walk::Kind::Here && walk.binding);
    if (found) return of(std::move(walk));
    if (again && catch_up()) continue;
    if (walk.kind != Walk::Kind::Here) return of(std::move(walk));
    return not_found(Why::MissingNode, walk.at);
  }
}

bool Directory::list(Number context, BindingTable& out) {
  return model_.list(context, out) || (catch_up() && model_.list(context, out));
}

// --- changing ---

services::Outcome Directory::commit(const Transaction& transaction) {
  try {
    return store_.commit(transaction);
  } catch (const StoreFailed& failed) {
    if (failed.maybe_applied() && !shared_) reread(transaction);
    throw;
  }
}

// Nobody knows whether it has been applied: the store is asked. Where it says nothing either, the model stays as it
// is.
void Directory::reread(const Transaction& transaction) {
  try {
    for (const Change& wanted : changes_of(transaction, 0)) {
      Change is{wanted.key, std::nullopt, 0};
      store_.read(wanted.key, [&](Pair&& pair) {
        if (pair.key == wanted.key) is = {pair.key, std::move(pair.value), pair.changed};
      });
      model_.apply({&is, 1});
    }
  } catch (const StoreFailed&) {
  }
}

void Directory::adopt(Transaction&& transaction, Revision revision, Model::Holds&& holds) {
  if (!shared_) return model_.apply(changes_of(std::move(transaction), revision), std::move(holds));
  // What is late is in the store all the same, and in the model when the store tells: then it is nobody's.
  if (!wait_for(revision) || transaction.puts.empty()) return;
  model_.charge(transaction.puts.back().first, revision, std::move(holds));
}

void Directory::try_again(Revision seen_by_store, Time until) {
  if (std::chrono::steady_clock::now() >= until)
    throw Refused{Refused::Kind::Contended, "other instances of the service change the same names over and over"};
  (void)wait_for(seen_by_store);
}

Answer Directory::change(Number from, Path name, const Decide& decide) {
  const Time until = patience();
  bool fresh = false;  // the model knows all that was acknowledged before this call
  for (;;) {
    Number context = from;
    if (name.size() > 1) {
      Walk way = model_.walk(from, name);
      if (way.kind == Walk::Kind::Foreign) return of(std::move(way));
      if (way.kind != Walk::Kind::Here) {
        if (!std::exchange(fresh, true) && catch_up()) continue;
        return of(std::move(way));
      }
      context = way.context;
    }
    const Guards::Hold hold(guards_, binding_key(context, name.back()), context_key(context));
    Walk walk = model_.walk(from, name);
    if (walk.kind == Walk::Kind::NoContext && name.size() == 1) {
      if (!std::exchange(fresh, true) && catch_up()) continue;
      return of(std::move(walk));
    }
    if (walk.kind != Walk::Kind::Here || walk.context != context) continue;
    Transaction transaction;
    Model::Holds holds;
    Answer answer = decide(walk, transaction, holds);
    if (answer.kind != Answer::Kind::Done) {
      if (!std::exchange(fresh, true) && catch_up()) continue;
      return answer;
    }
    const services::Outcome outcome = commit(transaction);
    if (outcome.applied) {
      adopt(std::move(transaction), outcome.revision, std::move(holds));
      return answer;
    }
    try_again(outcome.revision, until);
  }
}

Answer Directory::bind(Number from, Path name, const Target& target, bool replace) {
  return change(from, name, [&](const Walk& walk, Transaction& to, Model::Holds& holds) -> Answer {
    if (walk.binding) {
      if (!replace) return {.kind = Answer::Kind::AlreadyBound};
      const bool context = target.kind != Binding::Kind::Object;
      if (walk.binding->is_context() != context)
        return not_found(context ? Why::NotContext : Why::NotObject, walk.at);
      // What is there is somebody's, and nobody knows whose.
      services::Rules::require(services::Group::Admin, "rebind of a name that is bound");
    } else if (model_.bindings() >= bounds_.bindings) {
      throw Refused{Refused::Kind::TooMany, "there are " + std::to_string(bounds_.bindings) + " bindings already"};
    }
    holds.binding = model_.take_binding(name.back(), target.reference.size());
    in_context(walk, name, to);
    to.puts.emplace_back(to.conditions.front().key, value_of(target));
    return {};
  });
}

Answer Directory::unbind(Number from, Path name) {
  return change(from, name, [&](const Walk& walk, Transaction& to, Model::Holds&) -> Answer {
    if (!walk.binding) return not_found(Why::MissingNode, walk.at);
    to.conditions.push_back({binding_key(walk.context, name.back()), walk.binding->changed});
    to.erased.push_back(to.conditions.front().key);
    return {};
  });
}

Model::Hold Directory::take_context(std::size_t most) const {
  if (model_.contexts() >= bounds_.contexts)
    throw Refused{Refused::Kind::TooMany, "there are " + std::to_string(bounds_.contexts) + " contexts already"};
  Model::Hold out = model_.take_context();
  if (model_.orphans_of(out) >= most)
    throw Refused{Refused::Kind::TooMany, "the client has " + std::to_string(most) +
                                              " contexts without a name: bind or destroy some (--max-orphans)"};
  return out;
}

std::size_t Directory::most_orphans() const {
  return std::min(bounds_.orphans, std::max<std::size_t>(bounds_.contexts / 10, 1));
}

Number Directory::new_context() {
  Model::Holds holds;
  holds.context = take_context(most_orphans());
  for (;;) {
    const Number made = holds.made = draw();
    Transaction transaction;
    transaction.conditions.push_back({context_key(made), 0});
    transaction.puts.emplace_back(context_key(made), kOpen);
    const services::Outcome outcome = commit(transaction);
    if (!outcome.applied) continue;
    adopt(std::move(transaction), outcome.revision, std::move(holds));
    return made;
  }
}

Answer Directory::bind_new_context(Number from, Path name) {
  return change(from, name, [&](const Walk& walk, Transaction& to, Model::Holds& holds) -> Answer {
    if (walk.binding) return {.kind = Answer::Kind::AlreadyBound};
    if (model_.bindings() >= bounds_.bindings)
      throw Refused{Refused::Kind::TooMany, "there are " + std::to_string(bounds_.bindings) + " bindings already"};
    holds.context = take_context(2 * most_orphans());  // unbinding it would make another
    holds.binding = model_.take_binding(name.back(), 0);
    const Number made = holds.made = draw();
    in_context(walk, name, to);
    to.conditions.push_back({context_key(made), 0});
    to.puts.emplace_back(context_key(made), kOpen);
    to.puts.emplace_back(to.conditions.front().key, local_value(made));
    return {.made = made};
  });
}

Answer Directory::destroy(Number context) {
  const Guards::Hold hold(guards_, context_key(context), {});
  return shared_ ? destroy_shared(context) : destroy_own(context);
}

Answer Directory::destroy_own(Number context) {
  const Model::State state = model_.state(context);
  if (state.changed == 0) return {.kind = Answer::Kind::NoContext};
  if (state.any) return {.kind = Answer::Kind::NotEmpty};
  Transaction transaction;
  transaction.conditions.push_back({context_key(context), state.changed});
  transaction.erased.push_back(context_key(context));
  const services::Outcome outcome = commit(transaction);
  if (!outcome.applied) throw Refused{Refused::Kind::Contended, "another process has changed the store"};
  adopt(std::move(transaction), outcome.revision, {});
  return {};
}

Answer Directory::destroy_shared(Number context) {
  const Time until = patience();
  const std::string key = context_key(context);
  bool fresh = false;
  for (;;) {
    const Model::State state = model_.state(context);
    if (state.changed == 0 || state.any) {
      if (!std::exchange(fresh, true) && catch_up()) continue;
      return {.kind = state.any ? Answer::Kind::NotEmpty : Answer::Kind::NoContext};
    }
    Transaction mark;
    mark.conditions.push_back({key, state.changed});
    mark.puts.emplace_back(key, kClosing);
    const services::Outcome marked = commit(mark);
    if (!marked.applied) {
      try_again(marked.revision, until);
      continue;
    }
    bool empty = true;
    (void)store_.read(bindings_prefix(context), [&](Pair&&) { empty = false; });
    Transaction end;
    end.conditions.push_back({key, marked.revision});
    if (empty) {
      end.erased.push_back(key);
    } else {
      end.puts.emplace_back(key, kOpen);
    }
    const services::Outcome ended = commit(end);
    if (ended.applied) adopt(std::move(end), ended.revision, {});
    if (ended.applied || !empty) return {.kind = empty ? Answer::Kind::Done : Answer::Kind::NotEmpty};
    try_again(ended.revision, until);
  }
}

}  // namespace callis::naming
