// SPDX-License-Identifier: Apache-2.0
// Steering: what a reference has whose calls do not all go the same way, or that says more of itself than others:
// those to objects with real-time policies. callis/rt makes it. Constant; any thread. It lives as long as its
// reference.
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

  // What a call that this thread makes now goes through; nullptr: through the reference itself. It lives as long as
  // this. Throws system exceptions.
  virtual Reference* choose() { return nullptr; }
  // The server at that address has sent a call of this thread to the steering's reference: calls like it do not go
  // there again, whatever the reference says of itself.
  virtual void sent_by(const EndpointAddress&) {}
  // What goes along with each request through the reference; nullptr: nothing. Such a reference has kApart.
  virtual const giop::ServiceContext* context() const { return nullptr; }
};

struct CallOperation;
class CallBody;

// What calls ask of a library that steers them.
struct SteeringCalls {
  // Gives a reference whose profiles ask for one its steering, by set_steering(); nothing to others.
  void (*make)(Reference& of);
  // Makes a call through what the steering chooses. False, and nothing has been done, where nothing steers the calls
  // through the reference.
  bool (*call)(Reference& target, const CallOperation& operation, CallBody& body);
  // Where a call through that reference goes: by its forward, and by what its steering chooses. An empty pointer:
  // through the reference itself.
  ReferencePtr (*steered)(Reference& from);
  // The same for a reference that a server has sent; sender: its address, nullptr where the reference was known
  // before.
  void (*steer)(ReferencePtr& forward, const EndpointAddress* sender);
  // The type of the policy for which steering has raised INV_POLICY with that minor code; 0: it was not steering.
  std::uint32_t (*type_refused_with)(std::uint32_t minor);
};

// Set once, to what is constant, by a library that the program uses; nullptr: nothing steers calls in this process.
extern std::atomic<const SteeringCalls*> steering_calls;
inline const SteeringCalls* steering() { return steering_calls.load(std::memory_order_relaxed); }

}  // namespace callis::orb
