// SPDX-License-Identifier: Apache-2.0
// callis schedule serve.
#include <callis/signals.h>
#include <services/scheduling/service.h>
#include <tools/schedule/commands.h>
#include <cstdio>

namespace callis::scheduling {

int serve(const Arguments& arguments) {
  std::vector<std::string> words{"callis"};
  words.insert(words.end(), arguments.orb.begin(), arguments.orb.end());
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  CORBA::ORB_var orb;
  try {
    orb = CORBA::ORB_init(argc, argv.data());
  } catch (const CORBA::BAD_PARAM& e) {
    throw Failure{kWrongUsage, e.what()};
  }
  const PortableServer::Servant_var<SchedulingService> service(
      new SchedulingService(read_model(arguments, kServiceBounds)));
  shutdown_on_signals(orb.in());
  const CORBA::Object_var scheduler = serve(orb.in(), *service);
  const std::string text = CORBA::String_var(orb->object_to_string(scheduler.in())).in();
  if (!arguments.ior_file.empty()) write_file(arguments.ior_file, text + "\n");
  std::printf("%s\n", text.c_str());
  std::fflush(stdout);
  orb->run();
  orb->destroy();
  return 0;
}

}  // namespace callis::scheduling
