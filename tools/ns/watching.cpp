// SPDX-License-Identifier: Apache-2.0
// watch: looks again and again, and prints what has changed. Of a name service of callis it asks for the number of
// changes first, and lists only when that is another.
#include <callis/orb/client/reference.h>
#include <tools/ns/commands.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <optional>
#include <thread>
#include "CallisService.h"

namespace callis::ns {

namespace {

using Seen = std::map<std::string, std::string>;  // name, reference

class Watch {
 public:
  Watch(const Session& session, CosNaming::NamingContext_ptr from)
      : session_(session), from_(CosNaming::NamingContext::_duplicate(from)) {
    find_statistics();
  }

  // Whether all may be as it was when this was called last.
  bool is_quiet() {
    if (CORBA::is_nil(statistics_.in())) return false;
    const CallisService::Values_var values = statistics_->counters();
    for (CORBA::ULong i = 0; i < values->length(); ++i)
      if (std::string_view(values[i].name.in()) == "revision") {
        const bool same = revision_ == values[i].number;
        revision_ = values[i].number;
        return same;
      }
    return false;
  }
  Seen look() {
    Seen out;
    std::vector<std::string> way{session_.identity(from_.in())};
    add(from_.in(), "", out, way);
    return out;
  }

 private:
  void add(CosNaming::NamingContext_ptr context, const std::string& prefix, Seen& to, std::vector<std::string>& way) {
    for (const Entry& e : Session::list(context)) {
      const std::string name = prefix + e.text();
      CORBA::Object_var object;
      try {
        object = context->resolve(name_of(e));
      } catch (const CosNaming::NamingContext::NotFound&) {
        continue;  // it went since
      }
      const std::string text = session_.text_of(object.in());
      to[name + (e.context ? "/" : "")] = text;
      if (!e.context || way.size() > 64 || !session_.is_here(object.in())) continue;
      const std::string it = session_.identity(object.in());
      if (std::find(way.begin(), way.end(), it) != way.end()) continue;
      way.push_back(it);
      add(Context::_var_type(Context::_unchecked_narrow(object.in())).in(), name + "/", to, way);
      way.pop_back();
    }
  }

  // Another ORB's name service has no such object.
  void find_statistics() {
    try {
      const std::string key = "/naming.statistics";
      const auto& profiles = from_->_callis_reference()->ior().profiles;
      if (profiles.empty()) return;
      const auto profile = ior::parse_iiop(profiles[0].data);
      if (!profile) return;
      const ior::Address& a = profile.value().address;
      const std::string host = a.host.find(':') == std::string::npos ? a.host : "[" + a.host + "]";
      const CORBA::Object_var object = session_.orb()->string_to_object(
          ("corbaloc:iiop:1.2@" + host + ":" + std::to_string(a.port) + key).c_str());
      statistics_ = CallisService::Statistics::_narrow(object.in());
    } catch (const CORBA::SystemException&) {
    }
  }

  const Session& session_;
  const CosNaming::NamingContext_var from_;
  CallisService::Statistics_var statistics_;
  std::optional<CORBA::LongLong> revision_;
};

void print_changes(const Seen& before, const Seen& now) {
  for (const auto& [name, reference] : before)
    if (!now.count(name)) std::printf("- %s\n", shown(name).c_str());
  for (const auto& [name, reference] : now) {
    const auto old = before.find(name);
    if (old == before.end()) {
      std::printf("+ %s\n", shown(name).c_str());
    } else if (old->second != reference) {
      std::printf("~ %s\n", shown(name).c_str());
    }
  }
  std::fflush(stdout);
}

}  // namespace

void watch(const Session& session, const Arguments& arguments) {
  const CosNaming::NamingContext_var from = session.context(arguments.words.empty() ? "" : arguments.words[0]);
  Watch watch(session, from.in());
  (void)watch.is_quiet();
  Seen before = watch.look();
  print_changes({}, before);
  while (!arguments.once) {
    std::this_thread::sleep_for(std::chrono::milliseconds(arguments.interval_ms));
    if (watch.is_quiet()) continue;
    Seen now = watch.look();
    print_changes(before, now);
    before = std::move(now);
  }
}

}  // namespace callis::ns
