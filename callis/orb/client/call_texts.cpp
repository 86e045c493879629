// SPDX-License-Identifier: Apache-2.0
// Texts of exceptions: deadlines that passed, exceptions that servers send.
#include <callis/base/text.h>
#include <callis/classic/explanations.h>
#include <callis/orb/client/call_texts.h>
#include <callis/orb/client/reference.h>
#include <callis/orb/context/orb_context.h>
#include <callis/orb/diagnostics/log_texts.h>
#include <optional>

CALLIS_PROVIDE(call_texts);

namespace callis::orb {
namespace {

Decimal milliseconds(std::chrono::nanoseconds time) {
  const auto n = std::chrono::ceil<std::chrono::milliseconds>(time).count();
  return Decimal(n > 0 ? static_cast<std::uint64_t>(n) : 0);
}

// The scope whose policy counts.
struct InForce {
  std::uint64_t number;
  const char* scope;
};
std::optional<InForce> in_force(CallPolicy policy, const Reference& target) {
  const CallPolicies* const own = target.policies();
  if (own && own->has(policy)) return InForce{(*own)[policy], "reference"};
  if (t_call_policies && t_call_policies->has(policy)) return InForce{(*t_call_policies)[policy], "thread"};
  if (!target.orb().has_policies()) return {};
  const CallPolicies all = target.orb().policies();
  if (all.has(policy)) return InForce{all[policy], "ORB"};
  return {};
}

// "within 200 ms (RelativeRoundtripTimeoutPolicy of the thread)". Prints the limit as a span if the span ends at that
// deadline, otherwise as a moment. Empty if neither is set.
std::string limit_of(const LateCall& call, Deadline deadline, CallPolicy span, const char* span_name,
                     CallPolicy moment, const char* moment_name) {
  const auto given = in_force(span, call.target);
  const auto end = in_force(moment, call.target);
  const std::chrono::nanoseconds length(given ? given->number * 100 : 0);
  if (given && given->number != 0 && (!end || call.began + length == deadline.time()))
    return concat({"within ", milliseconds(length), " ms (", span_name, " of the ", given->scope, ")"});
  if (end) return concat({"before the moment that ", moment_name, " of the ", end->scope, " sets"});
  return {};
}

}  // namespace

void explain_timeout(CORBA::SystemException& e, const LateCall& call, const Error& why) {
  using enum CallPolicy;
  const bool request = !call.awaiting_reply && call.terms.send.time() < call.terms.reply.time();
  std::string limit;
  TimePoint began = call.began;
  if (request)
    limit = limit_of(call, call.terms.send, RequestTimeout, "RelativeRequestTimeoutPolicy", RequestEnd,
                     "RequestEndTimePolicy");
  else if (call.terms.reply_by_policy)
    limit = limit_of(call, call.terms.reply, RoundtripTimeout, "RelativeRoundtripTimeoutPolicy", ReplyEnd,
                     "ReplyEndTimePolicy");
  if (limit.empty()) {
    const Duration of_orb = call.target.orb().limits().call_timeout;
    const bool usual = of_orb == Limits{}.call_timeout;
    limit = concat({"within ", milliseconds(of_orb), " ms (", usual ? "the default of " : "", "-ORBCallTimeout)"});
    began = call.terms.reply.time() - of_orb;  // a call that has begun plainly notes the time later
  }
  const char* const what = call.awaiting_reply ? "() was not answered " : "() could not be sent ";
  e._callis_detail(concat({call.operation, what, limit, "; ", milliseconds(Clock::steady().now() - began),
                           " ms have passed", why.detail.empty() ? "" : ", ", why.detail}));
}

void explain_received(std::string& text, std::size_t peer_end, const CORBA::SystemException& e,
                      std::string_view operation, ByteView object_key) {
  const std::string_view says = std::string_view(text).substr(peer_end);
  std::string_view sentence =
      CALLIS_HAS(minor_sentences) ? classic::minor_sentence(e._name(), e.minor()) : std::string_view();
  if (CORBA::TIMEOUT::_downcast(&e))
    sentence = !says.empty() ? ""
                             : "the server answered TIMEOUT: the request came too late, or a call that the servant "
                               "made was not answered in time";
  if (!sentence.empty() && says.find(sentence) != says.npos) sentence = {};
  std::string more;
  if (!sentence.empty()) more = concat({": ", sentence});
  if (CORBA::OBJECT_NOT_EXIST::_downcast(&e)) more += concat({": object key ", short_key(object_key)});
  if (CORBA::BAD_OPERATION::_downcast(&e)) more += concat({": operation ", operation});
  text.insert(peer_end, more);
}

}  // namespace callis::orb
