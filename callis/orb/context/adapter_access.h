// SPDX-License-Identifier: Apache-2.0
// AdapterAccess: knows the threads that are in an ORB's object adapter by collocated calls, without a connection.
// Such a thread notes its coming and going in its own record (pins.h); shut() waits until all have left.
#pragma once
#include <callis/orb/base/pins.h>
#include <callis/orb/context/server_request.h>
#include <condition_variable>
#include <mutex>

namespace callis::orb {

class AdapterAccess final {
 public:
  RequestHandler* handler() const { return handler_.load(std::memory_order_acquire); }
  void set_handler(RequestHandler* handler) { handler_.store(handler, std::memory_order_seq_cst); }
  // Takes the handler away, and waits until the visits that have it are over.
  void shut();

  class Visit final {
   public:
    explicit Visit(AdapterAccess& access) : adapter_access_(access), noted_(note()) {
      handler_ = access.handler_.load(std::memory_order_seq_cst);
    }
    ~Visit() {
      if (noted_) [[likely]] {
        --pin_record->depth;
        pin_record->clear();
      } else {
        adapter_access_.counted_.fetch_sub(1, std::memory_order_seq_cst);
      }
      if (!adapter_access_.handler_.load(std::memory_order_seq_cst)) [[unlikely]] adapter_access_.left();
    }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;
    RequestHandler* handler() const { return handler_; }  // nullptr: none, or shut

   private:
    bool note() {
      PinRecord* const mine = pin_record;
      if (!mine || mine->depth == PinRecord::kDepth) [[unlikely]] return count();
      mine->note(&adapter_access_);
      mine->keep();
      return true;
    }
    bool count();

    AdapterAccess& adapter_access_;
    const bool noted_;
    RequestHandler* handler_;
  };

  // Like Visit, but for a record that takes_two(), so the room for the note needs no check.
  class QuickVisit final {
   public:
    QuickVisit(AdapterAccess& access, PinRecord& record)
        : adapter_access_(access), record_(record), depth_(record.depth) {
      record.note_at(depth_, &access);
      handler_ = access.handler_.load(std::memory_order_seq_cst);
    }
    ~QuickVisit() {
      record_.clear_at(depth_);
      if (!adapter_access_.handler_.load(std::memory_order_seq_cst)) [[unlikely]] adapter_access_.left();
    }
    QuickVisit(const QuickVisit&) = delete;
    QuickVisit& operator=(const QuickVisit&) = delete;
    RequestHandler* handler() const { return handler_; }
    std::uint32_t next() const { return depth_ + 1; }

   private:
    AdapterAccess& adapter_access_;
    PinRecord& record_;
    const std::uint32_t depth_;
    RequestHandler* handler_;
  };

 private:
  void left();
  bool is_empty();

  std::atomic<RequestHandler*> handler_{nullptr};
  std::atomic<std::uint32_t> counted_{0};
  std::mutex mutex_;
  std::condition_variable left_;
};

}  // namespace callis::orb
