// SPDX-License-Identifier: Apache-2.0
// Calls of operations, and servants, whose types a program learns at run time: the dynamic invocation interface
// (CORBA 3.3 part 1, 11) and the dynamic skeleton interface (12; C++ mapping 1.3, 4.24 to 4.28 and 4.38).
// docs/guide/dynamic.md shows their use. Programs that include this link callis::dynamic.
//
//   CORBA::Request_var request = object->_request("add");
//   request->add_in_arg() <<= CORBA::Long(1);
//   request->set_return_type(CORBA::_tc_long);
//   request->invoke();
//   if (request->env()->exception()) ...
//   request->return_value() >>= sum;
//
// The types of values are those of their Anys: nothing checks them against the operation but the server. The plan for
// a TypeCode is made once and kept with it.
#pragma once
#include <callis/corba.h>
#include <callis/orb/base/named_value.h>
#include <callis/orb/core/standard_names.h>
#include <callis/poa/servant/dynamic_servant.h>
#include <callis/portable_server.h>
#include <callis/typecode/system_exception.h>
#include <memory>

namespace callis::dynamic {
class Call;
class DeferredCall;
struct OperationName;
class Upcall;
}  // namespace callis::dynamic

namespace CORBA::inline callis_orb {

// A user exception of an operation that was called by a Request: the program may have no class for it.
class UnknownUserException final : public UserException {
 public:
  UnknownUserException() = default;
  explicit UnknownUserException(const Any& exception) : exception_(std::make_shared<Any>(exception)) {}
  // The exception, of its own type.
  Any& exception();
  [[noreturn]] void _raise() const override { throw *this; }
  const char* _name() const noexcept override { return "UnknownUserException"; }
  const char* _rep_id() const noexcept override { return "IDL:omg.org/CORBA/UnknownUserException:1.0"; }
  Exception* _duplicate() const override { return new UnknownUserException(*this); }
  static UnknownUserException* _downcast(Exception* e) { return dynamic_cast<UnknownUserException*>(e); }
  static const UnknownUserException* _downcast(const Exception* e) {
    return dynamic_cast<const UnknownUserException*>(e);
  }
  static UnknownUserException* _narrow(Exception* e) { return _downcast(e); }

 private:
  std::shared_ptr<Any> exception_;  // copies share it: a thrown exception can be copied without failing
};

// How a request ended. One thread at a time.
class Environment final : public callis::orb::PseudoObject<Environment> {
 public:
  // Takes it over, in place of the one that there was.
  void exception(Exception* e) noexcept { exception_.reset(e); }
  // The environment's; nullptr: none.
  Exception* exception() const noexcept { return exception_.get(); }
  void clear() noexcept { exception_.reset(); }

 private:
  friend class callis::orb::PseudoObject<Environment>;
  friend class ORB;
  friend class Request;
  // In a block, which it has entered; nullptr: alone.
  explicit Environment(callis::orb::Block* block = nullptr) noexcept : block_(block) {}
  ~Environment() = default;
  static void callis_end(Environment* ended) noexcept;
  callis::orb::Block* const block_;
  std::unique_ptr<Exception> exception_;
};
using Environment_ptr = Environment*;

// The user exceptions that an operation may raise. One thread at a time.
class ExceptionList final : public callis::orb::PseudoObject<ExceptionList> {
 public:
  ULong count() const noexcept { return all_.length(); }
  // Keeps a count; add_consume() takes over the caller's. BAD_PARAM for nil; BAD_TYPECODE for what is no exception.
  void add(TypeCode_ptr type);
  void add_consume(TypeCode_ptr type);
  // The list's. Both raise Bounds.
  TypeCode_ptr item(ULong index) const;
  void remove(ULong index);

 private:
  friend class callis::orb::PseudoObject<ExceptionList>;
  friend class ORB;
  friend class Request;
  ExceptionList() noexcept = default;
  ~ExceptionList() = default;
  callis::classic::ReferenceSequence<TypeCode> all_;
};
using ExceptionList_ptr = ExceptionList*;

// The patterns of a context clause. One thread at a time.
class ContextList final : public callis::orb::PseudoObject<ContextList> {
 public:
  ULong count() const noexcept { return all_.length(); }
  void add(const char* pattern);
  void add_consume(char* pattern);
  // The list's. Both raise Bounds.
  const char* item(ULong index) const;
  void remove(ULong index);

