// SPDX-License-Identifier: Apache-2.0
// ORB_init and references as text.
#include <callis/base/all_features.h>
#include <callis/base/log.h>
#include <callis/ior/text.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/core/corbaname.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/initial.h>
#include <callis/orb/core/interception.h>
#include <callis/orb/core/object_of.h>

CALLIS_WANT_FEATURES(orb);

namespace callis::orb {
namespace {

// The ORBs that ORB_init has made and nobody has destroyed; each is counted here.
struct Orbs {
  std::mutex mutex;
  StringMap<Counted<Core>> by_id;
};

// Never destroyed: threads of ORBs that the program forgot to destroy may run until the process ends.
Orbs& orbs() {
  static Orbs* o = new Orbs;
  return *o;
}

constinit std::atomic<PrepareOrb> prepare_orb{nullptr};

}  // namespace

PrepareOrb set_prepare_orb(PrepareOrb prepare) { return prepare_orb.exchange(prepare, std::memory_order_acq_rel); }

// The one with that id, made if need be; a count for the caller.
static Core* orb_of(Options&& options, PrepareOrb prepare, OrbStage& stage) {
  std::lock_guard lock(orbs().mutex);
  Counted<Core>* core = orbs().by_id.find(options.orb_id);
  if (!core) {
    const std::string id = options.orb_id;
    core = &orbs().by_id.insert(id, Core::create(std::move(options)));
    stage = OrbStage::New;
    if (prepare) prepare(**core, OrbStage::Begun, {});
  }
  (*core)->add_ref();
  return core->get();
}

Counted<Core> default_orb() {
  std::lock_guard lock(orbs().mutex);
  if (Counted<Core>* const known = orbs().by_id.find("")) return *known;
  Counted<Core> only;
  if (orbs().by_id.size() == 1) orbs().by_id.for_each([&](const std::string&, Counted<Core>& c) { only = c; });
  return only;
}

void forget_orb(const Core& core) {
  Counted<Core> last;  // let go outside the lock
  std::lock_guard lock(orbs().mutex);
  Counted<Core>* known = orbs().by_id.find(core.options().orb_id);
  if (!known || known->get() != &core) return;
  last = std::move(*known);
  orbs().by_id.erase(core.options().orb_id);
}

char* Core::id() {
  check_usable();
  return CORBA::string_dup(options().orb_id.c_str());
}

CORBA::Object_ptr Core::string_to_object(const char* text) {
  check_usable();
  if (!text) raise<CORBA::BAD_PARAM>(omg(10), CORBA::COMPLETED_NO, "null text");
  return text_to_object(text, 0);
}

// An initial reference that a text asks for.
CORBA::Object_ptr Core::initial_reference_of_text(std::string_view id, unsigned depth) {
  constexpr unsigned kMaxDepth = 8;
  if (depth == kMaxDepth)
    raise<CORBA::BAD_PARAM>(omg(10), CORBA::COMPLETED_NO, "initial references that lead to each other");
  try {
    return initial_reference(id, depth + 1);
  } catch (const ORB::InvalidName&) {
    raise<CORBA::BAD_PARAM>(omg(9), CORBA::COMPLETED_NO,
                            CALLIS_HAS(initial_texts) ? text_of_unknown_id(id) : "no initial reference of that name");
  }
}

constinit std::atomic<Core::TextReader> Core::text_reader{&Core::read_text};

CORBA::Object_ptr Core::read_text(Core& core, std::string_view text, unsigned depth) {
  ior::ParsedReference parsed = ior::parse_reference(text, core.limits());
  if (const auto* e = std::get_if<ior::TextError>(&parsed))
    raise<CORBA::BAD_PARAM>(omg(ior::bad_param_minor(e->problem)), CORBA::COMPLETED_NO, e->text());
  if (const auto* id = std::get_if<ior::InitialReference>(&parsed))
    return core.initial_reference_of_text(id->name, depth);
  auto* const named = std::get_if<ior::NameInContext>(&parsed);
  ior::Ior& ior = named ? named->context : std::get<ior::Ior>(parsed);
  CORBA::Object_var object;
  if (named && ior.is_nil()) object = core.initial_reference_of_text(named->initial.name, depth);
  else if (!ior.is_nil()) object = make_object(*ReferencePtr::adopt(new Reference(core, std::move(ior))));
  if (!named || named->name.empty()) return object._retn();
  if (!CALLIS_HAS(corbaname)) throw_without_feature("urls");
  return resolve_name(object, named->name);
}

char* Core::object_to_string(CORBA::Object_ptr object) {
  check_usable();
  if (!object) return CORBA::string_dup(ior::to_text({}).c_str());
  if (!object->_callis_reference())
    raise<CORBA::MARSHAL>(omg(4), CORBA::COMPLETED_NO, "a local object has no text");
  return CORBA::string_dup(ior::to_text(object->_callis_reference()->ior()).c_str());
}

}  // namespace callis::orb

namespace CORBA::inline callis_orb {

ORB_ptr ORB_init(int& argc, char** argv, const char* orb_id) {
  using namespace callis::orb;
  callis::Result<Options> options = parse_options(argc, argv);
  if (!options) {
    callis::log(callis::LogLevel::Error, options.error().detail);  // many programs print the exception's name alone
    callis::classic::raise<BAD_PARAM>(kBadOption, COMPLETED_NO, options.error().detail);
  }
  if (orb_id && *orb_id) options->orb_id = orb_id;
  if (options->log_level != Options::kLogUntold)
    callis::set_log_level(static_cast<callis::LogLevel>(options->log_level));
  const PrepareOrb prepare = prepare_orb.load(std::memory_order_acquire);
  OrbStage stage = OrbStage::Known;
  auto core = Counted<Core>::adopt(orb_of(std::move(options).value(), prepare, stage));
  if (prepare) prepare(*core, stage, {argv, static_cast<std::size_t>(argc)});
  return ORB::_duplicate(core.get());
}

}  // namespace CORBA::inline callis_orb
