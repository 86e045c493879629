// SPDX-License-Identifier: Apache-2.0
// The life of a service's program, from its words to its exit status.
#include <callis/base/json_text.h>
#include <callis/base/log_format.h>
#include <callis/signals.h>
#include <services/common/housekeeper.h>
#include <services/common/sd_notify.h>
#include <services/common/service_arguments.h>
#include <services/common/statistics.h>
#include <services/common/write_file.h>
#include <services/logging/sink/log_sink.h>
#include <services/programs/init_orb.h>
#include <services/programs/local_service.h>
#include <services/programs/site.h>
#include <services/programs/usage.h>
#include <malloc.h>
#include <unistd.h>
#include <csignal>
#include <cstdio>

namespace callis::services {

namespace {

CORBA::ORB_var make_orb(std::vector<std::string> words) {
  try {
    return programs::init_orb(std::move(words));
  } catch (const CORBA::BAD_PARAM& e) {
    throw ProgramFailed{kWrongUsage, e.what()};
  }
}

void print_line(const std::string& text) {
  std::printf("%s\n", text.c_str());
  std::fflush(stdout);
}

int ask_statistics(const ServiceArguments& arguments, const ServiceDescription& description) {
  if (!arguments.tls.empty()) programs::use_site(arguments.tls, programs::SiteRole::Client);
  const std::string url = statistics_url(arguments.stats_of, description.name, description.port);
  std::vector<std::string> words{"-ORBIdleWatch", "none"};
  words.insert(words.end(), arguments.orb.begin(), arguments.orb.end());
  const CORBA::ORB_var orb = make_orb(std::move(words));
  CORBA::Object_var object;
  try {
    object = orb->string_to_object(url.c_str());
  } catch (const CORBA::BAD_PARAM& e) {
    throw ProgramFailed{kWrongUsage, "--stats: " + std::string(e.what())};
  }
  const CallisService::Statistics_var statistics = CallisService::Statistics::_unchecked_narrow(object.in());
  const CallisService::Values_var values = statistics->counters();
  std::vector<Value> all{{"healthy", statistics->healthy() ? 1 : 0, true},
                         {"uptime_ms", static_cast<std::int64_t>(statistics->uptime_ms()), true}};
  for (CORBA::ULong i = 0; i < values->length(); ++i)
    all.push_back({programs::escaped(values[i].name.in()), values[i].number, values[i].gauge});
  std::fputs((arguments.json ? to_json(all) + "\n" : to_lines(all)).c_str(), stdout);
  orb->destroy();
  return 0;
}

// A file that may not grow (ulimit -f) is then a write that fails with EFBIG. A handler, since programs
// that a service starts would inherit SIG_IGN.
void survive_limits_of_files() {
  struct sigaction nothing {};
  nothing.sa_handler = [](int) {};
  nothing.sa_flags = SA_RESTART;
  ::sigaction(SIGXFSZ, &nothing, nullptr);
}

// Gives large blocks back to the system when they are freed. Without this, glibc keeps blocks of up to 32 MB after
// the first was freed, in an arena for each thread. A trading service with 134 MB of offers had up to 258 MB.
void give_back_large_blocks() { (void)::mallopt(M_MMAP_THRESHOLD, 256 << 10); }

class Program final {
 public:
  Program(const ServiceArguments& arguments, const ServiceDescription& description)
      : arguments_(arguments), description_(description), memory_(arguments.memory) {}

  // Destroys the ORB also in a program that fails before its end.
  ~Program() {
    service_.reset();
    try {
      if (orb_.in()) orb_->destroy();
    } catch (const CORBA::Exception&) {}
  }

  void run() {
    const bool as_json = arguments_.log == ServiceArguments::LogForm::Json;
    set_log_format(as_json ? LogFormat::Json : LogFormat::Plain, description_.name);
    if (description_.sends_lines) sending_.emplace(description_.name);
    if (!arguments_.tls.empty()) programs::use_site(arguments_.tls, programs::SiteRole::Server);
    std::vector<std::string> words{"-ORBUnguessableKeys", "yes"};  // a reference is the right to call its object
    words.insert(words.end(), arguments_.orb.begin(), arguments_.orb.end());
    if (description_.port != 0 && !programs::has_endpoint(words)) {
      const char* const transport = programs::in_site() ? "tls::" : "tcp::";
      words.insert(words.end(), {"-ORBEndpoint", transport + std::to_string(description_.port)});
      if (const std::string socket = programs::own_socket(description_.name); !socket.empty())
        words.insert(words.end(), {"-ORBEndpoint", "unix:" + socket});
    }
    orb_ = make_orb(std::move(words));
    StoreOptions store_options;
    store_options.keep_damaged_aside = arguments_.keep_damaged_aside;
    store_options.max_disk_bytes = arguments_.max_disk_bytes;
    if (description_.store_kind) store_ = open_store(arguments_.store, *description_.store_kind, store_options);
    CORBA::Object_var object = orb_->resolve_initial_references("RootPOA");
    root_ = PortableServer::POA::_narrow(object.in());
    Rules::guard(arguments_.rules, description_.guarded);
    Frame frame{orb_.in(),        root_.in(), store_.get(),     counters_,
                arguments_.own, memory_,    arguments_.store, store_options};
    service_ = description_.start(frame);
    publish();
    serve();
  }

