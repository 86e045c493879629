// SPDX-License-Identifier: Apache-2.0
// Directory: what a naming service knows, and how that changes. The rules of Naming Service 1.3, 2.3, for one context
// and a name that begins there, without CORBA.
//
//   resolve, list ──────────────────────────→ Model
//   bind, unbind, destroy ──→ Store::commit ──→ Model      own store: by who changed it
//                                  └─watch────→ Model      shared store: in its order, also of others
//
// A change is checked against the model, goes to the store on the condition that what was checked is still so, and is
// in the model when the function returns. On a shared store a condition can fail, because another instance was
// faster: then all is done again. There nothing is refused on the model's word alone: the store is asked, too, so
// that what another instance has acknowledged is there.
//
// Destroying on a shared store takes two transactions: the first marks the context, so that every bind that was
// checked before fails; if then nothing is bound there, the second removes it on the condition that the mark is still
// there. A bind into a marked context takes the mark away. A mark that stays behind, from an instance that was
// killed, does no harm.
//
// Any thread. Functions that change something throw services::StoreFailed, and Refused.
#pragma once
#include <services/common/relay.h>
#include <services/common/store.h>
#include <services/naming/guards.h>
#include <services/naming/model.h>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>

namespace callis::naming {

struct Bounds {
  std::size_t contexts = 1'000'000;
  std::size_t bindings = 10'000'000;
  // Contexts of one client that no binding leads to; a tenth of `contexts` at most. With as many new_context() is
  // refused, with twice as many bind_new_context(), too.
  std::size_t orphans = 10'000;
  // How long a change waits for others that are faster, or for the store to tell of it.
  std::chrono::milliseconds patience{5'000};
};

struct Refused {
  enum class Kind : std::uint8_t { TooMany, Contended, Late };
  Kind kind;
  std::string why;
};

struct Answer {
  enum class Kind : std::uint8_t { Done, NotFound, AlreadyBound, NotEmpty, Foreign, NoContext };
  Kind kind = Kind::Done;
  Why why = Why::MissingNode;  // NotFound
  std::size_t at = 0;          // NotFound, Foreign: where the rest of the name begins
  BindingPtr binding = {};     // resolve: what was found; Foreign: the context to be asked for the rest
  Number made = 0;             // of bind_new_context
};

// What a name is bound to.
struct Target {
  Binding::Kind kind = Binding::Kind::Object;
  std::string_view reference;  // Object, Foreign
  Number number = 0;           // Local
};

// What a shared store tells a Directory. It outlives the store, which outlives the Directory.
using Watching = services::Relay;

class Directory final : private services::Watcher {
 public:
  // Reads the store, which outlives this; a new one gets the root context. Throws services::StoreFailed.
  // memory: what is kept counts there; it outlives this. nullptr: nothing is counted.
  Directory(services::Store& store, Watching& watching, const Bounds& bounds = {},
            services::MemoryBound* memory = nullptr);
  ~Directory() override;
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;

  // Of the store: what tells references to its contexts from those of every other service.
  Number identity() const { return identity_; }
  const Model& model() const { return model_; }
  Model& model() { return model_; }

  // name: at least one component.
  Answer resolve(Number from, Path name);
  Answer bind(Number from, Path name, const Target& target, bool replace);
  Answer unbind(Number from, Path name);
  Answer bind_new_context(Number from, Path name);
  Number new_context();
  Answer destroy(Number context);
  // False: there is no such context.
  bool list(Number context, BindingTable& out);

 private:
  using Decide = std::function<Answer(const Walk&, services::Transaction&, Model::Holds&)>;
  using Time = std::chrono::steady_clock::time_point;

  Answer change(Number from, Path name, const Decide& decide);
  Answer destroy_own(Number context);
  Answer destroy_shared(Number context);
  // Returns when the model knows all that any instance has acknowledged before the call. False, and nothing is done,
  // where the store is not shared. Whoever has looked at the model before looks again: it may have changed since.
  bool catch_up();
  // The model has that of the store, or the time is over: false.
  bool wait_for(Revision revision);
  services::Outcome commit(const services::Transaction& transaction);
  void adopt(services::Transaction&& transaction, Revision revision, Model::Holds&& holds);
  // Throws Refused where there are too many contexts, or the client has `most` orphans.
  Model::Hold take_context(std::size_t most) const;
  std::size_t most_orphans() const;
  void reread(const services::Transaction& transaction);
  // After a condition that did not hold: throws Refused when it is time to give up.
  void try_again(Revision seen_by_store, Time until);
  void prepare();
  Revision read_all();
  Number draw() const;
  Time patience() const { return std::chrono::steady_clock::now() + bounds_.patience; }
  void told(Revision revision, const std::vector<services::Change>& changes) override;
  void lost() override;

  services::Store& store_;
  Watching& watching_;
  const Bounds bounds_;
  const bool shared_;
  Number identity_ = 0;
  Model model_;
  Guards guards_;
  std::mutex seen_mutex_;  // guards what follows
  std::condition_variable seen_changed_;
  Revision seen_ = 0;  // of the store, by the model
};

}  // namespace callis::naming
