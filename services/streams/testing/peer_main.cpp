// SPDX-License-Identifier: Apache-2.0
// For ./dev bench services.
//
//   callis_streams_peer raw|flow tcp|udp|rtp BYTES SECONDS    bytes a second from one thread to another over loopback
//   callis_streams_peer jitter raw|rtp SECONDS                how far from a millisecond frames are apart that are
//   sent
//                                                             each millisecond: microseconds, p50 and p99
//   callis_streams_peer setup N                               calls of a stream's set-up; set-ups a second
//
// Over UDP at most 64 datagrams are under way, so that none is lost.
#include <fcntl.h>
#include <services/streams/flows/flow.h>
#include <services/streams/testing/call_counter.h>
#include <services/streams/testing/serving.h>
#include <sys/socket.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

namespace {

using namespace callis::streams;
using callis::Byte;
using Clock = std::chrono::steady_clock;

std::atomic<std::uint64_t> g_received{0};

double since(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }

// Sends for so long; returns bytes a second that were received.
template<class Send>
double load(Send&& send, std::size_t size, double seconds, bool window) {
  const auto begin = Clock::now();
  std::uint64_t sent = 0;
  while (since(begin) < seconds) {
    for (int i = 0; i < 16; ++i) {
      while (window && sent - g_received.load(std::memory_order_relaxed) > 48 * size) std::this_thread::yield();
      send();
      sent += size;
    }
  }
  while (g_received.load() < sent) std::this_thread::yield();
  return static_cast<double>(sent) / since(begin);
}

class Counting final : public FrameReceiver {
 public:
  void receive(const Frame& frame) override { g_received.fetch_add(frame.data.size(), std::memory_order_relaxed); }
  void ended(const char*) override {}
};

double flow_load(const std::string& carrier, std::size_t size, double seconds) {
  FlowSettings settings;
  settings.carrier = carrier == "tcp" ? Carrier::Tcp : carrier == "udp" ? Carrier::Udp : Carrier::RtpUdp;
  Counting counting;
  FlowSettings of_producer = settings;
  of_producer.producer = true;
  Flow producer(of_producer, counting), consumer(settings, counting);
  const FlowAddress one = producer.listen(true), two = consumer.listen(false);
  consumer.connect(one);
  producer.connect(two);
  producer.start();
  consumer.start();
  const std::vector<Byte> bytes(size, 7);
  Frame frame;
  frame.data = bytes;
  return load([&] { producer.send(frame); }, size, seconds, carrier != "tcp");
}

double raw_load(const std::string& carrier, std::size_t size, double seconds) {
  const bool tcp = carrier == "tcp";
  const SocketAddress any("127.0.0.1", 0);
  DatagramSocket to = DatagramSocket::bound(any), from = DatagramSocket::bound(any);
  TcpListener listener(any);
  TcpConnection client, server;
  if (tcp) {
    client = TcpConnector(any).connect(listener.local(), std::chrono::seconds(5));
    while (!server) server = listener.accept(any);
  } else {
    to.connect(from.local());
    from.connect(to.local());
    to.set_buffers(1 << 20);
    from.set_buffers(1 << 20);
  }
  const int in = tcp ? dup(server.fd()) : from.fd(), out = tcp ? client.fd() : to.fd();
  if (tcp) {  // as plain programs have them
    for (const int fd : {in, out}) fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
  }
  std::thread receiver([&] {
    std::vector<Byte> into(256 << 10);
    for (ssize_t got; (got = ::recv(in, into.data(), into.size(), 0)) > 0;) {
      g_received.fetch_add(static_cast<std::uint64_t>(got), std::memory_order_relaxed);
    }
  });
  const std::vector<Byte> bytes(size, 7);
  const auto send = [&] {
    for (std::size_t sent = 0; sent < size;) {
      const ssize_t n = ::send(out, bytes.data() + sent, size - sent, MSG_NOSIGNAL);
      if (n > 0) sent += static_cast<std::size_t>(n);
    }
  };
  const double rate = load(send, size, seconds, !tcp);
  ::shutdown(tcp ? out : in, SHUT_RDWR);
  receiver.join();
  return rate;
}

// Notes how far apart frames come.
class Intervals final : public FrameReceiver {
 public:
  void receive(const Frame&) override { came(); }
  void ended(const char*) override {}
  void came() {
    const auto now = Clock::now();
    if (last_ != Clock::time_point{}) {
      off_.push_back(std::abs(std::chrono::duration<double, std::micro>(now - last_).count() - 1000));
    }
    last_ = now;
    count_.fetch_add(1);
  }
  std::uint64_t count() const { return count_; }
  double quantile(double q) {
    std::sort(off_.begin(), off_.end());
    return off_.empty() ? 0 : off_[static_cast<std::size_t>(q * static_cast<double>(off_.size() - 1))];
  }