 private:
  friend class callis::orb::PseudoObject<ContextList>;
  friend class ORB;
  friend class Request;
  ContextList() noexcept = default;
  ~ContextList() = default;
  callis::classic::StringSequence<> all_;
};
using ContextList_ptr = ContextList*;

inline Boolean is_nil(Environment_ptr p) { return p == nullptr; }
inline Boolean is_nil(ExceptionList_ptr p) { return p == nullptr; }
inline Boolean is_nil(ContextList_ptr p) { return p == nullptr; }
inline void release(Environment_ptr p) {
  if (p) p->_remove_ref();
}
inline void release(ExceptionList_ptr p) {
  if (p) p->_remove_ref();
}
inline void release(ContextList_ptr p) {
  if (p) p->_remove_ref();
}
using Environment_var = callis::classic::ReferenceVar<Environment>;
using ExceptionList_var = callis::classic::ReferenceVar<ExceptionList>;
using ContextList_var = callis::classic::ReferenceVar<ContextList>;

// One call. It is made once: BAD_INV_ORDER, OMG minor 5 or 10, for a second time. What it returns by pointer belongs
// to it. One thread at a time, which may change between operations.
//
// How the call ended is in env(): no exception, a system exception, or an UnknownUserException for one of those in
// exceptions(). invoke() and get_response() throw only when the request cannot be made that way.
class Request final : public callis::orb::PseudoObject<Request> {
 public:
  Object_ptr target() const noexcept { return target_.in(); }
  const char* operation() const noexcept { return operation_; }
  NVList_ptr arguments() noexcept { return arguments_.in(); }
  NamedValue_ptr result() noexcept { return result_.in(); }
  // Made when they are asked for.
  Environment_ptr env();
  ExceptionList_ptr exceptions();
  ContextList_ptr contexts();

  // The context whose properties that match contexts() are sent. Keeps a count.
  void ctx(Context_ptr context);
  Context_ptr ctx() const noexcept { return context_.in(); }

  // The value of the new argument: what is inserted there is sent. Of an out argument it says the type of what comes:
  // an Any made with that TypeCode.
  Any& add_in_arg() { return add({}, ARG_IN); }
  Any& add_in_arg(const char* name) { return add(name, ARG_IN); }
  Any& add_inout_arg() { return add({}, ARG_INOUT); }
  Any& add_inout_arg(const char* name) { return add(name, ARG_INOUT); }
  Any& add_out_arg() { return add({}, ARG_OUT); }
  Any& add_out_arg(const char* name) { return add(name, ARG_OUT); }
  void set_return_type(TypeCode_ptr type);
  Any& return_value() { return *result_->value(); }

  // Waits for the reply, as a call through a stub does.
  void invoke();
  // Does not wait for a reply. What is waited for is the SyncScope in force.
  void send_oneway();
  // Sends the request and returns; the reply may be fetched by any thread. No thread waits for it meanwhile. A call
  // of an object in this process is made at once.
  void send_deferred();
  // Waits for the reply to send_deferred(). BAD_INV_ORDER, OMG minor: 11 not sent yet; 12 fetched before; 13 not sent
  // by send_deferred().
  void get_response();
  // Whether get_response() would return at once. Does not wait. The same exceptions.
  Boolean poll_response();

 private:
  friend class callis::orb::PseudoObject<Request>;
  friend class callis::dynamic::Call;
  friend class callis::dynamic::DeferredCall;
  friend class Object;
  friend class ORB;
  struct Places;
  struct Given;
  static Request* make(const Given& given);
  Request(callis::orb::Block& block, const Given& given, const callis::dynamic::OperationName* name,
          const char* operation) noexcept;
  ~Request();
  static void callis_end(Request* ended) noexcept;
  Any& add(const char* name, Flags flags);
  void begin() noexcept;
  callis::dynamic::DeferredCall& deferred();

