// SPDX-License-Identifier: Apache-2.0
// Functions that TAO's classes of module CORBA have beyond the standard.
#include <tao/callis.h>
#include <callis/base/log.h>
#include <callis/base/string_map.h>
#include <map>
#include <mutex>

namespace CORBA::inline callis_orb {

void Exception::_tao_print_exception(const char* info, std::FILE* to) const {
  std::fprintf(to ? to : stderr, "EXCEPTION, %s\n%s\n", info ? info : "", _info().c_str());
}

callis::compat::ExceptionInfo Exception::_info() const {
  const bool of_system = dynamic_cast<const SystemException*>(this) != nullptr;
  return callis::compat::ExceptionInfo(std::string(of_system ? "system" : "user") + " exception, ID '" + _rep_id() +
                                       "'\n" + what());
}

ULong SystemException::_tao_errno(int error) { return static_cast<ULong>(error) & 0x7fU; }

ULong SystemException::_tao_minor_code(unsigned location, int error) {
  return TAO::VMCID | (location & 0xf80U) | _tao_errno(error);
}

TAO_ORB_Core* ORB::orb_core() {
  // ORBs that are gone stay in the map, as another ORB may get their memory.
  static std::mutex mutex;
  static std::map<ORB*, TAO_ORB_Core> cores;
  const std::lock_guard lock(mutex);
  TAO_ORB_Core& core = cores.try_emplace(this, this).first->second;
  try {
    core.set_id(String_var(id()).in());
  } catch (const SystemException&) {  // it has been shut down
  }
  return &core;
}

}  // namespace CORBA::inline callis_orb
