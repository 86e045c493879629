// SPDX-License-Identifier: Apache-2.0
// A user's program that sends its log lines where CALLIS_LOG_SINK says.
#include <callis/corba.h>
#include <callis/services/log_sink.h>

int main(int argc, char** argv) {
  callis::log_sink::Sending sending("lines");
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  callis::log(callis::LogLevel::Warning, {"a line of its own"});
  orb->destroy();
  return sending.active() ? 0 : 3;
}
