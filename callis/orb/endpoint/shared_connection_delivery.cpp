// SPDX-License-Identifier: Apache-2.0
// The part of SharedConnection for bidirectional connections, whose replies the pool reads.
#include <callis/orb/endpoint/shared_connection.h>

namespace callis::orb {

SharedConnection::SharedConnection(std::unique_ptr<transport::Stream> stream, const Limits& limits,
                                   std::size_t fragment_bytes, std::chrono::microseconds spin, std::uint32_t first_id,
                                   Watcher& watcher, std::vector<Byte> listen_points)
    : stream_(std::move(stream)),
      limits_(limits),
      fragment_bytes_(fragment_bytes),
      spin_(spin),
      watcher_(&watcher),
      listen_points_(std::move(listen_points)),
      tells_(!listen_points_.empty()),
      table_(first_id, giop::RequestTable::kDefaultMaxRequests, giop::RequestTable::Ids::EveryOther),
      reading_(true) {}

bool SharedConnection::deliver(const giop::Message& m) {
  std::uint32_t id = 0;
  if (!giop::reply_id(m, limits_, id)) return false;
  Lock lock(mutex_);
  void* found = nullptr;
  if (table_.match(id, found) == giop::RequestTable::Match::Pending) hand_over(*static_cast<Lane*>(found), m);
  return true;
}

// In one piece, however it came.
void SharedConnection::hand_over(Lane& lane, const giop::Message& m) {
  giop::MessageHeader h = m.header;
  h.more_fragments = false;
  Byte header[giop::kHeaderBytes];
  giop::write_header(header, h);
  if (!lane.inbox_.append(header) || !lane.inbox_.append(m.body)) lane.fault_ = Fault::OutOfMemory;
  lane.came_ = true;
  call(lane);
}

// While others read.
void SharedConnection::serve(Lane& lane, Lock& lock, Deadline deadline) {
  if (!lane.thread_.follows()) return;
  lane.serves_ = true;
  lock.unlock();
  (void)watcher_->serve_until(lane.thread_.called(), deadline);
  lock.lock();
  lane.serves_ = false;
}

void SharedConnection::look_for_calls() {
  const Lock lock(mutex_);
  if (table_.pending() == 0) worn_ |= watcher_->unused();
}

void SharedConnection::lost(Fault why) {
  static const auto kClose = giop::close_connection(giop::kGiop12);
  Lock lock(mutex_);
  const bool closed = why == Fault::ConnectionClosed;
  end(closed ? Fault::ConnectionLost : why, 0, closed ? ByteView(kClose) : ByteView());
}

}  // namespace callis::orb
