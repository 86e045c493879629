// SPDX-License-Identifier: Apache-2.0
// ZeroC Ice, C++11 mapping: the server of param_test, ttcp, scale, far and demux. Its thread pool has one
// thread, which is Ice's default.
#include "../common/flood.h"
#include "demux_object.h"
#include "ice.h"

namespace {

using Ice::Current;
using namespace Bench;

class Param final : public ParamTest {
 public:
  explicit Param(bool corrupt) : corrupt_(corrupt) {}

  short testShort(short s1, short, short& s2, short& s3, const Current&) override {
    s2 = s1;
    s3 = static_cast<short>(s1 + corrupt_);
    return s1;
  }
  std::string testUnboundedString(std::string s1, std::string, std::string& s2, std::string& s3,
                                  const Current&) override {
    return copy(s1, s2, s3);
  }
  FixedStruct testFixedStruct(FixedStruct s1, FixedStruct, FixedStruct& s2, FixedStruct& s3,
                              const Current&) override {
    return copy(s1, s2, s3);
  }
  StrSeq testStrseq(StrSeq s1, StrSeq, StrSeq& s2, StrSeq& s3, const Current&) override { return copy(s1, s2, s3); }
  VarStruct testVarStruct(VarStruct s1, VarStruct, VarStruct& s2, VarStruct& s3, const Current&) override {
    return copy(s1, s2, s3);
  }
  NestedStruct testNestedStruct(NestedStruct s1, NestedStruct, NestedStruct& s2, NestedStruct& s3,
                                const Current&) override {
    return copy(s1, s2, s3);
  }
  StructSeq testStructSequence(StructSeq s1, StructSeq, StructSeq& s2, StructSeq& s3, const Current&) override {
    return copy(s1, s2, s3);
  }

 private:
  template <class T>
  static T copy(const T& s1, T& s2, T& s3) {
    s2 = s1;
    s3 = s1;
    return s1;
  }

  const bool corrupt_;
};

class TtcpReceiver final : public Ttcp {
 public:
  template <class T>
  using Range = std::pair<const T*, const T*>;

  void sendShort(Range<short> ts, const Current&) override { add(ts.first, ts.second); }
  void sendLong(Range<int> ts, const Current&) override { add(ts.first, ts.second); }
  void sendDouble(Range<double> ts, const Current&) override { add(ts.first, ts.second); }
  void sendOctet(Range<Ice::Byte> ts, const Current&) override { add(ts.first, ts.second); }
  void sendStruct(BinSeq ts, const Current&) override { add(ts.data(), ts.data() + ts.size()); }
  Receipt barrier(const Current&) override {
    const bench::Receipt r = tally_.take();
    return {static_cast<long long>(r.intact), static_cast<long long>(r.arrived), static_cast<long long>(r.ns)};
  }

 private:
  template <class T>
  void add(const T* begin, const T* end) {
    const auto n = static_cast<std::size_t>(end - begin);
    tally_.add(n * (sizeof(T)), bench::intact(begin, n));
  }

  bench::Tally tally_;  // the pool has one thread: what came first is served first
};
static_assert(sizeof(Bench::BinStruct) == 32);

class Counter final : public DemuxCount {
 public:
  explicit Counter(std::vector<std::shared_ptr<DemuxObject>> objects) : objects_(std::move(objects)) {}

  long long calls(int operation, const Current&) override {
    return static_cast<long long>(std::exchange(DemuxCalls::of[operation], 0u));
  }
  int objects(const Current&) override {
    int n = 0;
    for (auto& each : objects_) n += std::exchange(each->calls, 0u) != 0;
    return n;
  }

 private:
  std::vector<std::shared_ptr<DemuxObject>> objects_;
};

class References {
 public:
  explicit References(Ice::ObjectAdapterPtr adapter) : adapter_(std::move(adapter)) {}
  void add(const std::shared_ptr<Ice::Object>& servant, const std::string& name) {
    lines.push_back(adapter_->add(servant, Ice::stringToIdentity(name))->ice_toString());
  }
  std::vector<std::string> lines;

 private:
  Ice::ObjectAdapterPtr adapter_;
};

void run(const bench::Options& o) {
  const Ice::CommunicatorHolder ice(properties());
  const auto adapter = ice->createObjectAdapterWithEndpoints("Bench", std::string("tcp -h ") + bench::host());
  References references(adapter);
  if (o.suite == "param_test" || o.suite == "scale") {
    references.add(std::make_shared<Param>(o.corrupt), "param");
  } else if (o.suite == "far") {
    references.add(std::make_shared<Param>(o.corrupt), "param");
    references.add(std::make_shared<TtcpReceiver>(), "ttcp");
  } else if (o.suite == "ttcp") {
    references.add(std::make_shared<TtcpReceiver>(), "ttcp");
  } else if (o.suite == "demux") {
    std::vector<std::shared_ptr<DemuxObject>> objects;
    for (int i = 0; i < o.objects; ++i) {
      objects.push_back(std::make_shared<DemuxObject>());
      if (i > 0 || !o.corrupt)
        references.add(objects.back(), "object" + std::to_string(i));
      else
        references.add(std::make_shared<DemuxObject>(), "object0");  // one that nobody counts
    }
    references.add(std::make_shared<Counter>(objects), "counter");
  } else {
    bench::no_such_suite(o);
  }
  adapter->activate();
  bench::publish(o, references.lines);
  ice->waitForShutdown();
}

}  // namespace

int main(int argc, char** argv) { return bench::guarded(argc, argv, run); }
