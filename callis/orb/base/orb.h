// SPDX-License-Identifier: Apache-2.0
// CORBA::ORB (CORBA 3.3 part 1, 8.2 and 8.5) and ORB_init.
//
// Any thread may call any member. A process may have several ORBs, told apart by their ids. An ORB listens from
// the moment its root POA is asked for; a pure client never does. Options: callis/orb/options/options.h.
#pragma once
#include <callis/classic/sequence.h>
#include <callis/classic/string.h>
#include <callis/classic/var.h>
#include <callis/orb/base/object.h>
#include <callis/orb/base/operation_context.h>
#include <callis/typecode/create.h>
#include <callis/value/factory.h>
#include <algorithm>
#include <chrono>

class TAO_ORB_Core;  // callis::compat_tao has it

namespace CORBA::inline callis_orb {

// callis/dynamic.h has the classes.
class Environment;
using Environment_out = callis::classic::ReferenceOut<Environment>;
using ExceptionList_out = callis::classic::ReferenceOut<ExceptionList>;
using ContextList_out = callis::classic::ReferenceOut<ContextList>;
class RequestSeq;
class OperationDef;
class BOA;

class ORB {
 public:
  using ObjectId = char*;
  using ObjectIdList = callis::classic::StringSequence<>;
  using ObjectIdList_ptr = ObjectIdList*;
  using ObjectIdList_var = callis::classic::SequenceVar<ObjectIdList>;

  class InvalidName final : public UserException {
   public:
    InvalidName() = default;
    // The text becomes the text of what().
    explicit InvalidName(callis::classic::SharedText text) noexcept : text_(std::move(text)) {}
    const char* what() const noexcept override {
      return text_.view().empty() ? UserException::what() : text_.c_str();
    }
    [[noreturn]] void _raise() const override { throw *this; }
    const char* _name() const noexcept override { return "InvalidName"; }
    const char* _rep_id() const noexcept override { return "IDL:omg.org/CORBA/ORB/InvalidName:1.0"; }
    Exception* _duplicate() const override { return new InvalidName(*this); }
    static InvalidName* _downcast(Exception* e) { return dynamic_cast<InvalidName*>(e); }
    static const InvalidName* _downcast(const Exception* e) { return dynamic_cast<const InvalidName*>(e); }

   private:
    callis::classic::SharedText text_;
  };

  static ORB_ptr _duplicate(ORB_ptr o) {
    if (o) o->_add_ref();
    return o;
  }
  static ORB_ptr _nil() { return nullptr; }

  // The caller frees the result by string_free().
  virtual char* id() = 0;

  // Accepts "IOR:..." and "corbaloc:..." texts. Throws BAD_PARAM with OMG minors 7 to 10 for other texts.
  virtual Object_ptr string_to_object(const char* text) = 0;
  // Throws MARSHAL, OMG minor 4, for local objects.
  virtual char* object_to_string(Object_ptr object) = 0;

  virtual ObjectIdList* list_initial_services() = 0;
  // Looks among registered references first, then in -ORBInitRef, then among the references of libraries (RootPOA).
  virtual Object_ptr resolve_initial_references(const char* id) = 0;
  // Throws InvalidName for an empty name or a name that exists. Clients can then also reach a reference (not a local
  // object) as corbaloc:...:host:port/id: this ORB forwards such requests.
  virtual void register_initial_reference(const char* id, Object_ptr object) = 0;

  // Registers the factory of the valuetype with that repository id, for values that come from the wire, and keeps a
  // count of the factory. The process has one table, which all ORBs share. Returns the factory that was registered
  // before, whose count the caller removes, or nullptr. Throws BAD_PARAM, OMG minor 1, for an empty id or a null
  // factory.
  ValueFactory register_value_factory(const char* id, ValueFactory factory) {
    check_usable();
    return callis::value::register_value_factory(id, factory);
  }
  // Both throw BAD_PARAM, OMG minor 1, if there is no such factory. The caller owns the count of the result.
  void unregister_value_factory(const char* id) {
    check_usable();
    callis::value::unregister_value_factory(id);
  }
  ValueFactory lookup_value_factory(const char* id) {
    check_usable();
    return callis::value::lookup_value_factory(id);
  }

  // Waits until the ORB has been shut down. Threads of the ORB serve requests also without run(), except those of
  // adapters with MAIN_THREAD_MODEL. With -ORBServerThreads single, requests are served inside run(), by all threads
  // that call it. Throws BAD_INV_ORDER, OMG minor 3, inside an upcall of this ORB.
  virtual void run() = 0;
  // Whether perform_work() would find something to do at once.
  virtual Boolean work_pending() = 0;
  // Does the work of run() that is waiting: at most one upcall. Never waits for more to come. May be called inside
  // upcalls.
  virtual void perform_work() = 0;

