// SPDX-License-Identifier: Apache-2.0
#include <callis/deadline.h>
#include <services/lifecycle/finder.h>
#include <algorithm>

namespace callis::life_cycle {

CosLifeCycle::Key key_of(const std::string& implementation) {
  CosLifeCycle::Key out;
  out.length(1);
  out[0].id = implementation.c_str();
  out[0].kind = "object implementation";
  return out;
}

CosLifeCycle::Factories* NamingFinder::find(const CosLifeCycle::Key& key, std::chrono::milliseconds answer,
                                            const services::OperationTime& time) {
  const auto limit = [&] { return std::min<std::chrono::nanoseconds>(answer, time.left()); };
  CosNaming::Name name = below_;
  for (CORBA::ULong i = 0; i < key.length(); ++i) {
    const CORBA::ULong n = name.length();
    name.length(n + 1);
    name[n] = key[i];
  }
  CORBA::Object_var found;
  try {
    const ThreadDeadline deadline(limit());
    found = location_->resolve(name);
  } catch (const CORBA::UserException&) {
    throw CosLifeCycle::NoFactory(key);
  }
  CosLifeCycle::Factories_var out = new CosLifeCycle::Factories;
  CosNaming::NamingContext_var context;
  try {
    const ThreadDeadline deadline(limit());
    context = CosNaming::NamingContext::_narrow(found.in());
  } catch (const CORBA::SystemException&) {}  // it does not answer; who asks for factories sees that, too
  if (CORBA::is_nil(context.in())) {
    out->length(1);
    out[0] = CORBA::Object::_duplicate(found.in());
    return out._retn();
  }
  CosNaming::BindingList_var list;
  CosNaming::BindingIterator_var rest;
  {
    const ThreadDeadline deadline(limit());
    context->list(kMostFactories, list.out(), rest.out());
    if (!CORBA::is_nil(rest.in())) rest->destroy();
  }
  for (CORBA::ULong i = 0; i < list->length(); ++i) {
    if (list[i].binding_type != CosNaming::nobject) continue;
    if (time.over()) break;
    try {
      const ThreadDeadline deadline(limit());
      const CORBA::Object_var factory = context->resolve(list[i].binding_name);
      const CORBA::ULong n = out->length();
      out->length(n + 1);
      out[n] = CORBA::Object::_duplicate(factory.in());
    } catch (const CORBA::UserException&) {}  // it has been unbound meanwhile
  }
  if (out->length() == 0) time.check();
  if (out->length() == 0) throw CosLifeCycle::NoFactory(key);
  return out._retn();
}

}  // namespace callis::life_cycle
