// SPDX-License-Identifier: Apache-2.0
// Servants without a skeleton: how a request gets to DynamicImplementation::invoke(), and its outcome back.
//
// Their skeleton has no operations, so each of their requests comes to poa::serve_unknown_operation.
#include <callis/classic/made_exceptions.h>
#include <callis/dynamic.h>
#include <callis/dynamic/values.h>
#include <callis/marshal/handlers.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/base/stub.h>
#include <callis/orb/context/dynamic_operation.h>
#include <callis/orb/context/upcall.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/interface_def.h>
#include <callis/orb/core/object_of.h>
#include <callis/poa/adapter/adapter.h>
#include <callis/poa/dispatch/pseudo.h>
#include <callis/poa/servant/skeleton.h>
#include <callis/typecode/system_exception.h>
#include <algorithm>
#include <atomic>
#include <typeinfo>

namespace callis::dynamic {

using orb::omg;
using orb::raise;

namespace {

constexpr std::uint16_t kNoDisplacement[] = {0};
const char* const kNoIds[] = {"", nullptr};
const marshal::Word kNoWords[] = {0};
const marshal::Unit kNoUnit = {kNoWords, "", nullptr, nullptr};
// Without operations.
const poa::Skeleton kSkeleton = {kNoIds, &kNoUnit, nullptr, PerfectHash(1, 1, kNoDisplacement, 0, 0, 0, false),
                                 nullptr, nullptr};

[[noreturn]] void out_of_order(CORBA::ULong minor, const char* what) {
  raise<CORBA::BAD_INV_ORDER>(omg(minor), CORBA::COMPLETED_NO, what);
}

// The object that the calling thread's upcall is for.
struct Called {
  poa::Adapter& adapter;
  PortableServer::ObjectId id;
};
Called called(const PortableServer::ServantBase* servant) {
  const orb::Upcall* const u = orb::Upcall::innermost_entered();
  if (!u || u->servant() != servant) out_of_order(14, "not within a request to this servant");
  const ByteView id = u->adapter()->id_in(u->key());
  PortableServer::ObjectId octets;
  octets.length(static_cast<CORBA::ULong>(id.size()));
  std::copy(id.begin(), id.end(), octets.get_buffer());
  return {*u->adapter(), std::move(octets)};
}

CORBA::String_var primary_interface(PortableServer::DynamicImplementation& servant) {
  const Called at = called(&servant);
  const PortableServer::POA_var poa = poa::duplicate_local(&at.adapter);
  CORBA::String_var id = servant._primary_interface(at.id, poa.in());
  if (!id.in()) id = CORBA::string_dup("");
  return id;
}

// Returns nullptr if no interceptors listen. It remembers the last class of such requests, as dynamic_cast is slow.
orb::DynamicPoints* points_of(orb::ServerRequest& request) {
  static constinit std::atomic<const std::type_info*> without{nullptr};
  const std::type_info* const type = &typeid(request);
  if (without.load(std::memory_order_relaxed) == type) return nullptr;
  auto* const points = dynamic_cast<orb::DynamicPoints*>(&request);
  if (!points) without.store(type, std::memory_order_relaxed);
  return points;
}

}  // namespace

// One request on its way through invoke().
class Upcall final : public orb::DynamicOperation {
 public:
  explicit Upcall(orb::ServerRequest& request)
      : request_(request), points_(points_of(request)) {}
  ~Upcall() {
    if (points_) points_->gone();
  }
  Upcall(const Upcall&) = delete;
  Upcall& operator=(const Upcall&) = delete;

  void run(PortableServer::DynamicImplementation& servant) {
    const CORBA::ServerRequest_var given = new CORBA::ServerRequest(*this, request_.operation());
    struct End {
      CORBA::ServerRequest& given;
      ~End() { given.upcall_ = nullptr; }
    } end{*given.in()};
    servant.invoke(given.in());
    answer();
  }

