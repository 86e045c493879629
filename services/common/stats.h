// SPDX-License-Identifier: Apache-2.0
// Counters of a service: named numbers, and a CORBA object that tells them to `callis NAME --stats`.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <vector>

namespace callis::services {

struct Value {
  std::string name;
  std::int64_t number = 0;
  bool gauge = false;  // goes up and down; otherwise it counts since the start
};

// Any thread. Counters live as long as this.
class Counters {
 public:
  using Counter = std::atomic<std::int64_t>;
  using Add = std::function<void(Value&&)>;

  Counters() = default;
  Counters(const Counters&) = delete;
  Counters& operator=(const Counters&) = delete;

  // Made at the first call of the name. Keep the reference: adding to it takes no lock.
  Counter& counter(const std::string& name) { return named(name, false); }
  Counter& gauge(const std::string& name) { return named(name, true); }
  // A source of values that are found out when somebody asks, as the lengths of queues: called with `add` for each.
  // On any thread, one at a time; must not throw. Returns what ends it: when that is destroyed, the source is not
  // called any more, and no call runs.
  class Source;
  [[nodiscard]] Source collect(std::function<void(const Add&)> source);

  // Ordered by name; those of sources among them.
  std::vector<Value> values() const;
  // "name value" lines; or one JSON object.
  std::string to_lines() const;
  std::string to_json() const;

 private:
  struct Named {
    Named(std::string of, bool goes_both_ways) : name(std::move(of)), gauge(goes_both_ways) {}
    std::string name;
    bool gauge;
    Counter number{0};
  };
  Counter& named(const std::string& name, bool gauge);
  void drop(std::uint64_t id);

  mutable std::mutex mutex_, sources_mutex_;
  std::list<Named> all_;
  std::list<std::pair<std::uint64_t, std::function<void(const Add&)>>> sources_;
  std::uint64_t next_ = 1;
};

class Counters::Source {
 public:
  Source() = default;
  Source(Source&& other) noexcept : of_(other.of_), id_(other.id_) { other.of_ = nullptr; }
  Source& operator=(Source&& other) noexcept {
    if (this != &other) {
      reset();
      of_ = other.of_;
      id_ = other.id_;
      other.of_ = nullptr;
    }
    return *this;
  }
  ~Source() { reset(); }
  void reset() {
    if (of_) of_->drop(id_);
    of_ = nullptr;
  }

 private:
  friend class Counters;
  Source(Counters* of, std::uint64_t id) : of_(of), id_(id) {}
  Counters* of_ = nullptr;
  std::uint64_t id_ = 0;
};

std::string to_lines(const std::vector<Value>& values);
std::string to_json(const std::vector<Value>& values);

}  // namespace callis::services
