// SPDX-License-Identifier: Apache-2.0
#include <callis/base/log.h>
#include <callis/giop/reply.h>
#include <callis/orb/base/errors.h>
#include <services/common/rules.h>
#include <services/imr/doorway.h>

namespace callis::imr {

namespace {

Repository::Way way_of(Repository& repository, ByteView key, const transport::Peer* client) {
  try {
    return repository.way(key, client);
  } catch (const std::exception& e) {
    log(LogLevel::Error, {"a request could not be led on: ", e.what()});
    return {Repository::Way::Kind::Refused, {}, e.what()};
  }
}

CORBA::TRANSIENT refusal(const std::string& why) {
  CORBA::TRANSIENT e(0, CORBA::COMPLETED_NO);
  e.detail(why);
  return e;
}

}  // namespace

void Doorway::handle(orb::ServerRequest& request) noexcept {
  const transport::Peer* const client = request.client();
  // Calls of servers are of the group read. No adapter sees them, and so no rule but this.
  if (!services::Rules::open_to_all(services::Group::Read) &&
      repository_.leads(request.object_key()) != Repository::Leads::Nowhere) {
    const Caller caller = Caller::of(client);
    if (const auto refused = services::Rules::refuses(services::Group::Read, request.operation(), caller))
      return request.system_exception(*refused);
  }
  const Repository::Way way = way_of(repository_, request.object_key(), client);
  switch (way.kind) {
    case Repository::Way::Kind::Forward: return request.location_forward(way.to);
    case Repository::Way::Kind::Refused: return request.system_exception(refusal(way.why));
    case Repository::Way::Kind::Nobody: break;
  }
  adapters_.handle(request);
}

orb::Locate Doorway::locate(ByteView key, ior::Ior& forward) noexcept {
  switch (repository_.leads(key)) {
    case Repository::Leads::ToOne:
      if (services::Rules::open_to_all(services::Group::Read)) return orb::Locate::Ask;
      [[fallthrough]];
    // Whose client asks is seen by its request alone, which therefore is to come here.
    case Repository::Leads::ToOneForEachClient: return orb::Locate::Here;
    case Repository::Leads::Nowhere: break;
  }
  return adapters_.locate(key, forward);
}

orb::Locate Doorway::ask(ByteView key, bool comes_back, ior::Ior& forward,
                         giop::SystemExceptionBody& failure) noexcept {
  Repository::Way way = way_of(repository_, key, nullptr);
  switch (way.kind) {
    case Repository::Way::Kind::Forward:
      forward = std::move(way.to);
      return orb::Locate::Forward;
    case Repository::Way::Kind::Refused: {
      const CORBA::TRANSIENT e;
      failure = {e._rep_id(), 0, giop::Completion::No};
      return orb::Locate::Failed;
    }
    case Repository::Way::Kind::Nobody: break;
  }
  return adapters_.ask(key, comes_back, forward, failure);
}

}  // namespace callis::imr
