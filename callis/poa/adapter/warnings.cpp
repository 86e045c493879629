// SPDX-License-Identifier: Apache-2.0
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/poa/adapter/adapter.h>
#include <callis/poa/adapter/warnings.h>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cxxabi.h>
#include <typeinfo>

CALLIS_PROVIDE(warnings);

namespace callis::poa {
namespace {

// Whether nobody has asked for that text yet. When the table is full, as with a client that goes through names,
// nothing is new any more.
bool is_new(const std::string& text) {
  static constinit std::array<std::atomic<std::size_t>, 256> seen{};
  const std::size_t hash = std::hash<std::string>()(text) | 1;  // 0: free
  for (std::size_t i = 0; i < seen.size(); ++i) {
    std::size_t there = 0;
    if (seen[(hash / 2 + i) % seen.size()].compare_exchange_strong(there, hash)) return true;
    if (there == hash) return false;
  }
  return false;
}

std::string name_of_current_type() {
  const std::type_info* const type = abi::__cxa_current_exception_type();
  if (!type) return "a foreign exception";  // of another language
  int status = 0;
  char* const readable = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
  std::string name = readable ? readable : type->name();
  std::free(readable);
  return name;
}

std::string full_name(const Adapter& adapter) {
  const Adapter* const parent = adapter.parent();
  return parent ? concat({full_name(*parent), "/", adapter.name()}) : adapter.name();
}

constexpr Duration kQuiet{1'000};

}  // namespace

bool hold_and_warn(Registry::Guard& guard, const ParsedKey& key, Deadline deadline) {
  Registry& registry = guard.registry();
  const Deadline quiet = Deadline::in(kQuiet);
  Adapter* adapter = registry.find(key);
  if (!adapter) adapter = registry.root;
  const bool to_warn = adapter && adapter->gate() == Gate::Holding && adapter->manager().has_to_be_activated(false);
  if (!to_warn || deadline.time() <= quiet.time()) return registry.hold(guard, deadline);
  if (registry.hold(guard, quiet)) return true;
  adapter = registry.find(key);  // the lock was free meanwhile
  if (!adapter) adapter = registry.root;
  if (!adapter || adapter->gate() != Gate::Holding || !adapter->manager().has_to_be_activated(true)) return true;
  const std::string name = full_name(*adapter);
  guard.unlock();
  log(LogLevel::Warning, {"a request waits: ", name, " is HOLDING: call activate() on its POAManager"});
  guard.relock();
  return true;
}

void warn_of_foreign_exception(std::string_view operation) {
  const std::string type = name_of_current_type();
  if (!is_new(concat({operation, " ", type}))) return;
  std::string says;
  try {
    throw;
  } catch (const std::exception& e) {
    says = concat({": ", e.what()});
  } catch (...) {
  }
  log(LogLevel::Warning, concat({"a C++ exception left the servant in ", operation, "(): ", type, says,
                                 "; the client gets CORBA::UNKNOWN (further ones of this type in ", operation,
                                 "() are not logged)"}));
}

bool warn_of_nested_timeout(std::string_view operation, const CORBA::SystemException& e, std::string& text) {
  if (!CORBA::TIMEOUT::_downcast(&e) || e._callis_has_own_detail() || e.detail().empty()) return false;
  text = concat({"a call that the servant made in ", operation, "() was not answered in time"});
  if (is_new(concat({operation, " nested"})))
    log(LogLevel::Warning,
        {text, ", and the servant passes its TIMEOUT on to the client of ", operation, "(): ", e.what()});
  return true;
}

}  // namespace callis::poa
