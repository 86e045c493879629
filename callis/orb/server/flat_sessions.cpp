// SPDX-License-Identifier: Apache-2.0
// A session's part of flat calls (client/flat_call.h): requests that need neither Decoder nor Encoder.
#include <callis/orb/context/upcall.h>
#include <callis/orb/server/session.h>

CALLIS_PROVIDE(flat_sessions);

namespace callis::orb {

class Session::Flat final : public FlatRequest {
 public:
  Flat(Session& s, const HeaderCache::Entry& known, ByteView body, Buffer& to)
      : FlatRequest(known.memo, known.header.target.object_key, body, known.header.request_id, to),
        session_(s),
        header_(known.header) {}

  void answer(void (*f)(void* context, ServerRequest& request) noexcept, void* context) noexcept override {
    session_.answer_flat(*this, header_, f, context);
  }

 private:
  Session& session_;
  const giop::RequestHeader& header_;
};

[[gnu::hot]] bool Session::serve_flat(HeaderCache::Entry& known, ByteView arguments, Buffer& out) {
  RequestHandler* const handler = orb_.handler();
  if (!handler || known.other_key || !known.is_native_call || orb_.is_named(known.header.target.object_key))
      [[unlikely]]
    return false;
  const std::size_t whole = out.size() + FlatRequest::kMostReplyBytes;
  if (out.capacity() < whole && !out.reserve(whole)) [[unlikely]] return false;
  Upcall upcall(orb_, has_place_, client_);
  Flat request(*this, known, arguments, out);
  if (handler->handle_flat(request)) [[likely]] return true;
  known.memo.flat = nullptr;  // later requests need not try again
  return false;
}

}  // namespace callis::orb
