// SPDX-License-Identifier: Apache-2.0
// Model: all contexts and bindings in memory, as of one revision of the store. It only mirrors what the store has;
// who changes something is Directory.
//
//   contexts: number ──→ Context ──→ its bindings (binding_table.h) ──→ Binding (constant)
//
// Any thread; readers do not wait for each other, and none holds the lock for long: list() takes a snapshot. A
// Binding stays as it is as long as somebody has it: a changed binding is another one.
//
// What contexts and bindings take in memory is counted (services/common/memory_bound.h) as long as anybody has them.
// How many contexts of a client no binding leads to (orphans) is counted, too.
#pragma once
#include <services/common/fair_shared_mutex.h>
#include <services/naming/binding_table.h>
#include <chrono>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string_view>
#include <unordered_map>

namespace callis::naming {

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
  using Hold = services::MemoryBound::Hold;
  using Time = std::chrono::steady_clock::time_point;

  // memory: outlives this; nullptr: nothing is counted. twice: the store has all in memory once more.
  explicit Model(services::MemoryBound* memory = nullptr, bool twice = false);
  ~Model();

  // name: at least one component. One lock, and nothing is allocated.
  Walk walk(Number from, Path name) const;

  struct State {
    Revision changed = 0;  // 0: the context does not exist
    bool closing = false;
    BindingPtr any;  // one of its bindings; nullptr for none
  };
  State state(Number context) const;
  // All bindings of a context, as of now. False when it does not exist. Takes as long for many as for few.
  bool list(Number context, BindingTable& out) const;
  std::size_t contexts() const { return contexts_.load(std::memory_order_relaxed); }
  std::size_t bindings() const { return bindings_.load(std::memory_order_relaxed); }
  // Contexts that no binding leads to, of all clients.
  std::size_t orphans() const;
  // How often something has changed.
  std::uint64_t changes() const { return changes_.load(std::memory_order_relaxed); }

  // --- memory ---

  // What a change adds, taken before the store has it. Empty: nothing is added.
  struct Holds {
    Hold binding, context;
    Number made = kRoot;  // of the context
  };
  // NO_RESOURCES where the client has used up its share.
  Hold take_binding(const Component& component, std::size_t reference_bytes) const;
  Hold take_context() const;
  // Contexts of the hold's client that no binding leads to.
  std::size_t orphans_of(const Hold& hold) const;

  // What has changed, in one step. Keys and values that are none of ours are passed over. holds: of what is new; what
  // they do not cover is counted for nobody.
  void apply(std::span<const services::Change> changes, Holds&& holds);
  void apply(std::span<const services::Change> changes) { apply(changes, Holds()); }
  // The same holds, of what the store has told meanwhile. binding_key: of the changed binding.
  void charge(const std::string& binding_key, Revision changed, Holds&& holds);
  // In place of all that there was.
  void replace(std::vector<services::Pair>&& pairs);

  // --- contexts that no name leads to (orphans.h) ---

  // One search at a time: TRANSIENT while another lasts, so that none waits. Contexts that are made or bound while it
  // lasts count as reached.
  class Search final {
   public:
    explicit Search(Model& model);
    ~Search();
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;

    // False: it does not exist, or has been reached before. Otherwise its bindings.
    bool reach(Number context, BindingTable& out);
    // Those that were bound since the last call.
    std::vector<Number> bound_meanwhile();
    // False: all was replaced meanwhile, so that what was found is worth nothing.
    bool holds() const;
    struct Found {
      Number number;
      std::size_t bindings;  // in it
      std::uint32_t bound;   // bindings that lead to it
      Time since;            // when this process has heard of it
    };
    // Calls take(found) for each that was not reached, under the lock, a part of all at a time: 0 ... kParts - 1.
    template <class Take>
    void unreached(std::size_t part, Take&& take);

   private:
    Model& model_;
    const std::unique_lock<std::mutex> alone_;
    std::uint32_t round_ = 0;
  };
  static constexpr std::size_t kParts = 64;
  // How many bindings lead to a context.
  std::uint32_t bound(Number context) const;

 private:
  struct Context {
    Revision changed = 0;
    bool closing = false;
    std::uint32_t bound = 0;                        // bindings that lead to it; one more for the root
    mutable std::atomic<std::uint32_t> reached{0};  // by which search
    Time since{};
    BindingTable bindings;
    Hold held;
  };
  using Contexts = std::unordered_map<Number, Context>;
  // In parts, so that none is so large that its growth, or a search, takes long.
  struct All {
    std::array<Contexts, kParts> parts;
    std::size_t contexts = 0, bindings = 0;
    std::unordered_map<const void*, std::size_t> orphans;  // by client
    bool searching = false;
    std::uint32_t round = 0;              // of the search
    std::vector<Number> bound_meanwhile;  // while it lasts

    Contexts& part(Number n) { return parts[n % kParts]; }
    const Contexts& part(Number n) const { return parts[n % kParts]; }
    Context* find(Number n);
    const Context* find(Number n) const { return const_cast<All*>(this)->find(n); }
  };

  void put(All& all, const std::string& key, const std::string& value, Revision changed, Holds& holds) const;
  void erase(All& all, const std::string& key) const;
  // A binding comes or goes that leads to a context of ours; others are passed over.
  static void lead(All& all, const Binding& binding);
  static void unlead(All& all, const Binding& binding);
  static void count_orphan(All& all, const Context& context, bool more);
  void publish();  // the counts, under the lock
  Hold adopt(std::size_t bytes) const { return memory_ ? memory_->adopt(bytes) : Hold(); }
  std::size_t binding_cost(std::size_t name_bytes, std::size_t reference_bytes) const;
  std::size_t context_cost() const;

  services::MemoryBound* const memory_;
  const bool twice_;
  std::mutex search_;  // held by who searches
  mutable services::FairSharedMutex mutex_;  // guards what follows
  All all_;
  std::uint32_t rounds_ = 0;
  std::atomic<std::size_t> contexts_{0}, bindings_{0};
  std::atomic<std::uint64_t> changes_{0};
};

template <class Take>
void Model::Search::unreached(std::size_t part, Take&& take) {
  const std::shared_lock lock(model_.mutex_);
  for (const auto& [number, c] : model_.all_.parts[part])
    if (c.reached.load(std::memory_order_relaxed) != round_)
      take(Found{number, c.bindings.size(), c.bound, c.since});
}

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
