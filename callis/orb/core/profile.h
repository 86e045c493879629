// SPDX-License-Identifier: Apache-2.0
// Profiles: a program run with CALLIS_PROFILE=FILE in its environment counts calls and bytes of every operation and
// type, for `callis-idl --stubs=hybrid --profile=FILE`. A "%p" in FILE is the number of the process. Without the
// variable a call costs one predictable branch more.
//
// Stubs count the calls they make, and skeletons the calls they serve. Bytes are counted in the bodies of request and
// reply: arguments, results and exceptions' members, without headers. The file is written when an ORB has shut down,
// and again when the program ends by exit() or main()'s return. It is written whole or not at all; a failure is
// logged. The file is text with one entry a line, in words between single blanks:
//
//   callis-profile 1
//   op CALLS BYTES NAME ID...    NAME as on the wire; ID: repository ids of the interface and, in a server, its
//                                bases; none if a reference does not tell
//   type CALLS BYTES TYPE        calls that pass the type as parameter or result, and the bytes of those calls
//
// Sorted by bytes, falling, then by name. In NAME and ID, bytes outside of '!' to '~', and '%', are %XX. TYPE is
// spelled by structure, as plans know no names: "sequence<struct{string,long}>"; "^1" is the struct around the
// innermost struct; "..." ends texts of more than 240 characters. Compiled operations have no descriptors and count
// for no type. Readers skip lines that begin with '#'.
//
// Any thread may call. Counting takes a lock.
#pragma once
#include <callis/marshal/descriptor.h>
#include <callis/orb/client/call.h>
#include <callis/orb/context/server_request.h>
#include <string>

namespace callis::orb {

// Whether this process counts. Set before main(), constant afterwards but in tests. A build with the CMake option
// CALLIS_PROFILE off never counts, and leaves out the code.
#ifdef CALLIS_WITHOUT_PROFILE
inline constexpr bool profiling = false;
#else
extern bool profiling;
#endif

// Does the same as call(), and counts. op is an entry of the unit.
void profiled_call(Reference& target, const CallOperation& operation, CallBody& body, const marshal::Unit& unit,
                   marshal::Word op);

// A request that counts the bytes that pass through; lives within handle().
class ProfiledRequest final : public RequestBefore {
 public:
  // ids: the interface's id, then its bases' ids, then nullptr.
  ProfiledRequest(ServerRequest& inner, const marshal::Unit& unit, marshal::Word op, const char* const* ids);
  ~ProfiledRequest();

  cdr::Encoder& reply() override { return begun(inner_.reply()); }
  cdr::Encoder& user_exception(const char* repository_id) override {
    return begun(inner_.user_exception(repository_id));
  }
  void system_exception(const CORBA::SystemException& e) override;
  void location_forward(const ior::Ior& to) override;

 private:
  cdr::Encoder& begun(cdr::Encoder& e);

  const marshal::Unit& unit_;
  const marshal::Word op_;
  const char* const* const ids_;
  const std::size_t request_bytes_;
  cdr::Encoder* reply_ = nullptr;
  std::size_t reply_from_ = 0;
};

// The profile so far, as the file would have it.
std::string profile_text();
// Writes the profile to the file of CALLIS_PROFILE, if this is set.
void write_profile() noexcept;
// From now on counts for this file, from zero; an empty path ends counting. For tests: no call may be under way.
void set_profile_path(const std::string& path);

}  // namespace callis::orb
