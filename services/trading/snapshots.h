// SPDX-License-Identifier: Apache-2.0
// Snapshots: how searches look at a catalogue's offers without its lock, so that nobody waits for a long search.
//
// Lists of offers are in chunks. A search copies the pointers to chunks under the lock, for reading; who changes a
// chunk that a search may have, changes a copy of it. And what is taken out of the catalogue stays until the searches
// that began before have ended. Neither costs anything while there is no search.
//
//   const Snapshots::Pin pin(snapshots);           // first
//   { lock for reading; copy pointers to chunks; snapshots.taken(); }
//   look at the offers in the chunks
//
// Any thread.
#pragma once
#include <services/trading/offer.h>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace callis::trading {

// Never changed while a search may have it, but by Snapshots::own().
struct Chunk {
  std::vector<const Offer*> offers;
  std::uint64_t made = 0;  // so many snapshots had been taken when nobody else had it
};
using ChunkPtr = std::shared_ptr<Chunk>;

// Some offers of a chunk.
struct Piece {
  std::shared_ptr<const Chunk> chunk;
  std::size_t begin, end;
};

class Snapshots final {
 public:
  // Snapshots that are taken while a Pin exists, and offers that are withdrawn, stay until the Pin ends. Snapshots
  // outlives the Pin.
  class Pin final {
   public:
    explicit Pin(Snapshots& of) : of_(of) {
      const std::lock_guard lock(of_.mutex_);
      number_ = of_.pins_.insert(of_.withdrawn_);
    }
    Pin(const Pin&) = delete;
    Pin& operator=(const Pin&) = delete;
    ~Pin() { of_.end(number_); }

   private:
    Snapshots& of_;
    std::multiset<std::uint64_t>::iterator number_;
  };

  // After pointers to chunks have been copied, under the catalogue's lock.
  void taken() { taken_.fetch_add(1, std::memory_order_relaxed); }
  // Before a chunk is changed, under the catalogue's lock, alone: the chunk, or a copy of it in its place.
  std::vector<const Offer*>& own(ChunkPtr& chunk) {
    const std::uint64_t taken = taken_.load(std::memory_order_relaxed);
    if (!chunk) {
      chunk = std::make_shared<Chunk>();
    } else if (chunk->made < taken && has_pins()) {
      chunk = std::make_shared<Chunk>(*chunk);
    }
    chunk->made = taken;
    return chunk->offers;
  }
  // An offer has been taken out of the catalogue.
  void withdraw(OfferPtr&& offer) {
    const std::lock_guard lock(mutex_);
    if (!pins_.empty()) offers_.emplace_back(++withdrawn_, std::move(offer));
  }

 private:
  bool has_pins() const {
    const std::lock_guard lock(mutex_);
    return !pins_.empty();
  }
  void end(std::multiset<std::uint64_t>::iterator pin) {
    std::vector<OfferPtr> free;  // without the lock
    const std::lock_guard lock(mutex_);
    pins_.erase(pin);
    const std::uint64_t needed = pins_.empty() ? withdrawn_ : *pins_.begin();  // what went later
    for (; !offers_.empty() && offers_.front().first <= needed; offers_.pop_front())
      free.push_back(std::move(offers_.front().second));
  }

  std::atomic<std::uint64_t> taken_{0};
  mutable std::mutex mutex_;                               // guards what follows
  std::uint64_t withdrawn_ = 0;                            // how many, ever
  std::multiset<std::uint64_t> pins_;                      // each by `withdrawn_` when it began
  std::deque<std::pair<std::uint64_t, OfferPtr>> offers_;  // by their numbers
};

// Offers in no order, each of which knows its place (Offer::position), in chunks of kInChunk.
class OfferList final {
 public:
  static constexpr std::size_t kInChunk = 1'024;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  void push_back(const Offer& offer, Snapshots& snapshots) {
    offer.position = static_cast<std::uint32_t>(size_);
    if (size_ % kInChunk == 0) chunks_.emplace_back();
    snapshots.own(chunks_.back()).push_back(&offer);
    ++size_;
  }
  // The last takes its place.
  void erase(const Offer& offer, Snapshots& snapshots) {
    auto& last = snapshots.own(chunks_.back());
    const Offer* const moved = last.back();
    last.pop_back();
    --size_;
    if (last.empty()) chunks_.pop_back();
    if (moved == &offer) return;
    snapshots.own(chunks_[offer.position / kInChunk])[offer.position % kInChunk] = moved;
    moved->position = offer.position;
  }
  const std::vector<ChunkPtr>& chunks() const { return chunks_; }

 private:
  std::vector<ChunkPtr> chunks_;  // all full but the last
  std::size_t size_ = 0;
};

}  // namespace callis::trading
