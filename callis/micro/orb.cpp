// SPDX-License-Identifier: Apache-2.0
// The life of an ORB, its texts and its initial references.
#include <callis/base/text.h>
#include <callis/classic/string.h>
#include <callis/ior/text.h>
#include <callis/micro/loop.h>
#include <callis/micro/orb.h>
#include <callis/orb/base/errors.h>
#include <cstring>

namespace callis::micro {
namespace {

constexpr CORBA::ULong kInUpcall = orb::omg(3);

}  // namespace

constinit MakeServing make_serving = nullptr;

Orb* oldest_serving() {
  Orb* o = Orb::first();
  while (o && !o->serving()) o = o->next();
  return o;
}

constinit Orb* Orb::first_ = nullptr;

Orb::Orb(std::string id, Options options)
    : id_(std::move(id)), options_(std::move(options)), thread_(::pthread_self()) {
  Orb** last = &first_;
  while (*last) last = &(*last)->next_;
  *last = this;
}

Orb::~Orb() = default;

void Orb::check_usable() const {
  if (life_ == Life::Running) return;
  if (life_ == Life::Shut)
    orb::raise<CORBA::BAD_INV_ORDER>(orb::omg(4), CORBA::COMPLETED_NO, "the ORB has been shut down");
  orb::raise<CORBA::OBJECT_NOT_EXIST>(0, CORBA::COMPLETED_NO, "the ORB has been destroyed");
}

void Orb::check_thread() const {
  if (!::pthread_equal(thread_, ::pthread_self()))
    orb::raise<CORBA::BAD_INV_ORDER>(0, CORBA::COMPLETED_NO,
                                     "the micro profile has one thread: the one that called ORB_init");
}

char* Orb::id() { return CORBA::string_dup(id_.c_str()); }

CORBA::Object_ptr Orb::string_to_object(const char* text) {
  check_usable();
  if (!text) classic::throw_bad_param("string_to_object: null string");
  std::string initial;
  ior::Ior ior = parse_text(text, limits(), initial);
  if (!initial.empty()) return resolve_initial_references(initial.c_str());
  if (ior.is_nil()) return nullptr;
  const auto reference = orb::ReferencePtr::adopt(new orb::Reference(*this, std::move(ior)));
  return orb::make_object(*reference.get());
}

char* Orb::object_to_string(CORBA::Object_ptr object) {
  check_usable();
  const orb::Reference* const r = reference_or_null(object);
  if (object && !r) orb::raise<CORBA::MARSHAL>(orb::omg(4), CORBA::COMPLETED_NO, "a local object has no text");
  return CORBA::string_dup(ior::to_text(r ? r->ior() : ior::Ior{}).c_str());
}

const Initial* Orb::initial(std::string_view name) const {
  const Initial* i = options_.initial_references.get();
  while (i && i->name != name) i = i->next.get();
  return i;
}

CORBA::ORB::ObjectIdList* Orb::list_initial_services() {
  check_usable();
  CORBA::ULong n = make_serving ? 1 : 0;
  for (const Initial* i = options_.initial_references.get(); i; i = i->next.get()) ++n;
  auto list = std::make_unique<ObjectIdList>();
  list->length(n);
  for (const Initial* i = options_.initial_references.get(); i; i = i->next.get()) (*list)[--n] = i->name.c_str();
  if (make_serving) (*list)[0] = "RootPOA";
  return list.release();
}

CORBA::Object_ptr Orb::resolve_initial_references(const char* id) {
  check_usable();
  check_thread();
  const std::string_view wanted = id ? id : "";
  if (const Initial* const known = initial(wanted)) {
    if (!known->text.empty()) return string_to_object(known->text.c_str());
    return CORBA::Object::_duplicate(known->object.in());
  }
  if (wanted == "RootPOA" && make_serving) {
    if (!serving_) serving_ = make_serving(*this);
    return serving_->root();
  }
  throw InvalidName(classic::SharedText::make({"no initial reference ", Printable(wanted)}));
}

void Orb::register_initial_reference(const char* id, CORBA::Object_ptr object) {
  check_usable();
  if (!object) classic::throw_bad_param("register_initial_reference: nil");
  if (!id || !*id || initial(id))
    throw InvalidName(classic::SharedText::make({"an empty name, or one that is taken: ", id ? id : ""}));
  options_.initial_references.reset(
      new Initial{id, {}, CORBA::Object::_duplicate(object), std::move(options_.initial_references)});
}

void Orb::run_until(TimePoint end) {
  check_usable();
  check_thread();
  if (Loop::instance().nested() != 0)
    orb::raise<CORBA::BAD_INV_ORDER>(kInUpcall, CORBA::COMPLETED_NO, "run() in an upcall");
  do (void)Loop::instance().turn(end);
  while (life_ == Life::Running && (end == TimePoint::max() || Clock::steady().now() < end));
}

CORBA::Boolean Orb::work_pending() {
  check_usable();
  return Loop::instance().has_work();
}

void Orb::perform_work() {
  check_usable();
  check_thread();
  (void)Loop::instance().turn(TimePoint{});
}

void Orb::shutdown(CORBA::Boolean wait) {
  if (life_ == Life::Destroyed) check_usable();
  if (life_ == Life::Shut) return;
  check_thread();
  if (wait && Loop::instance().nested() != 0)
    orb::raise<CORBA::BAD_INV_ORDER>(kInUpcall, CORBA::COMPLETED_NO, "shutdown(true) in an upcall");
  life_ = Life::Shut;
  if (serving_) serving_->stop();
  idle_.reset();
}

void Orb::destroy() {
  if (life_ == Life::Destroyed) check_usable();
  shutdown(true);
  life_ = Life::Destroyed;
  options_.initial_references.reset();
  serving_.reset();
  Orb** at = &first_;
  while (*at != this) at = &(*at)->next_;
  *at = next_;
  _remove_ref();  // that of the list
}

}  // namespace callis::micro

namespace CORBA::inline callis_orb {

namespace {
callis::TimePoint in(ULongLong microseconds) {
  return callis::Clock::steady().now() + std::chrono::microseconds(microseconds);
}
}  // namespace

void ORB::run_for(ULongLong microseconds) { static_cast<callis::micro::Orb&>(*this).run_until(in(microseconds)); }

Boolean ORB::work_pending_for(ULongLong microseconds) {
  check_usable();
  return callis::micro::Loop::instance().has_work(in(microseconds));
}

ORB_ptr ORB_init(int& argc, char** argv, const char* orb_id) {
  callis::micro::Options options = callis::micro::take_options(argc, argv);
  std::string id = orb_id && *orb_id ? orb_id : options.id;
  for (callis::micro::Orb* o = callis::micro::Orb::first(); o; o = o->next())
    if (o->name() == id) return ORB::_duplicate(o);
  return ORB::_duplicate(new callis::micro::Orb(std::move(id), std::move(options)));
}

}  // namespace CORBA::inline callis_orb
