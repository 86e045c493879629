// SPDX-License-Identifier: Apache-2.0
// Steering: routing state of a reference whose calls may take different connections, or whose requests carry a
// service context: references to objects with real-time policies. callis/rt makes it. Constant; any thread may use
// it. It lives as long as its reference.
//
//   call ──→ Reference ── Steering::choose() ──→ another Reference, of the calling thread's priority ──→ its paths
#pragma once
#include <callis/giop/service_context.h>
#include <callis/orb/client/reference.h>
#include <atomic>

namespace callis::orb {

struct EndpointAddress;

class Steering {
 public:
  virtual ~Steering() = default;

  // The reference for a call that this thread makes now; nullptr for the steering's own reference. The result lives
  // as long as the steering. Throws system exceptions.
  virtual Reference* choose() { return nullptr; }
  // Called if the server at that address has forwarded a call of this thread to the steering's reference. Calls like
  // this do not go to that address again, even if the reference names it.
  virtual void sent_by(const EndpointAddress&) {}
  // The service context of each request through the reference, which has kApart then; nullptr if there is none.
  virtual const giop::ServiceContext* context() const { return nullptr; }
};

struct CallOperation;
class CallBody;

// The functions of a library that steers calls.
struct SteeringCalls {
  // Gives a reference its steering, by set_steering(), if its profiles ask for steering.
  void (*make)(Reference& of);
  // Makes a call through the reference that the steering chooses. Returns false, and has done nothing, if nothing
  // steers the calls through target.
  bool (*call)(Reference& target, const CallOperation& operation, CallBody& body);
  // The reference that a call goes through, by the forward and by the choice of the steering. An empty pointer stands
  // for the reference itself.
  ReferencePtr (*steered)(Reference& from);
  // The same for a reference that a server has sent. sender is the server's address, or nullptr if the reference was
  // known before.
  void (*steer)(ReferencePtr& forward, const EndpointAddress* sender);
  // The type of the policy for which steering has raised INV_POLICY with that minor code; 0 if steering has not
  // raised it.
  std::uint32_t (*type_refused_with)(std::uint32_t minor);
};

// Set once, to a constant, by a library that the program uses. nullptr if nothing steers calls in this process.
extern std::atomic<const SteeringCalls*> steering_calls;
inline const SteeringCalls* steering() { return steering_calls.load(std::memory_order_relaxed); }

}  // namespace callis::orb