  // The same for a limited time, for programs of TAO. Time is ACE_Time_Value, or any class with sec() and usec(). The
  // argument becomes the time that is left. run() also returns when the ORB has been shut down, the others when there
  // is work. A program that does not call them has none of their bytes.
  template <class Time>
    requires requires(Time& t) { t.sec(t.sec()), t.usec(t.usec()); }
  void run(Time& time) { for_time(time, [this](ULongLong us) { return run_for(us), true; }); }
  template <class Time>
    requires requires(Time& t) { t.sec(t.sec()), t.usec(t.usec()); }
  void run(Time* time) { time ? run(*time) : run(); }
  template <class Time>
    requires requires(Time& t) { t.sec(t.sec()), t.usec(t.usec()); }
  Boolean work_pending(Time& time) {
    return for_time(time, [this](ULongLong us) { return work_pending_for(us); });
  }
  template <class Time>
    requires requires(Time& t) { t.sec(t.sec()), t.usec(t.usec()); }
  void perform_work(Time& time) {
    if (work_pending(time)) perform_work();
  }
  template <class Time>
    requires requires(Time& t) { t.sec(t.sec()), t.usec(t.usec()); }
  void perform_work(Time* time) { time ? perform_work(*time) : perform_work(); }
  // run() and work_pending(), at most so many microseconds.
  void run_for(ULongLong microseconds);
  Boolean work_pending_for(ULongLong microseconds);
  // TAO's: what stands below an ORB. Declared for programs that link callis::compat_tao, which defines it.
  TAO_ORB_Core* orb_core();

  // Stops accepting connections and requests, lets requests in progress finish and tells clients in good order
  // (CloseConnection). wait: the call returns when all this is done. Inside an upcall of this ORB, wait raises
  // BAD_INV_ORDER, OMG minor 3; in a servant's destructor that shutdown() itself runs, the call returns at once.
  // Afterwards everything but destroy() and counting raises BAD_INV_ORDER, OMG minor 4.
  virtual void shutdown(Boolean wait = false) = 0;
  // Calls shutdown(true), then lets go of every resource. Another ORB of the same id can be made afterwards. Any
  // operation but counting raises OBJECT_NOT_EXIST from then on. In a servant's destructor that shutdown() runs,
  // destroy() returns at once, and the ORB is destroyed after the shutdown.
  virtual void destroy() = 0;

  // Makes a policy of that type and value (callis/messaging.h has the policies of calls). The caller owns the policy.
  // Throws PolicyError of callis/orb/base/policy_management.h if there is no such policy.
  Policy_ptr create_policy(PolicyType type, const Any& value);

  // The process has one default context, which all ORBs share. It is empty at first, and its name is "default".
  void get_default_context(Context_out context) {
    check_usable();
    context = Context::_duplicate(callis::orb::default_context());
  }
  // An empty list; count is a hint.
  void create_list(Long /*count*/, NVList_out list) {
    check_usable();
    list = new NVList;
  }
  void create_named_value(NamedValue_out value) {
    check_usable();
    value = new NamedValue(0);
  }

  // --- requests made at run time (callis/dynamic.h, which defines these functions) ---

  void create_exception_list(ExceptionList_out list);
  void create_context_list(ContextList_out list);
  void create_environment(Environment_out environment);
  // Throws NO_IMPLEMENT: there is no interface repository that describes the operation's arguments.
  void create_operation_list(OperationDef* operation, NVList_out list);
  // Calls Request::send_oneway(), or send_deferred(), of each. All are tried; the first exception is thrown in the
  // end.
  void send_multiple_requests_oneway(const RequestSeq& requests);
  void send_multiple_requests_deferred(const RequestSeq& requests);
  // Whether a reply to any request that was sent by send_deferred() has come. Does not wait. Throws BAD_INV_ORDER,
  // OMG minor 11, if there is no such request.
  Boolean poll_next_response();
  // Returns a request whose reply has come, in the order of sending if there are several; waits if there is none. The
  // request is completed; the caller owns a count. Throws BAD_INV_ORDER, OMG minor 11, if no such request has been
  // sent.
  void get_next_response(Request_out request);