  callis::orb::Block& block_;  // what the request makes itself lies there, too: list, result, environment
  const callis::dynamic::OperationName* const name_;  // nullptr: operation_ is the request's own
  const char* const operation_;
  bool begun_ = false;
  const Object_var target_;
  NVList_var arguments_;
  NamedValue_var result_;
  Environment_var environment_;
  ExceptionList_var exceptions_;
  ContextList_var contexts_;
  Context_var context_;
  std::unique_ptr<callis::dynamic::DeferredCall> call_;  // once it has been sent by send_deferred()
};

inline Boolean is_nil(Request_ptr p) { return p == nullptr; }
inline void release(Request_ptr p) {
  if (p) p->_remove_ref();
}
using Request_var = callis::classic::ReferenceVar<Request>;

class RequestSeq final : public callis::classic::ReferenceSequence<Request> {
 public:
  using SequenceOf::SequenceOf;
  RequestSeq() = default;
};
using RequestSeq_var = callis::classic::SequenceVar<RequestSeq>;
using RequestSeq_out = callis::classic::VariableOut<RequestSeq, RequestSeq_var>;

// A request as a DynamicImplementation gets it. Good for the thread and the time of invoke(): BAD_INV_ORDER
// afterwards. The servant calls arguments(), also where the operation has none, and then set_result() or
// set_exception() or neither.
class ServerRequest final : public callis::orb::PseudoObject<ServerRequest> {
 public:
  // The request's. Attributes are _get_x and _set_x.
  const char* operation() const noexcept { return operation_.in(); }
  const char* op_name() const noexcept { return operation_.in(); }
  // Takes the list over. Its items say direction and type of each parameter: an Any of that TypeCode. The values of
  // in and inout arguments are there afterwards; those of inout and out arguments that are there when invoke()
  // returns are sent back. BAD_INV_ORDER, OMG minor 7: called before, or after set_exception(). BAD_PARAM for nil.
  // MARSHAL and others, as for any servant, where what came is not of these types.
  void arguments(NVList_ptr& parameters);
  // What came behind the arguments of an operation with a context clause; to be released. BAD_INV_ORDER, OMG minor 8,
  // before arguments(), after set_result() or set_exception(), or again.
  Context_ptr ctx();
  // BAD_INV_ORDER, OMG minor 9: before arguments(), after set_exception(), or again.
  void set_result(const Any& value);
  // A system or a user exception, in place of all results. BAD_PARAM, OMG minor 21, for what is no exception.
  void set_exception(const Any& value);

 private:
  friend class callis::orb::PseudoObject<ServerRequest>;
  friend class callis::dynamic::Upcall;
  explicit ServerRequest(callis::dynamic::Upcall& upcall, std::string_view operation);
  ~ServerRequest();
  callis::dynamic::Upcall& upcall() const;

  const String_var operation_;
  callis::dynamic::Upcall* upcall_;  // nullptr once invoke() has returned
};
using ServerRequest_ptr = ServerRequest*;
inline Boolean is_nil(ServerRequest_ptr p) { return p == nullptr; }
inline void release(ServerRequest_ptr p) {
  if (p) p->_remove_ref();
}
using ServerRequest_var = callis::classic::ReferenceVar<ServerRequest>;

}  // namespace CORBA::inline callis_orb

namespace PortableServer::inline callis_orb {

// A servant without a skeleton. It may be activated, be a default servant, or come from a servant manager, like any
// other. References to its objects that an adapter makes by their activation do not tell a type; callers ask _is_a.
class DynamicImplementation : public virtual ServantBase, public callis::poa::DynamicServant {
 public:
  // Serves a request, whatever its operation, but _is_a, _non_existent and the like. What it throws is answered as
  // what any servant throws; a user exception must be given to set_exception().
  virtual void invoke(CORBA::ServerRequest_ptr request) = 0;
  // The repository id of the most derived interface of the object with that id; to be freed by string_free().
  virtual CORBA::RepositoryId _primary_interface(const ObjectId& oid, POA_ptr poa) = 0;
  // Inside an upcall of this servant: the object that was called. Outside: as of any servant; activates it when the
  // policies of _default_POA() allow that. The caller owns the reference.
  CORBA::Object_ptr _this();

  // For the object that is called: its _primary_interface(), and CORBA::Object. BAD_INV_ORDER outside a request.
  CORBA::Boolean _is_a(const char* logical_type_id) override;
  // What an Interface Repository has of the object that is called, with a count for the caller; nil for nothing. Here
  // what the ORB's initial reference InterfaceRepository has of the _primary_interface(); INTF_REPOS, OMG minor 1,
  // where there is none, 2 where it does not know it.
  virtual CORBA::InterfaceDef_ptr _get_interface();

  const callis::poa::Skeleton& _callis_skeleton() const override;
  void* _callis_self() override { return this; }

 protected:
  DynamicImplementation() noexcept = default;
};

}  // namespace PortableServer::inline callis_orb
