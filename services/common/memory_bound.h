// SPDX-License-Identifier: Apache-2.0
// MemoryBound: bounds the bytes that a service keeps for its clients (--max-memory), with a share for each client
// (--max-memory-each). A service keeps bindings, offers, events in queues, iterators, answers of other services. It
// takes the bytes for each such thing here first, and holds the bytes as long as it keeps the thing.
//
//   MemoryBound::Hold held = bound.take(cost_of(name) + cost_of(reference));   // NO_RESOURCES: nothing is left
//   bindings_.emplace(name, Binding{reference, std::move(held)});              // its bytes go back with the binding
//
// A client is known by what the system vouches for (Caller::counted_as()): the user of a Unix-domain socket, or the
// address of a network connection. All loopback addresses are one client, and so is an IPv6 network of 64 bits. A
// client that fills its share is refused, and others are served.
//
// Costs are estimates, and rather too high: bytes of texts and values, and kOverhead for each thing in a container.
// Any thread may call. The bound outlives its holds.
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
  // A node of a map or list with the bytes that malloc adds, and a short string or two.
  static constexpr std::size_t kOverhead = 160;

  MemoryBound();  // with the defaults
  explicit MemoryBound(Limits limits);
  MemoryBound(const MemoryBound&) = delete;
  MemoryBound& operator=(const MemoryBound&) = delete;
  ~MemoryBound();

  // Bytes that are taken; they go back when the hold ends. A hold is empty when it is made, or moved from.
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
    // Returns false if the hold is empty.
    bool counts() const { return bound_ != nullptr; }
    // Returns the same pointer for all holds of a client, as long as the client has one; nullptr for nobody, and for
    // an empty hold.
    const void* client() const;
    // Holds so many bytes from now on, for the same client. Raises NO_RESOURCES, and changes nothing, if they are not
    // there; never if the hold becomes smaller. The hold must not be empty.
    void resize(std::size_t bytes);
    // Does the same, but returns false in place of NO_RESOURCES, for callers that need not refuse.
    [[nodiscard]] bool try_resize(std::size_t bytes) noexcept;
    // Does the same, but is never refused: for things that turn out somewhat larger when they are there already.
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

  // Takes bytes for the client whose request the calling thread serves. Raises NO_RESOURCES, COMPLETED_NO, if its
  // share, or the bound, is used up; the text says which, and names the option.
  [[nodiscard]] Hold take(std::size_t bytes);
  // Takes bytes for that client. "" is nobody, which has no share of its own.
  [[nodiscard]] Hold take_for(std::string_view client, std::size_t bytes);
  // Counts bytes that are there already, such as a store's at the start; never refused.
  [[nodiscard]] Hold adopt(std::size_t bytes);

  std::size_t held() const;
  std::size_t clients() const;  // that hold something
  const Limits& limits() const { return limits_; }

 private:
  Account& account_of(std::string_view client);  // under the lock
  // The caller holds the lock.
  bool client_has(const Account& account, std::size_t more) const;
  bool all_have(std::size_t more) const { return held_ <= limits_.all && more <= limits_.all - held_; }
  // Throws NO_RESOURCES if there is no room for more.
  void check(const Account& account, std::size_t more) const;
  void drop(Account& account);  // under the lock

  Limits limits_;
  mutable std::mutex mutex_;  // guards what follows
  std::size_t held_ = 0;
  std::unordered_map<std::string, Account> accounts_;
};

}  // namespace callis::services