  void arguments(CORBA::NVList_ptr& parameters) {
    const CORBA::NVList_ptr taken = parameters;
    if (list_.in() || exception_set_) out_of_order(7, "arguments() again, or after set_exception()");
    if (!taken) raise<CORBA::BAD_PARAM>(0, CORBA::COMPLETED_NO, "a nil list of arguments");
    list_ = taken;
    for (CORBA::ULong i = 0; i < taken->count(); ++i)
      if (is_void(*parameter_type(i)))
        raise<CORBA::BAD_TYPECODE>(omg(2), CORBA::COMPLETED_NO, "an argument without a type");
    tell_interceptors(this);
    cdr::Decoder& from = request_.arguments();
    {
      Getting values(from);
      for (CORBA::ULong i = 0; from.ok() && i < taken->count(); ++i) {
        CORBA::NamedValue& item = *taken->item(i);
        if (direction_of(item.flags()) != marshal::Direction::Out) values.get(*item.value());
      }
    }
    poa::check_arguments(from);
  }

  CORBA::Context_ptr ctx() {
    if (!list_.in() || context_taken_ || result_set_ || exception_set_) out_of_order(8, "ctx() out of order");
    context_taken_ = true;
    cdr::Decoder& from = request_.arguments();
    const std::uint32_t count = from.count(5, sizeof(char*));
    classic::StringSequence<> strings;
    if (from.ok()) strings.length(count);
    for (std::uint32_t i = 0; from.ok() && i < count; ++i) strings[i] = std::string(from.get_string()).c_str();
    poa::check_arguments(from);
    return orb::received_context(strings);
  }

  void set_result(const CORBA::Any& value) {
    if (!list_.in() || result_set_ || exception_set_) out_of_order(9, "set_result() out of order");
    result_ = value;
    result_set_ = true;
  }

  void set_exception(const CORBA::Any& value) {
    if (typecode::type_behind(*type_in(value))->kind() != CORBA::tk_except)
      raise<CORBA::BAD_PARAM>(omg(21), CORBA::COMPLETED_NO, "set_exception() of what is no exception");
    if (!std::exchange(exception_set_, true) && !list_.in()) tell_interceptors(nullptr);
    exception_ = value;
  }

  // DynamicOperation
  CORBA::ULong parameter_count() const override { return list_.in() ? list_->count() : 0; }
  CORBA::TypeCode_ptr parameter_type(CORBA::ULong i) const override {
    return type_in(*list_.in()->item(i)->value());
  }
  marshal::Direction parameter_direction(CORBA::ULong i) const override {
    return direction_of(list_.in()->item(i)->flags());
  }
  CORBA::TypeCode_ptr result_type() const override {
    return is_void(*type_in(result_)) ? CORBA::_tc_void : type_in(result_);
  }
  CORBA::ULong exception_count() const override { return 0; }
  CORBA::TypeCode_ptr exception_type(CORBA::ULong) const override { return CORBA::_tc_null; }
  bool has_context() const override { return false; }
  CORBA::ULong pattern_count() const override { return 0; }
  const char* pattern(CORBA::ULong) const override { return ""; }
  void encode_arguments(cdr::Encoder& to) const override {
    Putting arguments(to);
    encode(arguments, marshal::Direction::Out);
  }
  void encode_results(cdr::Encoder& to) const override {
    Putting results(to);
    results.put(result_);
    encode(results, marshal::Direction::In);
  }

 private:
  void encode(Putting& to, marshal::Direction passed_over) const {
    for (CORBA::ULong i = 0; list_.in() && i < list_.in()->count(); ++i) {
      CORBA::NamedValue& item = *list_.in()->item(i);
      if (direction_of(item.flags()) != passed_over) to.put(*item.value());
    }
  }

  // Throws what an interceptor has ended the request with: the servant is to give up.
  void tell_interceptors(const orb::DynamicOperation* operation) {
    if (!points_ || std::exchange(told_, true) || points_->receive(operation)) return;
    raise<CORBA::TRANSIENT>(0, CORBA::COMPLETED_NO, "an interceptor has answered the request");
  }

  void answer() {
    if (exception_set_) return answer_exception();
    if (!list_.in()) {
      CORBA::NVList_ptr none = new CORBA::NVList;
      arguments(none);
    }
    cdr::Encoder& reply = request_.reply();  // interceptors hear of it
    if (!request_.response_expected()) return;
    {
      Putting results(reply);
      results.put(result_);
      encode(results, marshal::Direction::In);
    }
    check(reply);
  }

  void answer_exception() {
    if (const auto system = typecode::system_exception_in(exception_)) return request_.system_exception(*system);
    cdr::Encoder& reply = request_.user_exception(type_in(exception_)->id());
    const value::EncodeScope scope(reply);
    put_exception(reply, exception_);
    check(reply);
  }

