// SPDX-License-Identifier: Apache-2.0
// MemoryBound: what a service keeps for its clients, in bytes, against one bound (--max-memory), with a share for
// each client (--max-memory-each). Who keeps something for a client - a binding, an offer, an event in a queue, an
// iterator, the answer of another service - takes its bytes here first, and holds them as long as it keeps the thing.
//
//   MemoryBound::Hold held = bound.take(cost_of(name) + cost_of(reference));   // NO_RESOURCES: nothing is left
//   bindings_.emplace(name, Binding{reference, std::move(held)});              // its bytes go back with the binding
//
// A client is whom the system vouches for (Caller::counted_as()): the user of a Unix-domain socket; the address of a
// network connection, all loopback addresses being one, and an IPv6 network of 64 bits. A client that fills its share
// is refused, and others are served.
//
// Costs are estimates, and rather too high: bytes of texts and values, and kOverhead for each thing in a container.
// Any thread. The bound outlives its holds.
#pragma once
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace callis::services {

class MemoryBound final {
  struct Account;

 public:
  struct Limits {
    std::size_t all = 0;   // bytes; 0: a quarter of the memory there is
    std::size_t each = 0;  // bytes a client; 0: kEach, and at most half of `all`
  };
  static constexpr std::size_t kEach = 128u << 20;
  // A node of a map or list with what malloc adds, and a string or two that are short.
  static constexpr std::size_t kOverhead = 160;

  MemoryBound();  // with the defaults
  explicit MemoryBound(Limits limits);
  MemoryBound(const MemoryBound&) = delete;
  MemoryBound& operator=(const MemoryBound&) = delete;
  ~MemoryBound();

  // Bytes that are taken; they go back when it ends. Empty when it is made, or moved from.
  class Hold final {
   public:
    Hold() = default;
    Hold(Hold&& other) noexcept
        : bound_(std::exchange(other.bound_, nullptr)),
          account_(std::exchange(other.account_, nullptr)),
          bytes_(std::exchange(other.bytes_, 0)) {}
    Hold& operator=(Hold&& other) noexcept {
      Hold before(std::move(*this));
      std::swap(bound_, other.bound_);
      std::swap(account_, other.account_);
      std::swap(bytes_, other.bytes_);
      return *this;
    }
    ~Hold() { give_back(); }

    std::size_t bytes() const { return bytes_; }
    // False: it is empty.
    bool counts() const { return bound_ != nullptr; }
    // Whose they are: the same for all holds of a client, as long as it has one; nullptr for nobody, and when empty.
    const void* client() const;
    // Holds so many bytes from now on, for the same client. NO_RESOURCES, and nothing has changed; never when it
    // becomes less. Not of an empty one.
    void resize(std::size_t bytes);
    // The same; false in place of NO_RESOURCES, for who has another way than to refuse.
    [[nodiscard]] bool try_resize(std::size_t bytes) noexcept;
    // The same, and never refused: for what turns out to be somewhat larger when it is there already.
    void adopt(std::size_t bytes);
    void give_back() noexcept;

   private:
    friend class MemoryBound;
    Hold(MemoryBound& bound, Account& account, std::size_t bytes)
        : bound_(&bound), account_(&account), bytes_(bytes) {}
    void set(std::size_t bytes);  // under the lock
    MemoryBound* bound_ = nullptr;
    Account* account_ = nullptr;
    std::size_t bytes_ = 0;
  };

  // For the client whose request the calling thread serves. NO_RESOURCES, COMPLETED_NO: its share, or the bound, is
  // used up; the text says which, and the option.
  [[nodiscard]] Hold take(std::size_t bytes);
  // For that client; "": nobody's, which has no share of its own.
  [[nodiscard]] Hold take_for(std::string_view client, std::size_t bytes);
  // What is there already, as what a store had at the start: counted, and never refused.
  [[nodiscard]] Hold adopt(std::size_t bytes);

  std::size_t held() const;
  std::size_t clients() const;  // that hold something
  const Limits& limits() const { return limits_; }

 private:
  Account& account_of(std::string_view client);  // under the lock
  // Under the lock.
  bool client_has(const Account& account, std::size_t more) const;
  bool all_have(std::size_t more) const { return held_ <= limits_.all && more <= limits_.all - held_; }
  // Throws.
  void check(const Account& account, std::size_t more) const;
  void drop(Account& account);  // under the lock

  Limits limits_;
  mutable std::mutex mutex_;  // guards what follows
  std::size_t held_ = 0;
  std::unordered_map<std::string, Account> accounts_;
};

}  // namespace callis::services