 private:
  bool healthy() {
    const std::lock_guard lock(health_mutex_);
    return service_->healthy();
  }

  // Signals end the program in good order from here on; what was sent to a service that was starting ended it at
  // once.
  void publish() {
    statistics_ = new StatisticsServant(description_.name, counters_, [this] { return healthy(); });
    serve_statistics(orb_.in(), root_.in(), description_.name, *statistics_);
    const CORBA::Object_var reference = CORBA::Object::_duplicate(service_->reference());
    if (!description_.initial_reference.empty())
      orb_->register_initial_reference(description_.initial_reference.c_str(), reference.in());
    shutdown_on_signals(orb_.in());
    const PortableServer::POAManager_var manager = root_->the_POAManager();
    manager->activate();
    const std::string text = CORBA::String_var(orb_->object_to_string(reference.in())).in();
    if (!arguments_.ior_file.empty()) write_file(arguments_.ior_file, text + "\n");
    print_line(text);
    notify("READY=1");
    log(LogLevel::Info, {command_of(description_), " is ready"});
    log(LogLevel::Info, {"who may call (--allow): ", arguments_.rules.sentence(),
                         arguments_.rules.dry_run() ? "; nobody is refused (--allow-dry-run)" : ""});
  }

  void serve() {
    Housekeeper::Duties duties;
    duties.watchdog = watchdog_interval();
    duties.stats = std::chrono::seconds(arguments_.stats_every);
    duties.healthy = [this] { return healthy(); };
    duties.write_stats = [this] { write_stats(); };
    Housekeeper housekeeper(std::move(duties));
    orb_->run();
    notify("STOPPING=1");
    housekeeper.stop();
    service_->stop();
    orb_->destroy();
    orb_ = CORBA::ORB::_nil();
    service_.reset();
    store_.reset();
  }

  void write_stats() {
    std::string line;
    if (arguments_.log == ServiceArguments::LogForm::Json) {
      line = "{\"service\":" + json_string(description_.name) + ",\"stats\":" + counters_.to_json() + "}\n";
    } else {
      line = "callis: stats:";
      for (const Value& v : counters_.values()) line += " " + v.name + "=" + std::to_string(v.number);
      line += '\n';
    }
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
  }

  const ServiceArguments& arguments_;
  const ServiceDescription& description_;
  std::optional<log_sink::Sending> sending_;  // ends last
  Counters counters_;
  MemoryBound memory_;
  const Counters::Source of_frame_ = counters_.collect([this](const Counters::Add& add) {
    add({"memory_bytes", static_cast<std::int64_t>(memory_.held()), true});
    add({"refused", static_cast<std::int64_t>(Rules::refused()), false});
  });
  std::unique_ptr<Store> store_;
  CORBA::ORB_var orb_;
  PortableServer::POA_var root_;
  std::mutex health_mutex_;
  PortableServer::Servant_var<StatisticsServant> statistics_;
  std::unique_ptr<RunningService> service_;
};

}  // namespace

int run_service(int argc, char** argv, const ServiceDescription& description) {
  const auto failed = [&](const std::string& text, int status, bool alone = false) {
    if (status == kWrongUsage) return programs::wrong_usage(command_of(description), text, usage(description));
    std::fprintf(stderr, "%s%s\n", alone ? "" : (command_of(description) + ": ").c_str(), text.c_str());
    return status;
  };
  try {
    const ServiceArguments arguments(argc, argv, description);
    if (arguments.help) {
      std::fputs(usage(description).c_str(), stdout);
      return 0;
    }
    if (arguments.version) {
      std::puts(programs::version().c_str());
      return 0;
    }
    if (arguments.stats) return ask_statistics(arguments, description);
    give_back_large_blocks();
    survive_limits_of_files();
    Program(arguments, description).run();
    return 0;
  } catch (const ProgramFailed& f) {
    return failed(f.text, f.status == kCannot ? description.status_cannot : f.status, f.alone);
  } catch (const CORBA::SystemException& e) {
    return failed(e.what(), kSystemException);
  } catch (const CORBA::UserException& e) {
    return failed(e._name(), description.status_cannot);
  } catch (const std::exception& e) {  // StoreFailed among them
    return failed(e.what(), description.status_cannot);
  }
}

}  // namespace callis::services
