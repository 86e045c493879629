// SPDX-License-Identifier: Apache-2.0
// Machine: the life of one server, as the repository sees it. Plain code: it starts and ends no process, knows no
// ORB and reads no clock; it is told what has happened and when, and says what is to be done.
//
//                    launch                     up
//       Stopped ───────────────→ Starting ───────────────→ Running
//        ↑   ↑                      │                         │  stop()
//        │   │ time is over         │ ended, not started,      │     ↓
//        │   │                      │ deadline passed         │  Stopping ──ended──→ Stopped
//        │   BackingOff ←───────────┴─────────────────────────┤     ↑
//        │                             ended soon after it was up   │ going down by itself
//        └─────────────────────────────────────────────ended────────┘
//
// CORBA 3.0.3, 11.1 and 4.2.1 leave to implementations how servers are activated; TAO's ImR is the model known to
// users.
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace callis::imr {

using Time = std::chrono::steady_clock::time_point;
using Milliseconds = std::chrono::milliseconds;

enum class Activation : std::uint8_t {
  OnDemand,  // by the first call
  Always,    // by the repository when it starts, and again when it has ended
  ByHand,    // by `callis imr start`, or in a terminal
  PerClient, // a process for each client, by its first call; each process has a Machine of its own
};

// How a server is started and stopped. All times are bounds, not wishes.
struct Terms {
  Activation activation = Activation::OnDemand;
  bool can_start = true;         // has a command line
  std::uint32_t start_limit = 5; // failures in a row, after which only an operator starts it; 0: none
  Milliseconds first_pause{1'000}, longest_pause{60'000};  // after the first failure, doubled after each other
  Milliseconds start_deadline{60'000};                     // from launch to up
  Milliseconds stop_deadline{10'000};                      // from asking to killing
  Milliseconds settled{10'000};                            // who lives as long as that has not failed
};

// One thread at a time.
class Machine final {
 public:
  enum class State : std::uint8_t { Stopped, Starting, Running, BackingOff, Stopping };
  // What the caller is to do now.
  enum class Action : std::uint8_t {
    None,
    Launch,     // start a process; then launched(), or ended() where that does not work
    Ask,        // ask the process to end: by its object, or SIGTERM
    Kill,       // SIGKILL to its process group
  };
  // What becomes of a request.
  enum class Answer : std::uint8_t { Forward, Wait, Refuse };

  explicit Machine(Terms terms = {}) : terms_(terms) {}
  const Terms& terms() const { return terms_; }
  // From now on; what runs goes on.
  void set_terms(const Terms& terms) { terms_ = terms; }

  State state() const { return state_; }
  // Whether a process of ours is there: launched, and not ended.
  bool has_process() const { return process_; }
  // Failures in a row.
  std::uint32_t failures() const { return failures_; }
  std::uint64_t launches() const { return launches_; }
  // Another number for each process: what was seen of one process does not hold for the next.
  std::uint64_t generation() const { return launches_ + ups_; }
  bool given_up() const { return given_up_; }
  // Why requests are refused, or what happened last; empty where there is nothing to say.
  const std::string& reason() const { return reason_; }
  // When tick() has something to do; nothing: never.
  std::optional<Time> wakes_at() const;

  // A request has come. Refuse: refusal() says why. Wait: and the action is done first.
  Answer wanted(Time now, Action& action);
  std::string refusal(Time now) const;

  // By an operator; forgets failures.
  Action start(Time now);
  Action stop(Time now);

  // The process is there. Until then, or ended(), it is Starting.
  void launched() { process_ = true; }
  // The server has said that it is ready. ours: the process that was launched last. Returns false where another
  // process is the server already, or nobody may be it now.
  bool up(Time now, bool ours);
  // The server has said that it ends. runs: it is not our process, but lost() will be told when it has ended.
  void going_down(Time now, bool runs = false);
  // The process that was launched last has ended, or could not be launched; how: in words.
  Action ended(Time now, const std::string& how);
  // A server that is not our process does not answer any more.
  Action lost(Time now, const std::string& how);
  // Our process does not take connections any more, though nobody has seen it end yet.
  void vanished(Time now);
  // When time has passed.
  Action tick(Time now);
  // The repository begins: a server that is to run always is launched.
  Action begin(Time now);

  // --- Of a server with a process for each client, whose own machine launches nothing, and counts their failures ---

  // Whether one more may be launched. If not, refusal() says why.
  bool admits(Time now);
  void one_is_launched() { ++launches_; }
  // One of them has ended though it should not have.
  void one_has_failed(Time now, const std::string& how, bool at_its_start);
  void one_has_done_well() { failures_ = 0; }

 private:
  Action launch(Time now);
  Action failed(Time now, const std::string& how, bool pauses);
  void go(State to, Time now) {
    state_ = to;
    since_ = now;
  }

  Terms terms_;
  State state_ = State::Stopped;
  Time since_{};
  Milliseconds pause_{0};
  bool process_ = false;    // of ours
  bool asked_ = false;      // to end, by an operator
  bool killed_ = false;     // since then
  bool given_up_ = false;
  std::uint32_t failures_ = 0;
  std::uint64_t launches_ = 0, ups_ = 0;
  std::string reason_;
};

const char* word(Machine::State state);
const char* word(Activation activation);

}  // namespace callis::imr
