// SPDX-License-Identifier: Apache-2.0
// A library with stubs, with an interface of C, for programs that do not know callis. Each call makes an ORB and
// destroys it.
#include <callis/corba.h>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <string>
#include "guest.h"
#ifdef GUEST_JNI
#include <jni.h>
#endif

namespace {

// What call(host) gives, or what it throws says.
template <class Call>
std::string with_host(const char* ior, Call&& call) {
  try {
    int argc = 0;
    char* argv[] = {nullptr};
    static std::atomic<int> last{0};  // calls of several threads have ORBs of their own
    const std::string id = "guest " + std::to_string(++last);
    const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv, id.c_str());
    std::string answer;
    try {
      const CORBA::Object_var object = orb->string_to_object(ior);
      const guest::Host_var host = guest::Host::_narrow(object.in());
      answer = call(host.in());
    } catch (const CORBA::Exception& e) {
      answer = e.what();
    }
    orb->destroy();
    return answer;
  } catch (const CORBA::Exception& e) {
    return e.what();
  }
}

std::string echo(const char* ior, const char* text) {
  return with_host(ior, [text](guest::Host_ptr host) {
    const CORBA::String_var answer = host->echo(text);
    return std::string(answer.in());
  });
}

void put(const std::string& text, char* out, std::size_t room) { std::snprintf(out, room, "%s", text.c_str()); }

}  // namespace

extern "C" {

[[gnu::visibility("default")]] void guest_echo(const char* ior, const char* text, char* out, std::size_t room) {
  put(echo(ior, text), out, room);
}

// What the exception that the call throws says.
[[gnu::visibility("default")]] void guest_refuse(const char* ior, int number, char* out, std::size_t room) {
  put(with_host(ior,
                [number](guest::Host_ptr host) {
                  host->refuse(number);
                  return std::string("not refused");
                }),
      out, room);
}

#ifdef GUEST_JNI
JNIEXPORT jstring JNICALL Java_Guest_echo(JNIEnv* java, jclass, jstring ior, jstring text) {
  const char* const at = java->GetStringUTFChars(ior, nullptr);
  const char* const what = java->GetStringUTFChars(text, nullptr);
  const std::string answer = echo(at, what);
  java->ReleaseStringUTFChars(ior, at);
  java->ReleaseStringUTFChars(text, what);
  return java->NewStringUTF(answer.c_str());
}
#endif

}  // extern "C"
