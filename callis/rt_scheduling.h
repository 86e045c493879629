// SPDX-License-Identifier: Apache-2.0
// Dynamic scheduling: module RTScheduling (Real-Time CORBA 1.2, chapter 3). docs/guide/dynamic-scheduling.md shows
// its use. Programs that include this link callis::rt_scheduling.
//
// A *distributable thread* is a flow of execution that goes from process to process with its calls. It has an id, and
// inside *scheduling segments* parameters by which the schedulers of the processes order it among the others. It
// begins with the first begin_scheduling_segment() of a native thread, with spawn(), or with a one-way call; it ends
// with the end of the outermost segment, of the ThreadAction, or of the one-way operation.
//
//   auto scheduler = callis::rt::scheduling::make_earliest_deadline_scheduler();
//   callis::rt::scheduling::use_scheduler(scheduler);
//   CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
//   CORBA::Object_var object = orb->resolve_initial_references("RTScheduler_Current");
//   RTScheduling::Current_var current = RTScheduling::Current::_narrow(object);
//
// Initial references of ORBs that have a scheduler: "RTScheduler", "RTScheduler_Current". An RTScheduling::Current is
// an RTCORBA::Current: its the_priority is that of "RTCurrent" (callis/rt.h). In segments of a scheduler that orders
// natively it is the number alone, which calls carry; the scheduler sets the thread's native priority.
//
// Scheduling points, at which a thread may have to wait for its turn and a cancelled one gets THREAD_CANCELLED: the
// operations of Current that begin, update and end segments, spawn(), calls and their replies, the begin and the end
// of upcalls, and lock() and unlock() of resource managers.
//
// All functions and objects here may be used by any thread.
#pragma once
#include <callis/base/cxx20.h>
#include <callis/corba.h>
#include <callis/interceptors.h>
#include <callis/portable_server.h>
#include <callis/rt.h>
#include <callis/rt/scheduling/discipline.h>
#include <callis/rt/scheduling/time_source.h>
#include <callis/transport/peer.h>
#include <chrono>
#include <functional>
#include <memory>

#include <callis/idl/RTScheduling.h>
#include <callis/idl/SchedulingDisciplines.h>

namespace callis::rt::scheduling {

struct Options {
  // How the order is brought about. Turns: by the scheduler itself; at most `places` threads run, a thread gives its
  // place up at its next scheduling point. Native: by SCHED_FIFO, which stops a less urgent thread at any
  // instruction. NativeIfPermitted: Turns where the process may not use SCHED_FIFO (CAP_SYS_NICE, RLIMIT_RTPRIO); the
  // log says so.
  enum class Order { Turns, NativeIfPermitted, Native };
  Order order = Order::NativeIfPermitted;
  unsigned places = 0;  // by turns: threads that run at a time; 0: as many as processors
  // Natively: the priorities of SCHED_FIFO for the least and the most urgent, 1 to 99. When there are more threads
  // of unlike urgency than priorities, the least urgent share the lowest.
  int lowest_native = 10;
  int highest_native = 60;
  const TimeSource* time = nullptr;  // outlives the scheduler; nullptr: the system's clock
  // Whose service contexts are believed; by default everybody's. Requests of others are served outside of
  // distributable threads.
  std::function<bool(const transport::Peer&)> believes;
};

// New schedulers. INITIALIZE: Order::Native is not permitted; the text says what to set. BAD_PARAM: priorities that
// SCHED_FIFO does not have. The caller owns the result.
FP_Scheduling::Scheduler_ptr make_fixed_priority_scheduler(const Options& options = {});
EDF_Scheduling::Scheduler_ptr make_earliest_deadline_scheduler(const Options& options = {});
LLF_Scheduling::Scheduler_ptr make_least_laxity_scheduler(const Options& options = {});
MUF_Scheduling::Scheduler_ptr make_maximum_urgency_scheduler(const Options& options = {});
// By a discipline of one's own.
RTScheduling::Scheduler_ptr make_scheduler(std::unique_ptr<const Discipline> discipline, const Options& options = {});

// ORBs that ORB_init makes from now on are scheduled by it; nil: by none. Several ORBs may have the same one, and
// then share its places. BAD_PARAM: a scheduler that none of the functions above has made.
void use_scheduler(RTScheduling::Scheduler_ptr scheduler);

// The moment that is so long from now, as deadlines are given. Never later than a parameter may have it.
TimeBase::TimeT from_now(std::chrono::nanoseconds span);

// For as long as it lives, the thread waits for something that the scheduler does not know of, as input, or a lock of
// the application's: it gives up its place, and waits for its turn at the end. Without effect outside segments.
class Waiting final {
 public:
  Waiting();
  ~Waiting();
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
};

}  // namespace callis::rt::scheduling