  void check(const cdr::Encoder& reply) {
    if (reply.fault() != Fault::None)
      request_.system_exception(
          *orb::exception_of({reply.fault(), 0, std::string(request_.operation())}, orb::Step::EncodeReply));
  }

  orb::ServerRequest& request_;
  orb::DynamicPoints* const points_;
  CORBA::NVList_var list_;
  CORBA::Any result_, exception_;
  bool told_ = false, context_taken_ = false, result_set_ = false, exception_set_ = false;
};

}  // namespace callis::dynamic

namespace callis::dynamic {
namespace {

bool serve(const poa::Target& object, orb::ServerRequest& request) {
  if (object.skeleton != &kSkeleton) return poa::serve_pseudo_operation(object, request);
  auto& servant = *static_cast<PortableServer::DynamicImplementation*>(object.self);
  const std::string_view name = request.operation();
  const bool pseudo =
      name.starts_with('_') && std::ranges::find(poa::kPseudoOperations, name) != std::end(poa::kPseudoOperations);
  if (!pseudo) {
    Upcall(request).run(servant);
    return true;
  }
  auto* const points = points_of(request);
  if (points && !points->receive(nullptr)) return true;
  if (name == "_interface") {
    const CORBA::InterfaceDef_var found = servant._get_interface();
    orb::put_reference(request.reply(), found.in() ? CORBA::callis_link_InterfaceDef.to_object(found.in()) : nullptr);
    return true;
  }
  if (name != "_repository_id") return poa::serve_pseudo_operation(object, request);
  const CORBA::String_var id = primary_interface(servant);
  request.reply().put_string(id.in());
  return true;
}

CALLIS_INSTALLER void install() { poa::serve_unknown_operation = &serve; }

}  // namespace
}  // namespace callis::dynamic

namespace CORBA::inline callis_orb {

ServerRequest::ServerRequest(callis::dynamic::Upcall& upcall, std::string_view operation)
    : operation_(string_dup(std::string(operation).c_str())), upcall_(&upcall) {}
ServerRequest::~ServerRequest() = default;

callis::dynamic::Upcall& ServerRequest::upcall() const {
  if (!upcall_) callis::dynamic::out_of_order(9, "the request has been answered");
  return *upcall_;
}

void ServerRequest::arguments(NVList_ptr& parameters) { upcall().arguments(parameters); }
Context_ptr ServerRequest::ctx() { return upcall().ctx(); }
void ServerRequest::set_result(const Any& value) { upcall().set_result(value); }
void ServerRequest::set_exception(const Any& value) { upcall().set_exception(value); }

}  // namespace CORBA::inline callis_orb

namespace PortableServer::inline callis_orb {

const callis::poa::Skeleton& DynamicImplementation::_callis_skeleton() const { return callis::dynamic::kSkeleton; }

CORBA::Boolean DynamicImplementation::_is_a(const char* logical_type_id) {
  if (!logical_type_id) return false;
  if (std::string_view(logical_type_id) == "IDL:omg.org/CORBA/Object:1.0") return true;
  const CORBA::String_var id = callis::dynamic::primary_interface(*this);
  return std::string_view(logical_type_id) == id.in();
}

CORBA::InterfaceDef_ptr DynamicImplementation::_get_interface() {
  if (CALLIS_HAS(interfaces)) {
    const CORBA::String_var id = callis::dynamic::primary_interface(*this);
    const CORBA::Object_var self = _this();
    const CORBA::ORB_var orb = self->_get_orb();
    const CORBA::Object_var found = callis::poa::interface_in_repository(*orb.in(), id.in());
    return CORBA::InterfaceDef::_unchecked_narrow(found.in());
  }
  callis::orb::raise<CORBA::INTF_REPOS>(callis::orb::omg(1), CORBA::COMPLETED_NO, "there is no Interface Repository");
}

CORBA::Object_ptr DynamicImplementation::_this() {
  static constexpr callis::orb::InterfaceLink kObject = {
      "IDL:omg.org/CORBA/Object:1.0",
      [](callis::orb::Reference* r) -> void* { return callis::orb::make_object(*r); },
      [](void* typed) { return static_cast<CORBA::Object*>(typed); }};
  return static_cast<CORBA::Object*>(callis::poa::this_reference(*this, kObject));
}

}  // namespace PortableServer::inline callis_orb
