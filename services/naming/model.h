// SPDX-License-Identifier: Apache-2.0
// Model: all contexts and bindings in memory, as of one revision of the store. It only mirrors what the store has;
// who changes something is Directory.
//
//   contexts: number ──→ Context ──→ its bindings, a hash table by id and kind ──→ Binding (constant)
//
// Any thread; readers do not wait for each other. A Binding stays as it is as long as somebody has it: a changed
// binding is another one.
#pragma once
#include <services/common/store.h>
#include <services/naming/name.h>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace callis::naming {

using services::Revision;

// Of a context: drawn at random when it is made, so that none is used twice, also by several instances on one store.
using Number = std::uint64_t;
inline constexpr Number kRoot = 0;

struct Binding {
  enum class Kind : char {
    Object = 'o',   // nobject
    Local = 'l',    // ncontext, one of ours
    Foreign = 'f',  // ncontext, another service's
  };

  Kind kind = Kind::Object;
  std::uint32_t id_bytes = 0;  // of name
  Revision changed = 0;
  Number number = 0;      // Local
  std::string name;       // the id, a NUL, the kind
  std::string reference;  // Object, Foreign: the IOR in CDR, little-endian

  bool is_context() const { return kind != Kind::Object; }
  Component component() const {
    return {std::string_view(name).substr(0, id_bytes), std::string_view(name).substr(id_bytes + 1)};
  }
};
using BindingPtr = std::shared_ptr<const Binding>;

// Why a name leads nowhere (2.3.1, NotFound).
enum class Why : std::uint8_t { MissingNode, NotContext, NotObject };

// Where a name leads from a context.
struct Walk {
  enum class Kind : std::uint8_t {
    Here,       // `context` has, or would have, the last component; `binding` is what it is bound to, or nullptr
    NotFound,   // `why`, in `context`; the rest of the name begins at `at`, which is bound to `binding` or to nothing
    Foreign,    // `binding` is another service's context, which has to be asked for the rest, from `at` on
    NoContext,  // the context where it would begin does not exist
  };
  Kind kind = Kind::NoContext;
  Why why = Why::MissingNode;
  std::size_t at = 0;
  Number context = 0;
  Revision context_changed = 0;
  bool closing = false;  // somebody is about to destroy the context
  BindingPtr binding;
};

class Model {
 public:
  Model();
  ~Model();

  // name: at least one component. One lock, and nothing is allocated.
  Walk walk(Number from, Path name) const;

  struct State {
    Revision changed = 0;  // 0: the context does not exist
    bool closing = false;
    BindingPtr any;  // one of its bindings; nullptr for none
  };
  State state(Number context) const;
  // All bindings of a context, in no order. False when it does not exist.
  bool list(Number context, std::vector<BindingPtr>& out) const;
  std::size_t contexts() const;
  std::size_t bindings() const;
  // How often something has changed.
  std::uint64_t changes() const { return changes_.load(std::memory_order_relaxed); }

  // What has changed, in one step. Keys and values that are none of ours are passed over.
  void apply(std::span<const services::Change> changes);
  // In place of all that there was.
  void replace(std::vector<services::Pair>&& pairs);

 private:
  // Not noexcept: so the table keeps each hash, and looks at no other binding than the one that is sought.
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(const Component& c) const;
    std::size_t operator()(const BindingPtr& b) const { return (*this)(b->component()); }
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(const Component& a, const Component& b) const noexcept { return a == b; }
    bool operator()(const Component& a, const BindingPtr& b) const noexcept { return a == b->component(); }
    bool operator()(const BindingPtr& a, const Component& b) const noexcept { return a->component() == b; }
    bool operator()(const BindingPtr& a, const BindingPtr& b) const noexcept { return a->name == b->name; }
  };
  struct Context {
    Revision changed = 0;
    bool closing = false;
    std::unordered_set<BindingPtr, Hash, Equal> bindings;
  };
  using Contexts = std::unordered_map<Number, Context>;

  static void put(Contexts& all, const std::string& key, const std::string& value, Revision changed,
                  std::size_t& bindings);
  static void erase(Contexts& all, const std::string& key, std::size_t& bindings);

  mutable std::shared_mutex mutex_;  // guards what follows
  Contexts contexts_;
  std::size_t bindings_ = 0;
  std::atomic<std::uint64_t> changes_{0};
};

// --- how the store has it ---

inline constexpr std::string_view kContextPrefix = "c/", kBindingPrefix = "n/", kIdentityKey = "a/identity";
inline constexpr std::string_view kOpen = "open", kClosing = "closing";

std::string context_key(Number context);
std::string bindings_prefix(Number context);
std::string binding_key(Number context, const Component& component);
std::string object_value(std::string_view reference);
std::string foreign_value(std::string_view reference);
std::string local_value(Number context);
std::string to_digits(Number number);  // 16, hexadecimal
std::optional<Number> from_digits(std::string_view digits);

}  // namespace callis::naming