  // TypeCodes (CORBA 3.3 part 1, 8.11.3); callis/typecode/create.h lists the checks.
  TypeCode_ptr create_struct_tc(const char* rep_id, const char* name, const StructMemberSeq& members) {
    check_usable();
    return callis::typecode::create_struct_tc(rep_id, name, members);
  }
  TypeCode_ptr create_union_tc(const char* rep_id, const char* name, TypeCode_ptr discriminator_type,
                               const UnionMemberSeq& members) {
    check_usable();
    return callis::typecode::create_union_tc(rep_id, name, discriminator_type, members);
  }
  TypeCode_ptr create_enum_tc(const char* rep_id, const char* name, const EnumMemberSeq& members) {
    check_usable();
    return callis::typecode::create_enum_tc(rep_id, name, members);
  }
  TypeCode_ptr create_alias_tc(const char* rep_id, const char* name, TypeCode_ptr original_type) {
    check_usable();
    return callis::typecode::create_alias_tc(rep_id, name, original_type);
  }
  TypeCode_ptr create_exception_tc(const char* rep_id, const char* name, const StructMemberSeq& members) {
    check_usable();
    return callis::typecode::create_exception_tc(rep_id, name, members);
  }
  TypeCode_ptr create_interface_tc(const char* rep_id, const char* name) {
    check_usable();
    return callis::typecode::create_named_tc(tk_objref, rep_id, name);
  }
  TypeCode_ptr create_string_tc(ULong bound) {
    check_usable();
    return callis::typecode::create_string_tc(bound);
  }
  TypeCode_ptr create_wstring_tc(ULong bound) {
    check_usable();
    return callis::typecode::create_wstring_tc(bound);
  }
  TypeCode_ptr create_fixed_tc(UShort digits, Short scale) {
    check_usable();
    return callis::typecode::create_fixed_tc(digits, scale);
  }
  TypeCode_ptr create_sequence_tc(ULong bound, TypeCode_ptr element_type) {
    check_usable();
    return callis::typecode::create_sequence_tc(bound, element_type);
  }
  TypeCode_ptr create_array_tc(ULong length, TypeCode_ptr element_type) {
    check_usable();
    return callis::typecode::create_array_tc(length, element_type);
  }
  TypeCode_ptr create_value_tc(const char* rep_id, const char* name, ValueModifier type_modifier,
                               TypeCode_ptr concrete_base, const ValueMemberSeq& members) {
    check_usable();
    return callis::typecode::create_value_tc(rep_id, name, type_modifier, concrete_base, members);
  }
  TypeCode_ptr create_value_box_tc(const char* rep_id, const char* name, TypeCode_ptr boxed_type) {
    check_usable();
    return callis::typecode::create_value_box_tc(rep_id, name, boxed_type);
  }
  TypeCode_ptr create_native_tc(const char* rep_id, const char* name) {
    check_usable();
    return callis::typecode::create_named_tc(tk_native, rep_id, name);
  }
  TypeCode_ptr create_recursive_tc(const char* rep_id) {
    check_usable();
    return callis::typecode::create_recursive_tc(rep_id);
  }
  TypeCode_ptr create_abstract_interface_tc(const char* rep_id, const char* name) {
    check_usable();
    return callis::typecode::create_named_tc(tk_abstract_interface, rep_id, name);
  }
  TypeCode_ptr create_local_interface_tc(const char* rep_id, const char* name) {
    check_usable();
    return callis::typecode::create_named_tc(tk_local_interface, rep_id, name);
  }

  // Of programs for omniORB (callis/compat/omniORB4/boa.h, whose library defines it).
  BOA* BOA_init(int& argc, char** argv, const char* boa_id = "");

  virtual void _add_ref() noexcept = 0;
  virtual void _remove_ref() noexcept = 0;

  ORB(const ORB&) = delete;
  ORB& operator=(const ORB&) = delete;

 protected:
  friend class Request;
  ORB() = default;
  // Throws OBJECT_NOT_EXIST if the ORB has been destroyed; BAD_INV_ORDER, OMG minor 4, if it has been shut down.
  virtual void check_usable() const = 0;
  virtual ~ORB() = default;

 private:
  // Gives `time` in microseconds to the function, and leaves in it what the function has not taken.
  template <class Time, class Function>
  static Boolean for_time(Time& time, Function&& function) {
    const long long before = static_cast<long long>(time.sec()) * 1'000'000 + time.usec();
    const auto start = std::chrono::steady_clock::now();
    const Boolean result = function(before > 0 ? static_cast<ULongLong>(before) : 0);
    const auto taken = std::chrono::steady_clock::now() - start;
    const long long left = std::max(0LL, before - taken / std::chrono::microseconds(1));
    time.sec(static_cast<decltype(time.sec())>(left / 1'000'000));
    time.usec(static_cast<decltype(time.usec())>(left % 1'000'000));
    return result;
  }
};

inline Boolean is_nil(ORB_ptr o) { return o == nullptr; }
inline void release(ORB_ptr o) {
  if (o) o->_remove_ref();
}
inline ORB_ptr callis_duplicate(ORB_ptr o) { return ORB::_duplicate(o); }
inline void callis_release(ORB_ptr o) { release(o); }

using ORB_var = callis::classic::ReferenceVar<ORB>;
using ORB_out = callis::classic::ReferenceOut<ORB>;

// Returns the ORB with that id (-ORBid if orb_id is empty), made from the options in argv if there is none yet.
// Removes the options from argv. Throws BAD_PARAM with a text for unknown options and bad values.
ORB_ptr ORB_init(int& argc, char** argv, const char* orb_id = "");

}  // namespace CORBA::inline callis_orb
