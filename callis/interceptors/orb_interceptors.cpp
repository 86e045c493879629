// SPDX-License-Identifier: Apache-2.0
#include <callis/interceptors/minor_codes.h>
#include <callis/interceptors/server.h>
#include <cstring>

namespace callis::interceptors {
namespace {

template <class I>
void destroy_all(const InterceptorList<I>& list) noexcept {
  for (std::size_t i = 0; i < list.size(); ++i) {
    try {
      list[i]->destroy();
    } catch (...) {  // nobody is left to be told
    }
  }
}

}  // namespace

template <class I>
void InterceptorList<I>::add(I* interceptor, PortableInterceptor::ProcessingMode mode) {
  if (!interceptor) orb::raise<CORBA::BAD_PARAM>(kNilInterceptor, CORBA::COMPLETED_NO, "a nil interceptor");
  const CORBA::String_var name = interceptor->name();
  if (name.in() && *name.in())
    for (const auto& other : list_)
      if (const CORBA::String_var taken = other.in()->name(); std::strcmp(name.in(), taken.in()) == 0)
        throw PortableInterceptor::ORBInitInfo::DuplicateName(name.in());
  list_.emplace_back(I::_duplicate(interceptor));
  if (mode != PortableInterceptor::REMOTE_ONLY) local_.push_back(interceptor);
  if (mode != PortableInterceptor::LOCAL_ONLY) remote_.push_back(interceptor);
}
template class InterceptorList<PortableInterceptor::ClientRequestInterceptor>;
template class InterceptorList<PortableInterceptor::ServerRequestInterceptor>;
template class InterceptorList<PortableInterceptor::IORInterceptor>;

OrbInterceptors::~OrbInterceptors() = default;

OrbInterceptors* interceptors_of(const orb::Core& core) { return static_cast<OrbInterceptors*>(core.interception()); }

void OrbInterceptors::register_policy_factory(CORBA::PolicyType type,
                                              PortableInterceptor::PolicyFactory_ptr factory) {
  if (!factory) orb::raise<CORBA::BAD_PARAM>(kNilInterceptor, CORBA::COMPLETED_NO, "a nil policy factory");
  if (factory_of(type))
    orb::raise<CORBA::BAD_INV_ORDER>(orb::omg(16), CORBA::COMPLETED_NO, "there is a factory of that type of policy");
  factories_.push_back({type, PortableInterceptor::PolicyFactory::_duplicate(factory)});
}

PortableInterceptor::PolicyFactory_ptr OrbInterceptors::factory_of(CORBA::PolicyType type) const {
  for (const Factory& f : factories_)
    if (f.type == type) return f.factory.in();
  return nullptr;
}

CORBA::Policy_ptr OrbInterceptors::create_policy(CORBA::PolicyType type, const CORBA::Any& value) {
  const PortableInterceptor::PolicyFactory_ptr factory = factory_of(type);
  return factory ? factory->create_policy(type, value) : nullptr;
}

void OrbInterceptors::finish() {
  finished_.store(true, std::memory_order_release);
  // If there are only interceptors of servers, collocated calls go by messages, too, so that the interceptors hear of
  // them.
  if (!client.empty() || !server.empty()) core_.intercept_calls();
}

void OrbInterceptors::end() noexcept {
  destroy_all(client);
  destroy_all(server);
  destroy_all(ior);
}

orb::RequestHandler* OrbInterceptors::wrap(orb::RequestHandler* handler) {
  handler_ = make_handler(*this, *handler);
  return handler_.get();
}

}  // namespace callis::interceptors
