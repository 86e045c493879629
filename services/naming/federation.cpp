// SPDX-License-Identifier: Apache-2.0
#include <callis/deadline.h>
#include <services/naming/federation.h>

namespace callis::naming {

CosNaming::Name to_name(Path name, std::size_t at) {
  CosNaming::Name out;
  out.length(static_cast<CORBA::ULong>(name.size() - at));
  for (CORBA::ULong i = 0; i < out.length(); ++i) {
    out[i].id = std::string(name[at + i].id).c_str();
    out[i].kind = std::string(name[at + i].kind).c_str();
  }
  return out;
}

CosNaming::NamingContext_var Federation::limited(CosNaming::NamingContext_ptr context) const {
  return deadline(context, deadline_);
}

}  // namespace callis::naming
