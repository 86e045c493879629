// SPDX-License-Identifier: Apache-2.0
#include <callis/marshal/plan.h>
#include <callis/orb/client/flat_call.h>
#include <callis/orb/client/plain_call.h>

CALLIS_PROVIDE(flat_calls);

namespace callis::orb {
namespace {

// Used for GIOP 1.0 and 1.1, whose bodies begin anywhere.
[[gnu::cold, gnu::noinline]] Fault put_coded(CallBody& body, ClientConnection& used, const Path& path,
                                             Buffer& request, const giop::Started& started) {
  return Coded{body}.put(used, path, request, started, false);
}

// Writes and reads bodies by moves alone. Bodies are aligned to 8, in our byte order.
struct Flat {
  CallBody& body;
  const marshal::OperationPlans& plans;
  void* frame;

  [[gnu::always_inline]] Fault put(ClientConnection& used, const Path& path, Buffer& request,
                                   const giop::Started& started, bool again) const {
    if (again) [[likely]] {  // the sizes are right
      marshal::encode_flat(*plans.client_request, frame, request.data() + started.body);
      return Fault::None;
    }
    if ((started.body - started.at) % 8 != 0) [[unlikely]] return put_coded(body, used, path, request, started);
    (void)used.gather();  // is clear then
    const std::size_t arguments = plans.flat_request_bytes;
    const std::size_t whole = arguments == 0 ? started.header_end : started.body + arguments;
    if (request.capacity() < whole && !request.reserve(whole)) [[unlikely]] return Fault::OutOfMemory;
    marshal::encode_flat(*plans.client_request, frame, request.data() + started.body);
    store(request.data() + started.at + 8, static_cast<std::uint32_t>(whole - started.at - giop::kHeaderBytes));
    request.set_size(whole);
    return Fault::None;
  }
  [[gnu::always_inline]] Fault get(OrbContext&, ClientConnection&, ByteView reply, const CallOperation&) const {
    if (reply.size() < plans.flat_reply_bytes) [[unlikely]] return Fault::Truncated;
    marshal::decode_flat(*plans.client_reply, frame, reply.data());
    return Fault::None;
  }
};

}  // namespace

[[gnu::hot]] void call_flat(Reference& target, const CallOperation& operation, CallBody& body,
                            const marshal::OperationPlans& plans, void* frame) {
  try {
    call_here({target, target}, operation, body, Flat{body, plans, frame});
  } catch (const std::bad_alloc&) {
    raise<CORBA::NO_MEMORY>(own(Fault::OutOfMemory), CORBA::COMPLETED_MAYBE);
  }
}

}  // namespace callis::orb
