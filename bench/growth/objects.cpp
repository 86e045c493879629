// SPDX-License-Identifier: Apache-2.0
// Costs of many objects in a server, and of calling them; client and server in one process over the memory transport.
//
//   objects growth --reference memory --objects N --calls C --operations active|default
//
// active: each object is activated with a servant of its own. default: one servant serves all of them, and the
// adapter keeps no object; a reference is made of a number. Prints the growth of resident memory by all objects, the
// nanoseconds that making one took (active), and the nanoseconds of a call. The objects that are called are 1,000,
// spread evenly.
#include "../common/local_server.h"
#include "../common/servants.h"
#include <unistd.h>
#include <memory>

namespace {

constexpr std::size_t kCalled = 1000;

double resident_bytes() {
  std::ifstream in("/proc/self/statm");
  double all = 0, resident = 0;
  bench::expect(static_cast<bool>(in >> all >> resident), "this process's memory");
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

CORBA::ORB_ptr server_orb() {
  char program[] = "objects", option[] = "-ORBEndpoint", endpoint[] = "memory:objects";
  char* argv[] = {program, option, endpoint, nullptr};
  int argc = 3;
  return CORBA::ORB_init(argc, argv, "server");
}

PortableServer::ObjectId_var number_id(std::size_t number) {
  return PortableServer::string_to_ObjectId(std::to_string(number).c_str());
}

// The adapter whose objects are called.
class Objects {
 public:
  virtual ~Objects() = default;
  virtual CORBA::Object_ptr object(std::size_t number) = 0;  // asked for in rising order
};

class Active final : public Objects {
 public:
  Active(PortableServer::POA_ptr root, std::size_t count) : poa_(PortableServer::POA::_duplicate(root)) {
    servants_.reserve(count);
  }
  CORBA::Object_ptr object(std::size_t) override {
    servants_.push_back(std::make_unique<bench::Param>());
    const PortableServer::ObjectId_var id = poa_->activate_object(servants_.back().get());
    return poa_->id_to_reference(id);
  }

 private:
  PortableServer::POA_var poa_;
  std::vector<std::unique_ptr<bench::Param>> servants_;
};

class Default final : public Objects {
 public:
  explicit Default(PortableServer::POA_ptr root) {
    CORBA::PolicyList policies;
    policies.length(4);
    policies[0] = root->create_request_processing_policy(PortableServer::USE_DEFAULT_SERVANT);
    policies[1] = root->create_servant_retention_policy(PortableServer::NON_RETAIN);
    policies[2] = root->create_id_assignment_policy(PortableServer::USER_ID);
    policies[3] = root->create_id_uniqueness_policy(PortableServer::MULTIPLE_ID);
    poa_ = root->create_POA("numbers", PortableServer::POAManager_var(root->the_POAManager()), policies);
    poa_->set_servant(&servant_);
  }
  CORBA::Object_ptr object(std::size_t number) override {
    return poa_->create_reference_with_id(number_id(number), "IDL:Param_Test:1.0");
  }

 private:
  bench::Param servant_;
  PortableServer::POA_var poa_;
};

void call(const std::vector<Param_Test_var>& references, std::size_t times) {
  for (std::size_t i = 0; i < times; ++i) {
    const auto n = static_cast<CORBA::Short>(i);
    CORBA::Short s2 = 9, s3 = 0;
    const CORBA::Short r = references[i % references.size()]->test_short(n, s2, s3);
    bench::expect(r == n && s2 == n && s3 == n, "test_short");
  }
}

int run(int argc, char** argv) {
  CORBA::ORB_var server = server_orb(), client = CORBA::ORB_init(argc, argv, "client");
  const bench::Options o = bench::parse(argc, argv);
  const bool active = bench::wanted(o.operations, "active");
  const auto count = static_cast<std::size_t>(o.objects), calls = static_cast<std::size_t>(o.calls);
  CORBA::Object_var object = server->resolve_initial_references("RootPOA");
  PortableServer::POA_var root = PortableServer::POA::_narrow(object);
  PortableServer::POAManager_var(root->the_POAManager())->activate();
  std::vector<Param_Test_var> references;
  references.reserve(kCalled);
  const std::size_t each = std::max<std::size_t>(1, count / kCalled);
  const double before = resident_bytes();
  const std::uint64_t start = bench::now_ns();
  const std::unique_ptr<Objects> objects =
      active ? std::unique_ptr<Objects>(new Active(root, count)) : std::make_unique<Default>(root);
  for (std::size_t i = 0; i < count; i += active ? 1 : each) {
    object = objects->object(i);
    if (i % each != 0 || references.size() == kCalled) continue;
    object = client->string_to_object(CORBA::String_var(server->object_to_string(object)).in());
    references.push_back(Param_Test::_unchecked_narrow(object));
  }
  const double made = static_cast<double>(bench::now_ns() - start);
  const std::string name = active ? "active" : "default";
  bench::result(name, "bytes", std::max(resident_bytes() - before, 0.0));
  if (active) bench::result(name + "/make", "ns", made / static_cast<double>(count));
  call(references, 2 * kCalled);
  const std::uint64_t called = bench::now_ns();
  call(references, calls);
  bench::result(name, "ns", static_cast<double>(bench::now_ns() - called) / static_cast<double>(calls));
  client->destroy();
  server->destroy();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_guarded([&] { return run(argc, argv); });
}
