// SPDX-License-Identifier: Apache-2.0
// callis_lifecycle_account NAME FOLDER [-ORB...]: a server with a home of accounts, which a repository starts. Its
// objects are in FOLDER/NAME.db, the reference of its home is in FOLDER/NAME.home.
#include <callis/imr.h>
#include <callis/signals.h>
#include <services/common/store.h>
#include <services/lifecycle/testing/accounts.h>
#include <fstream>
#include <iostream>

namespace life_cycle = callis::life_cycle;

namespace {

void serve(CORBA::ORB_ptr orb, const std::string& name, const std::string& folder) {
  const PortableServer::POA_var root = life_cycle::testing::root_of(orb);
  const auto store = callis::services::open_store(folder + "/" + name + ".db", life_cycle::store_kind());
  callis::services::Counters counters;
  life_cycle::Home::Options options;
  options.store = store.get();
  options.secret = life_cycle::testing::kSecret;
  options.again = options.ask = life_cycle::Milliseconds(50);
  life_cycle::Home home(orb, root.in(), "accounts", counters, options);
  home.serves("Account", [&](const CORBA::Any& state) {
    return life_cycle::made(new life_cycle::testing::AccountServant(name, state));
  });
  home.restore();
  const CORBA::String_var text = orb->object_to_string(home.reference().in());
  std::ofstream(folder + "/" + name + ".home") << text.in();
  callis::shutdown_on_signals(orb);
  PortableServer::POAManager_var(root->the_POAManager())->activate();  // the repository is told
  orb->run();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc != 3) {
      std::cerr << "usage: callis_lifecycle_account NAME FOLDER\n";
      return 2;
    }
    serve(orb.in(), argv[1], argv[2]);
    orb->destroy();
  } catch (const std::exception& e) {
    std::cerr << "callis_lifecycle_account: " << e.what() << '\n';
    return 1;
  }
}
