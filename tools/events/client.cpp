// SPDX-License-Identifier: Apache-2.0
// The clients: events to and from the channels of any ORB.
#include <services/programs/usage.h>
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <callis/signals.h>
#include <tools/call/mapping.h>
#include <tools/events/client.h>
#include <tools/events/real_time_client.h>
#include <services/programs/init_orb.h>
#include <services/programs/reference_text.h>
#include <tools/ior/tree.h>
#include <condition_variable>
#include <cstdio>
#include <iostream>
#include <mutex>
#include <optional>
#include "CallisEvents.h"
#include "CosEventComm_skel.h"

namespace callis::events {

namespace {

struct Failure {
  int status;
  std::string text;
};

// Events as JSON, and back.
class Texts {
 public:
  explicit Texts(CORBA::ORB_ptr orb) : mapping_(orb, types_) {}

  std::string shown(const CORBA::Any& event, bool with_type) {
    CORBA::Any within;
    if (with_type) within <<= event;
    try {
      return json::to_text(mapping_.to_json(with_type ? within : event), false);
    } catch (const tools::CannotShow& e) {
      return "null  (cannot be shown: " + e.text + ")";
    }
  }
  CORBA::Any event(const std::string& text, bool json) {
    CORBA::Any out;
    if (!json) {
      out <<= text.c_str();
      return out;
    }
    const auto parsed = json::parse_json(text);
    if (const auto* error = std::get_if<json::JsonError>(&parsed))
      throw Failure{kCannot, "an event is no JSON: " + error->said()};
    try {
      const CORBA::Any within = mapping_.from_json(CORBA::_tc_any, std::get<json::Json>(parsed), "event");
      const CORBA::Any* inner = nullptr;
      if (!(within >>= inner)) throw Failure{kCannot, "an event cannot be made"};
      return *inner;
    } catch (const tools::WrongJson& e) {
      throw Failure{kCannot, e.path + ": " + e.text};
    }
  }

 private:
  tools::Types types_;
  tools::Mapping mapping_;
};

CORBA::ORB_var make_orb(const Arguments& arguments, const char* id = "") {
  std::vector<std::string> words{"-ORBIdleWatch", "none"};
  words.insert(words.end(), arguments.orb.begin(), arguments.orb.end());
  try {
    return programs::init_orb(std::move(words), id);
  } catch (const CORBA::BAD_PARAM& e) {
    throw Failure{kWrongUsage, e.what()};
  }
}

CORBA::Object_var object_at(CORBA::ORB_ptr orb, const std::string& argument) {
  std::string text, problem;
  if (!programs::read_reference(argument, text, problem)) throw Failure{kCannot, problem};
  try {
    return orb->string_to_object(text.c_str());
  } catch (const CORBA::BAD_PARAM& e) {
    throw Failure{kCannot, e.what()};
  }
}

template <class X>
classic::ReferenceVar<X> narrowed(CORBA::Object_ptr object, const char* what) {
  classic::ReferenceVar<X> out = X::_narrow(object);
  if (CORBA::is_nil(out.in())) throw Failure{kCannot, std::string("the object is no ") + what};
  return out;
}

void rest(std::chrono::milliseconds time) {
  std::mutex mutex;
  std::condition_variable never;
  std::unique_lock lock(mutex);
  never.wait_for(lock, time, [] { return false; });
}

int push(CORBA::ORB_ptr orb, CosEventChannelAdmin::EventChannel_ptr channel, const Arguments& arguments) {
  Texts texts(orb);
  const CosEventChannelAdmin::SupplierAdmin_var suppliers = channel->for_suppliers();
  const CosEventChannelAdmin::ProxyPushConsumer_var to = suppliers->obtain_push_consumer();
  to->connect_push_supplier(CosEventComm::PushSupplier::_nil());
  bool first = true;
  const auto send = [&](const std::string& text) {
    const CORBA::Any event = texts.event(text, arguments.json);
    if (!first && arguments.interval_ms != 0) rest(std::chrono::milliseconds(arguments.interval_ms));
    first = false;
    to->push(event);
  };
  try {
    for (const std::string& w : arguments.words) send(w);
    if (arguments.words.empty())
      for (std::string line; std::getline(std::cin, line);) send(line);
  } catch (const Failure&) {
    to->disconnect_push_consumer();
    throw;
  }
  to->disconnect_push_consumer();
  return 0;
}

// One event after the other; false: enough.
class Printer {
 public:
  Printer(CORBA::ORB_ptr orb, const Arguments& arguments) : texts_(orb), arguments_(arguments) {}
  bool print(const CORBA::Any& event) {
    const std::lock_guard lock(mutex_);
    if (arguments_.count != 0 && printed_ >= arguments_.count) return false;
    std::printf("%s\n", texts_.shown(event, arguments_.types).c_str());
    std::fflush(stdout);
    return ++printed_ != arguments_.count || arguments_.count == 0;
  }