 private:
  Clock::time_point last_{};
  std::vector<double> off_;
  std::atomic<std::uint64_t> count_{0};
};

int jitter(bool raw, double seconds) {
  Intervals intervals;
  FlowSettings settings;
  settings.carrier = Carrier::RtpUdp;
  FlowSettings of_producer = settings;
  of_producer.producer = true;
  Flow producer(of_producer, intervals), consumer(settings, intervals);
  const FlowAddress one = producer.listen(true), two = consumer.listen(false);
  DatagramSocket to = DatagramSocket::bound(SocketAddress("127.0.0.1", 0));
  DatagramSocket from = DatagramSocket::bound(SocketAddress("127.0.0.1", 0));
  to.connect(from.local());
  from.connect(to.local());
  std::thread receiver;
  if (raw) {
    receiver = std::thread([&] {
      Byte into[2048];
      while (::recv(from.fd(), into, sizeof into, 0) > 0) intervals.came();
    });
  } else {
    consumer.connect(one);
    producer.connect(two);
    producer.start();
    consumer.start();
  }
  const std::vector<Byte> bytes(1200, 7);
  Frame frame;
  frame.data = bytes;
  const auto begin = Clock::now();
  std::uint64_t sent = 0;
  for (; since(begin) < seconds; ++sent) {
    std::this_thread::sleep_until(begin + std::chrono::milliseconds(sent));
    frame.timestamp = static_cast<std::uint32_t>(sent * 90);
    if (raw) {
      to.send({}, bytes);
    } else {
      producer.send(frame);
    }
  }
  const auto limit = Clock::now() + std::chrono::seconds(2);
  while (intervals.count() < sent && Clock::now() < limit) std::this_thread::yield();
  ::shutdown(from.fd(), SHUT_RDWR);
  if (receiver.joinable()) receiver.join();
  consumer.close();
  std::printf("%.1f %.1f\n", intervals.quantile(0.5), intervals.quantile(0.99));
  return 0;
}

int setup(int count) {
  using namespace callis::streams::testing;
  CallCounter& counter = CallCounter::install();
  Seen camera_seen, viewer_seen;
  Program at_camera, at_viewer;
  const AVStreams::MMDevice_var camera = at_camera.streams->add_device(device(camera_seen, {flow("video", true)}));
  const AVStreams::MMDevice_var there = at_viewer.streams->add_device(device(viewer_seen, {flow("video", false)}));
  const AVStreams::MMDevice_var viewer = at_camera.here(at_viewer, there.in());
  AVStreams::streamQoS qos;
  std::size_t calls = 0;
  const auto begin = Clock::now();
  for (int i = 0; i < count; ++i) {
    const AVStreams::StreamCtrl_var ctrl = at_camera.streams->new_stream_ctrl();
    counter.take();
    ctrl->bind_devs(camera.in(), viewer.in(), qos, {});
    calls = counter.take().size();
    ctrl->destroy({});
  }
  std::printf("%zu %.1f\n", calls, count / since(begin));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 3 && std::strcmp(argv[1], "setup") == 0) return setup(std::atoi(argv[2]));
    if (argc == 4 && std::strcmp(argv[1], "jitter") == 0) {
      return jitter(std::strcmp(argv[2], "raw") == 0, std::atof(argv[3]));
    }
    if (argc != 5) {
      std::fprintf(
          stderr,
          "usage: callis_streams_peer raw|flow tcp|udp|rtp BYTES SECONDS | jitter raw|rtp SECONDS | setup N\n");
      return 2;
    }
    const std::string how = argv[1], carrier = argv[2];
    const auto size = static_cast<std::size_t>(std::atol(argv[3]));
    const double seconds = std::atof(argv[4]);
    std::printf("%.0f\n", how == "raw" ? raw_load(carrier, size, seconds) : flow_load(carrier, size, seconds));
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "callis_streams_peer: %s\n", e._rep_id());
    return 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "callis_streams_peer: %s\n", e.what());
    return 1;
  }
  return 0;
}
