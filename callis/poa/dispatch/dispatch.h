// SPDX-License-Identifier: Apache-2.0
// Dispatcher: from a request to the servant's operation and back. The ORB core calls it.
//
//   key ──Registry::enter──→ slot (pinned) ──→ skeleton ──perfect hash──→ operation ──→ thunk or serve
//
// On the way of an ordinary request nothing is locked, and only the memory of arguments and results is allocated: a
// small frame lies on the stack.
//
// | situation                                    | outcome                                              |
// |----------------------------------------------|------------------------------------------------------|
// | key of no adapter here                        | OBJECT_NOT_EXIST, OMG 2, COMPLETED_NO                |
// | adapter known, object not active              | OBJECT_NOT_EXIST, kObjectNotActive, COMPLETED_NO     |
// | manager discarding; held too long, too many   | TRANSIENT, OMG 1, COMPLETED_NO                       |
// | manager inactive                              | OBJ_ADAPTER, OMG 1, COMPLETED_NO                     |
// | adapter being destroyed; held at shutdown     | TRANSIENT, OMG 4, COMPLETED_NO                       |
// | no default servant; no servant manager        | OBJ_ADAPTER, OMG 3; 4, COMPLETED_NO                  |
// | came over our own connection, adapter NORMAL  | NO_PERMISSION, kNotBidirectional, COMPLETED_NO       |
// | servant manager returns nil                   | OBJ_ADAPTER, OMG 7, COMPLETED_NO                     |
// | servant manager raises ForwardRequest         | LOCATION_FORWARD; OBJECT_FORWARD of a LocateRequest  |
// | adapter activator throws                      | OBJ_ADAPTER, OMG 1, COMPLETED_NO                     |
// | no such operation                             | BAD_OPERATION, OMG 2, COMPLETED_NO                   |
// | arguments cannot be decoded                   | by orb::exception_of, COMPLETED_NO                   |
// | results cannot be encoded                     | by orb::exception_of, COMPLETED_YES                  |
// | user exception that the operation raises      | sent                                                 |
// | any other user exception                      | UNKNOWN, OMG 1, COMPLETED_MAYBE                      |
// | system exception                              | sent as it is                                        |
// | std::bad_alloc                                | NO_MEMORY, kServantNoMemory, COMPLETED_MAYBE         |
// | anything else thrown                          | UNKNOWN, kServantThrew, COMPLETED_MAYBE              |
#pragma once
#include <callis/classic/exception.h>
#include <callis/orb/context/server_request.h>
#include <callis/poa/adapter/registry.h>

namespace callis::poa {

struct SkeletonOperation;
struct Target;
class Adapter;

// Answers with a standard exception.
[[gnu::cold]] void answer_standard(orb::ServerRequest& request, classic::Standard which, CORBA::ULong minor,
                                   CORBA::CompletionStatus completed);

// Is told of each request, on the servant's thread. callis/interceptors and callis/rt have one each.
struct TargetWatch {
  // Called when the target is known, and before the arguments are read. op is nullptr when the operation has not been
  // looked up yet. Returns false if it has already sent the reply: the servant is not called then, nor left(). May
  // replace target and op; both must stay valid until left().
  bool (*found)(orb::ServerRequest& request, Target& target, Adapter& adapter, const SkeletonOperation*& op);
  // Called when the servant is done.
  void (*left)(orb::ServerRequest& request);
  const TargetWatch* next = nullptr;  // the watches added before, which are told of the target after this one
};
// Adds the watch to the process's watches, for good. Further calls with the same watch do nothing. The watch must
// live as long as the process.
void add_target_watch(TargetWatch& watch);

class Dispatcher final : public orb::RequestHandler {
 public:
  explicit Dispatcher(Registry& registry) : registry_(&registry) {}
  void handle(orb::ServerRequest& request) noexcept override;
  bool handle_flat(orb::FlatRequest& request) noexcept override;
  orb::Locate locate(ByteView object_key, ior::Ior& forward) noexcept override;
  orb::Locate ask(ByteView object_key, bool comes_back, ior::Ior& forward,
                  giop::SystemExceptionBody& failure) noexcept override;
  orb::Collocation collocation(ByteView object_key) noexcept override;
  bool call_directly(const orb::DirectCall& call) override;

  Registry& registry() const { return *registry_; }

 private:
  void handle_or_throw(orb::ServerRequest& request);
  void handle_first(orb::ServerRequest& request, orb::ServerRequest::Memo* memo);

  const orb::Counted<Registry> registry_;
};

}  // namespace callis::poa
