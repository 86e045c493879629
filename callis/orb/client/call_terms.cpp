// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/client/call_terms.h>
#include <callis/orb/client/reference.h>
#include <callis/orb/context/orb_context.h>

namespace callis::orb {

constinit std::atomic<CallTerms::Reader> CallTerms::reader_{nullptr};
constinit thread_local const CallPolicies* t_call_policies __attribute__((tls_model("initial-exec"))) = nullptr;

CallTerms CallTerms::of(const Reference& target, TimePoint now, Deadline deadline) {
  const Options& options = target.orb().options();
  CallTerms terms{deadline, deadline, options.limits.connect_timeout, options.sync_scope};
  terms.bidirectional = target.orb().goes_bidirectional();
  if (const Reader read = reader_.load(std::memory_order_acquire)) read(target, now, terms);
  return terms;
}

}  // namespace callis::orb