 private:
  std::mutex mutex_;
  Texts texts_;
  const Arguments& arguments_;
  std::uint64_t printed_ = 0;
};

class Consumer final : public POA_CosEventComm::PushConsumer {
 public:
  Consumer(CORBA::ORB_ptr orb, Printer& printer) : orb_(CORBA::ORB::_duplicate(orb)), printer_(printer) {}
  void push(const CORBA::Any& data) override {
    if (!printer_.print(data)) end();
  }
  void disconnect_push_consumer() override {
    disconnected_ = true;
    end();
  }
  bool disconnected() const { return disconnected_; }

 private:
  void end() {
    try {
      orb_->shutdown(false);
    } catch (const CORBA::SystemException&) {}
  }
  const CORBA::ORB_var orb_;
  Printer& printer_;
  std::atomic<bool> disconnected_{false};
};

int disconnected_by_channel() {
  std::fprintf(stderr, "callis events: the channel has disconnected this consumer, or was destroyed\n");
  return kUserException;
}

// By an ORB of its own, since a signal has ended the other. Where that fails, the channel will notice.
template <class Proxy>
void disconnect(const Arguments& arguments, const char* proxy, void (Proxy::*operation)()) {
  try {
    const CORBA::ORB_var orb = make_orb(arguments, "disconnecting");
    const CORBA::Object_var object = orb->string_to_object(proxy);
    const classic::ReferenceVar<Proxy> at = Proxy::_unchecked_narrow(object.in());
    (at.in()->*operation)();
    orb->destroy();
  } catch (const CORBA::Exception&) {}
}

// Which has names of consumers, too.
CallisEvents::ConsumerAdmin_var named_admin(CosEventChannelAdmin::EventChannel_ptr channel) {
  const CosEventChannelAdmin::ConsumerAdmin_var consumers = channel->for_consumers();
  CallisEvents::ConsumerAdmin_var out = CallisEvents::ConsumerAdmin::_narrow(consumers.in());
  if (CORBA::is_nil(out.in())) throw Failure{kCannot, "the channel knows no named consumers: it is not callis's"};
  return out;
}

CosEventChannelAdmin::ProxyPushSupplier_var push_supplier(CosEventChannelAdmin::EventChannel_ptr channel,
                                                          const std::string& name) {
  if (!name.empty()) return named_admin(channel)->obtain_named_push_supplier(name.c_str());
  const CosEventChannelAdmin::ConsumerAdmin_var consumers = channel->for_consumers();
  return consumers->obtain_push_supplier();
}

CosEventChannelAdmin::ProxyPullSupplier_var pull_supplier(CosEventChannelAdmin::EventChannel_ptr channel,
                                                          const std::string& name) {
  if (!name.empty()) return named_admin(channel)->obtain_named_pull_supplier(name.c_str());
  const CosEventChannelAdmin::ConsumerAdmin_var consumers = channel->for_consumers();
  return consumers->obtain_pull_supplier();
}

int names(CosEventChannelAdmin::EventChannel_ptr channel) {
  const CallisEvents::Names_var all = named_admin(channel)->consumers();
  for (CORBA::ULong i = 0; i < all->length(); ++i) std::printf("%s\n", programs::escaped(all[i]).c_str());
  return 0;
}

int forget(CosEventChannelAdmin::EventChannel_ptr channel, const Arguments& arguments) {
  const auto admin = named_admin(channel);
  for (const std::string& name : arguments.words) {
    try {
      admin->forget(name.c_str());
    } catch (const CallisEvents::BadName&) {
      throw Failure{kUserException, "there is no named consumer '" + programs::escaped(name) + "'"};
    }
  }
  return 0;
}

int watch(CORBA::ORB_ptr orb, CosEventChannelAdmin::EventChannel_ptr channel, const Arguments& arguments) {
  Printer printer(orb, arguments);
  const CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
  const PortableServer::POA_var poa = PortableServer::POA::_narrow(root.in());
  const PortableServer::Servant_var<Consumer> servant = new Consumer(orb, printer);
  const PortableServer::ObjectId_var id = poa->activate_object(servant.in());
  const CORBA::Object_var object = poa->id_to_reference(id.in());
  const CosEventComm::PushConsumer_var consumer = CosEventComm::PushConsumer::_unchecked_narrow(object.in());
  PortableServer::POAManager_var(poa->the_POAManager())->activate();
  const CosEventChannelAdmin::ProxyPushSupplier_var from = push_supplier(channel, arguments.name);
  shutdown_on_signals(orb);
  const CORBA::String_var proxy = orb->object_to_string(from.in());
  from->connect_push_consumer(consumer.in());
  std::fprintf(stderr, "callis events: connected\n");
  orb->run();
  if (servant->disconnected()) return disconnected_by_channel();
  disconnect(arguments, proxy.in(), &CosEventComm::PushSupplier::disconnect_push_supplier);
  return 0;
}

int pull(CORBA::ORB_ptr orb, CosEventChannelAdmin::EventChannel_ptr channel, const Arguments& arguments) {
  Printer printer(orb, arguments);
  const CosEventChannelAdmin::ProxyPullSupplier_var from = pull_supplier(channel, arguments.name);
  const CORBA::String_var proxy = orb->object_to_string(from.in());
  from->connect_pull_consumer(CosEventComm::PullConsumer::_nil());
  shutdown_on_signals(orb);
  std::fprintf(stderr, "callis events: connected\n");
  constexpr std::chrono::milliseconds kFirst{1}, kLongest{200};
  try {
    for (auto pause = kFirst;;) {
      CORBA::Boolean has_event = false;
      const CORBA::Any_var event = from->try_pull(has_event);
      if (has_event) {
        pause = kFirst;
        if (!printer.print(event.in())) break;
      } else {
        rest(pause);
        pause = std::min(pause * 2, kLongest);
      }
    }
    from->disconnect_pull_supplier();
  } catch (const CosEventComm::Disconnected&) {
    return disconnected_by_channel();
  } catch (const CORBA::OBJECT_NOT_EXIST&) {
    return disconnected_by_channel();
  } catch (const CORBA::BAD_INV_ORDER&) {  // a signal came
    disconnect(arguments, proxy.in(), &CosEventComm::PullSupplier::disconnect_pull_supplier);
  }
  return 0;
}

tools::Tree list_plain(CORBA::Object_ptr object) {
  const auto factory = narrowed<CallisEvents::EventChannelFactory>(object, "factory of channels of callis");
  const CallisEvents::ChannelStates_var states = factory->list();
  tools::Tree all = tools::Tree::list("channels");
  for (CORBA::ULong i = 0; i < states->length(); ++i) {
    const CallisEvents::ChannelState& s = states[i];
    tools::Tree one = tools::Tree::object("channel", programs::escaped(s.name.in()));
    one.add(tools::Tree::text("name", programs::escaped(s.name.in())).in_json_only());
    one.add(tools::Tree::count("received", s.received));
    one.add(tools::Tree::count("waiting", s.waiting));
    one.add(tools::Tree::count("discarded", s.discarded));
    one.add(tools::Tree::count("push_suppliers", s.push_suppliers));
    one.add(tools::Tree::count("pull_suppliers", s.pull_suppliers));
    one.add(tools::Tree::count("push_consumers", s.push_consumers));
    one.add(tools::Tree::count("pull_consumers", s.pull_consumers));
    all.add(std::move(one));
  }
  return all;
}

int list(CORBA::Object_ptr object, const Arguments& arguments) {
  std::optional<tools::Tree> all = list_real_time(object);
  tools::Tree root;
  root.add(all ? std::move(*all) : list_plain(object));
  std::fputs(arguments.json ? tools::to_json(root).c_str() : tools::to_lines(root).c_str(), stdout);
  return 0;
}

int run_real_time(CORBA::ORB_ptr orb, CORBA::Object_ptr channel, const Arguments& arguments) {
  Texts texts(orb);
  const ClientParts parts{
      orb, arguments, [&](const CORBA::Any& event) { return texts.shown(event, arguments.types); },
      [&](const std::string& text) { return texts.event(text, arguments.json); },
      [&] { return make_orb(arguments, "disconnecting"); }};
  if (!arguments.name.empty() || arguments.command == "names" || arguments.command == "forget")
    throw Failure{kCannot, "a real-time channel has no named consumers"};
  if (arguments.command == "watch") return watch_real_time(channel, parts);
  if (arguments.command == "pull") throw Failure{kCannot, "nobody pulls from a real-time channel: watch it"};
  if (arguments.source == 0 || arguments.type == 0)
    throw Failure{kWrongUsage, "a real-time channel's events have a --source and a --type"};
  return push_real_time(channel, parts);
}

int run(const Arguments& arguments) {
  const CORBA::ORB_var orb = make_orb(arguments);
  const CORBA::Object_var object = object_at(orb.in(), arguments.reference);
  if (CORBA::is_nil(object.in())) throw Failure{kCannot, "a nil reference"};
  if (arguments.command == "ls") return list(object.in(), arguments);
  if (is_real_time_channel(object.in())) return run_real_time(orb.in(), object.in(), arguments);
  const auto channel = narrowed<CosEventChannelAdmin::EventChannel>(object.in(), "event channel");
  if (arguments.source != 0 || arguments.type != 0)
    throw Failure{kCannot, "--source and --type are for real-time channels, and this is none"};
  if (arguments.command == "push") return push(orb.in(), channel.in(), arguments);
  if (arguments.command == "pull") return pull(orb.in(), channel.in(), arguments);
  if (arguments.command == "names") return names(channel.in());
  if (arguments.command == "forget") return forget(channel.in(), arguments);
  return watch(orb.in(), channel.in(), arguments);
}

}  // namespace

int run_client(const Arguments& arguments) {
  const auto failed = [](const std::string& text, int status) {
    std::fflush(stdout);
    std::fprintf(stderr, "callis events: %s\n", text.c_str());
    return status;
  };
  try {
    return run(arguments);
  } catch (const Failure& f) {
    return failed(f.text, f.status);
  } catch (const CORBA::SystemException& e) {
    return failed(e.what(), kSystemException);
  } catch (const CallisEvents::NotDurable&) {
    return failed("the channel keeps no events, so consumers have no names there: callis events --durable",
                  kUserException);
  } catch (const CallisEvents::BadName&) {
    return failed("no name of a consumer: letters, digits, '-' and '_', 64 at most", kUserException);
  } catch (const CORBA::UserException& e) {
    return failed(e._name(), kUserException);
  } catch (const std::exception& e) {
    return failed(e.what(), kCannot);
  }
}

}  // namespace callis::events
