// SPDX-License-Identifier: Apache-2.0
// Execution times that a server measures (callis/execution_times.h), as callis schedule reads them.
#include <callis/execution_times.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <services/scheduling/measured.h>
#include <services/scheduling/testing/models.h>
#include <services/scheduling/testing/serving.h>
#include <time.h>
#include <unistd.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include "worker_skel.h"

namespace callis::scheduling::testing {
namespace {

Time thread_time() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + Time(now.tv_nsec);
}

class WorkerServant final : public POA_Measured::Worker {
 public:
  Measured::Worker_var self;

 private:
  void spin(CORBA::ULong micros) override {
    const Time end = thread_time() + microseconds(micros);
    while (thread_time() < end) {}
  }
  void outer(CORBA::ULong micros) override {
    spin(micros);
    self->spin(micros * 10);
  }
  void sleep(CORBA::ULong millis) override { ::poll(nullptr, 0, static_cast<int>(millis)); }
};

const MeasuredOperation* find(const std::vector<MeasuredOperation>& all, const std::string& entry_point) {
  for (const MeasuredOperation& o : all)
    if (o.entry_point() == entry_point) return &o;
  return nullptr;
}

TEST(Measuring, ThenCallisScheduleReadsIt) {
  EXPECT_EQ(::unsetenv("CALLIS_PROFILE"), 0);
  EXPECT_FALSE(measure_execution_times()) << "nobody asked for it";
  const auto folder = std::filesystem::temp_directory_path() / ("callis_measuring_" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  // Behind the last writing, at the end of the process.
  static const std::filesystem::path to_remove = folder;
  ASSERT_EQ(std::atexit([] { std::filesystem::remove_all(to_remove); }), 0);
  EXPECT_EQ(::setenv("CALLIS_PROFILE", (folder / "p%p").c_str(), 1), 0);
  ASSERT_TRUE(measure_execution_times());
  {
    const CORBA::ORB_var orb = new_orb({"-ORBEndpoint", "tcp:127.0.0.1:0"}, "measuring-server"),
                         client = new_orb({}, "measuring-client");
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    const PortableServer::POA_var root = PortableServer::POA::_narrow(object.in());
    const PortableServer::Servant_var<WorkerServant> servant(new WorkerServant);
    const PortableServer::ObjectId_var id = root->activate_object(servant);
    object = root->id_to_reference(id.in());
    servant->self = Measured::Worker::_narrow(object.in());
    PortableServer::POAManager_var(root->the_POAManager())->activate();
    const CORBA::String_var text = orb->object_to_string(object.in());
    object = client->string_to_object(text.in());
    const Measured::Worker_var worker = Measured::Worker::_narrow(object.in());
    for (int i = 0; i < 8; ++i) worker->spin(300);
    worker->outer(2000);
    worker->sleep(50);
    servant->self = Measured::Worker::_nil();
    client->destroy();
    orb->destroy();
  }
  std::ifstream file(folder / ("p" + std::to_string(::getpid()) + ".times"));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(text, execution_times());
  const auto all = read_measured(text, "times");
  const auto* spin = find(all, "Measured::Worker::spin");
  ASSERT_TRUE(spin) << text;
  EXPECT_EQ(spin->calls, 9u) << "eight, and one by outer";
  EXPECT_GE(spin->greatest, microseconds(20'000));
  EXPECT_GE(spin->typical(), microseconds(300));
  EXPECT_LT(spin->typical(), microseconds(20'000)) << text;
  std::uint64_t calls = 0;
  for (const auto& bucket : spin->buckets) calls += bucket.calls;
  EXPECT_EQ(calls, 9u);
  EXPECT_GE(spin->buckets.back().up_to, spin->greatest);
  const auto* outer = find(all, "Measured::Worker::outer");
  ASSERT_TRUE(outer);
  EXPECT_GE(outer->greatest, microseconds(2000));
  EXPECT_LT(outer->greatest, microseconds(20'000)) << "without what it calls";
  const auto* sleep = find(all, "Measured::Worker::sleep");
  ASSERT_TRUE(sleep);
  EXPECT_LT(sleep->greatest, milliseconds(40)) << "waiting takes no processor";
  Model model;
  RtInfo info;
  info.entry_point = "Measured::Worker::outer";
  info.period = milliseconds(100);
  model.add(info);
  EXPECT_EQ(merge(model, all, 0).taken, 1u);
  EXPECT_TRUE(compute(model).schedulable);
}

}  // namespace
}  // namespace callis::scheduling::testing
