// SPDX-License-Identifier: Apache-2.0
// Operations of compiled skeletons, which decode and encode by themselves. Generated skeletons lead here
// (Skeleton::run).
#include <callis/orb/base/errors.h>
#include <callis/poa/dispatch/parts.h>
#include <callis/poa/servant/skeleton.h>
#include <cstring>

namespace callis::poa {

void check_arguments(const cdr::Decoder& arguments) {
  if (!arguments.ok()) [[unlikely]]
    orb::throw_fault(arguments.fault(), "arguments", orb::Step::DecodeRequest);
}

namespace {

bool send_compiled(orb::ServerRequest& request, const orb::CompiledException* const* raises,
                   const CORBA::UserException& e) {
  if (!raises) return false;
  for (; *raises; ++raises) {
    if (std::strcmp((*raises)->repository_id, e._rep_id()) != 0) continue;
    cdr::Encoder& encoder = request.user_exception(e._rep_id());
    (*raises)->encode(encoder, e);
    if (encoder.fault() != Fault::None) report(request, encoder.fault(), orb::Step::EncodeReply);
    return true;
  }
  return false;
}

}  // namespace

void run_compiled(const Target& object, const SkeletonOperation& op, orb::ServerRequest& request) {
  const Skeleton& skeleton = *object.skeleton;
  const auto* const* raises = skeleton.raises ? skeleton.raises[&op - skeleton.operations] : nullptr;
  call_up(
      request, CORBA::COMPLETED_MAYBE, [&] { op.serve(object.self, request); },
      [&](const CORBA::UserException& e) { return send_compiled(request, raises, e); });
}

}  // namespace callis::poa
