// SPDX-License-Identifier: Apache-2.0
// The texts of the files that come with the compiler: orb.idl, PortableServer.idl.
#include <idl/source/built_in.h>

namespace callis::idl::source {

namespace {

struct BuiltIn {
  std::string_view name;
  std::string_view text;
};

// CORBA 3.3 part 1, 7.4.1.2: an IDL file that uses what module CORBA declares includes orb.idl. The names that the
// compiler knows by itself (CORBA::Object, CORBA::TypeCode ...) need no text here. The C++ types of the others are in
// callis/value/basic_sequences.h and callis/orb/core/standard_names.h.
constexpr std::string_view kOrb = R"(#ifndef CALLIS_ORB_IDL
#define CALLIS_ORB_IDL
#pragma prefix "omg.org"
module CORBA {
  typedef sequence<any> AnySeq;
  typedef sequence<boolean> BooleanSeq;
  typedef sequence<char> CharSeq;
  typedef sequence<wchar> WCharSeq;
  typedef sequence<octet> OctetSeq;
  typedef sequence<short> ShortSeq;
  typedef sequence<unsigned short> UShortSeq;
  typedef sequence<long> LongSeq;
  typedef sequence<unsigned long> ULongSeq;
  typedef sequence<long long> LongLongSeq;
  typedef sequence<unsigned long long> ULongLongSeq;
  typedef sequence<float> FloatSeq;
  typedef sequence<double> DoubleSeq;
  typedef sequence<long double> LongDoubleSeq;
  typedef sequence<string> StringSeq;
  typedef sequence<wstring> WStringSeq;
  valuetype StringValue string;
  valuetype WStringValue wstring;

  typedef string Identifier;
  typedef string RepositoryId;
  typedef string ScopedName;

  enum TCKind {
    tk_null, tk_void, tk_short, tk_long, tk_ushort, tk_ulong, tk_float, tk_double, tk_boolean, tk_char, tk_octet,
    tk_any, tk_TypeCode, tk_Principal, tk_objref, tk_struct, tk_union, tk_enum, tk_string, tk_sequence, tk_array,
    tk_alias, tk_except, tk_longlong, tk_ulonglong, tk_longdouble, tk_wchar, tk_wstring, tk_fixed, tk_value,
    tk_value_box, tk_native, tk_abstract_interface, tk_local_interface
  };
  enum ParameterMode { PARAM_IN, PARAM_OUT, PARAM_INOUT };
  typedef short Visibility;
  const Visibility PRIVATE_MEMBER = 0;
  const Visibility PUBLIC_MEMBER = 1;
  typedef short ValueModifier;
  const ValueModifier VM_NONE = 0;
  const ValueModifier VM_CUSTOM = 1;
  const ValueModifier VM_ABSTRACT = 2;
  const ValueModifier VM_TRUNCATABLE = 3;
  native ValueFactory;
  typedef string VersionSpec;
  interface IDLType;
  struct StructMember {
    Identifier name;
    TypeCode type;
    IDLType type_def;
  };
  typedef sequence<StructMember> StructMemberSeq;
  struct UnionMember {
    Identifier name;
    any label;
    TypeCode type;
    IDLType type_def;
  };
  typedef sequence<UnionMember> UnionMemberSeq;
  typedef sequence<Identifier> EnumMemberSeq;
  struct ValueMember {
    Identifier name;
    RepositoryId id;
    RepositoryId defined_in;
    VersionSpec version;
    TypeCode type;
    IDLType type_def;
    Visibility access;
  };
  typedef sequence<ValueMember> ValueMemberSeq;

  typedef unsigned long Flags;
  const Flags ARG_IN = 1;
  const Flags ARG_OUT = 2;
  const Flags ARG_INOUT = 3;
  local interface NamedValue {};
  local interface NVList {};
  typedef string ORBid;
  exception WrongTransaction {};

  typedef unsigned short ServiceType;
  typedef unsigned long ServiceOption;
  typedef unsigned long ServiceDetailType;
  const ServiceType Security = 1;
  typedef OctetSeq ServiceDetailData;
  typedef sequence<ServiceOption> ServiceOptionSeq;
  struct ServiceDetail {
    ServiceDetailType service_detail_type;
    ServiceDetailData service_detail;
  };
  typedef sequence<ServiceDetail> ServiceDetailSeq;
  struct ServiceInformation {
    ServiceOptionSeq service_options;
    ServiceDetailSeq service_details;
  };

  typedef unsigned long PolicyType;
  interface Policy {
    readonly attribute PolicyType policy_type;
    Policy copy();
    void destroy();
  };
  typedef sequence<Policy> PolicyList;
  typedef sequence<PolicyType> PolicyTypeSeq;
  typedef short PolicyErrorCode;
  const PolicyErrorCode BAD_POLICY = 0;
  const PolicyErrorCode UNSUPPORTED_POLICY = 1;
  const PolicyErrorCode BAD_POLICY_TYPE = 2;
  const PolicyErrorCode BAD_POLICY_VALUE = 3;
  const PolicyErrorCode UNSUPPORTED_POLICY_VALUE = 4;
  exception PolicyError {
    PolicyErrorCode reason;
  };
  exception InvalidPolicies {
    UShortSeq indices;
  };
  enum SetOverrideType { SET_OVERRIDE, ADD_OVERRIDE };
  local interface Current {};
  local interface PolicyManager {
    PolicyList get_policy_overrides(in PolicyTypeSeq ts);
    void set_policy_overrides(in PolicyList policies, in SetOverrideType set_add) raises (InvalidPolicies);
  };
  local interface PolicyCurrent : PolicyManager, Current {};

  interface InterfaceDef;
};
#endif
)";

// CORBA 3.0.3, 11.4. The C++ types are in callis/portable_server.h.
constexpr std::string_view kPortableServer = R"(#ifndef CALLIS_PORTABLE_SERVER_IDL
#define CALLIS_PORTABLE_SERVER_IDL
#include <callis_names_of_corba.idl>
#pragma prefix "omg.org"
module PortableServer {
  local interface POA;
  typedef sequence<POA> POAList;
  native Servant;
  typedef CORBA::OctetSeq ObjectId;
  exception ForwardRequest {
    Object forward_reference;
  };

  const CORBA::PolicyType THREAD_POLICY_ID = 16;
  const CORBA::PolicyType LIFESPAN_POLICY_ID = 17;
  const CORBA::PolicyType ID_UNIQUENESS_POLICY_ID = 18;
  const CORBA::PolicyType ID_ASSIGNMENT_POLICY_ID = 19;
  const CORBA::PolicyType IMPLICIT_ACTIVATION_POLICY_ID = 20;
  const CORBA::PolicyType SERVANT_RETENTION_POLICY_ID = 21;
  const CORBA::PolicyType REQUEST_PROCESSING_POLICY_ID = 22;
  enum ThreadPolicyValue { ORB_CTRL_MODEL, SINGLE_THREAD_MODEL, MAIN_THREAD_MODEL };
  local interface ThreadPolicy : CORBA::Policy {
    readonly attribute ThreadPolicyValue value;
  };
  enum LifespanPolicyValue { TRANSIENT, PERSISTENT };
  local interface LifespanPolicy : CORBA::Policy {
    readonly attribute LifespanPolicyValue value;
  };
  enum IdUniquenessPolicyValue { UNIQUE_ID, MULTIPLE_ID };
  local interface IdUniquenessPolicy : CORBA::Policy {
    readonly attribute IdUniquenessPolicyValue value;
  };
  enum IdAssignmentPolicyValue { USER_ID, SYSTEM_ID };
  local interface IdAssignmentPolicy : CORBA::Policy {
    readonly attribute IdAssignmentPolicyValue value;
  };
  enum ImplicitActivationPolicyValue { IMPLICIT_ACTIVATION, NO_IMPLICIT_ACTIVATION };
  local interface ImplicitActivationPolicy : CORBA::Policy {
    readonly attribute ImplicitActivationPolicyValue value;
  };
  enum ServantRetentionPolicyValue { RETAIN, NON_RETAIN };
  local interface ServantRetentionPolicy : CORBA::Policy {
    readonly attribute ServantRetentionPolicyValue value;
  };
  enum RequestProcessingPolicyValue { USE_ACTIVE_OBJECT_MAP_ONLY, USE_DEFAULT_SERVANT, USE_SERVANT_MANAGER };
  local interface RequestProcessingPolicy : CORBA::Policy {
    readonly attribute RequestProcessingPolicyValue value;
  };

  local interface POAManager {
    exception AdapterInactive {};
    enum State { HOLDING, ACTIVE, DISCARDING, INACTIVE };
    void activate() raises (AdapterInactive);
    void hold_requests(in boolean wait_for_completion) raises (AdapterInactive);
    void discard_requests(in boolean wait_for_completion) raises (AdapterInactive);
    void deactivate(in boolean etherealize_objects, in boolean wait_for_completion) raises (AdapterInactive);
    State get_state();
    string get_id();
  };
  local interface POAManagerFactory {
    typedef sequence<POAManager> POAManagerSeq;
    exception ManagerAlreadyExists {};
    POAManager create_POAManager(in string id, in CORBA::PolicyList policies)
      raises (ManagerAlreadyExists, CORBA::PolicyError);
    POAManagerSeq list();
    POAManager find(in string id);
  };
  local interface AdapterActivator {
    boolean unknown_adapter(in POA parent, in string name);
  };
  local interface ServantManager {};
  local interface ServantActivator : ServantManager {
    Servant incarnate(in ObjectId oid, in POA adapter) raises (ForwardRequest);
    void etherealize(in ObjectId oid, in POA adapter, in Servant serv, in boolean cleanup_in_progress,
                     in boolean remaining_activations);
  };
  local interface ServantLocator : ServantManager {
    native Cookie;
    Servant preinvoke(in ObjectId oid, in POA adapter, in CORBA::Identifier operation, out Cookie the_cookie)
      raises (ForwardRequest);
    void postinvoke(in ObjectId oid, in POA adapter, in CORBA::Identifier operation, in Cookie the_cookie,
                    in Servant the_servant);
  };

  local interface POA {
    exception AdapterAlreadyExists {};
    exception AdapterNonExistent {};
    exception InvalidPolicy {
      unsigned short index;
    };
    exception NoServant {};
    exception ObjectAlreadyActive {};
    exception ObjectNotActive {};
    exception ServantAlreadyActive {};
    exception ServantNotActive {};
    exception WrongAdapter {};
    exception WrongPolicy {};

    POA create_POA(in string adapter_name, in POAManager a_POAManager, in CORBA::PolicyList policies)
      raises (AdapterAlreadyExists, InvalidPolicy);
    POA find_POA(in string adapter_name, in boolean activate_it) raises (AdapterNonExistent);
    void destroy(in boolean etherealize_objects, in boolean wait_for_completion);
    ThreadPolicy create_thread_policy(in ThreadPolicyValue value);
    LifespanPolicy create_lifespan_policy(in LifespanPolicyValue value);
    IdUniquenessPolicy create_id_uniqueness_policy(in IdUniquenessPolicyValue value);
    IdAssignmentPolicy create_id_assignment_policy(in IdAssignmentPolicyValue value);
    ImplicitActivationPolicy create_implicit_activation_policy(in ImplicitActivationPolicyValue value);
    ServantRetentionPolicy create_servant_retention_policy(in ServantRetentionPolicyValue value);
    RequestProcessingPolicy create_request_processing_policy(in RequestProcessingPolicyValue value);
    readonly attribute string the_name;
    readonly attribute POA the_parent;
    readonly attribute POAList the_children;
    readonly attribute POAManager the_POAManager;
    attribute AdapterActivator the_activator;
    ServantManager get_servant_manager() raises (WrongPolicy);
    void set_servant_manager(in ServantManager imgr) raises (WrongPolicy);
    Servant get_servant() raises (NoServant, WrongPolicy);
    void set_servant(in Servant p_servant) raises (WrongPolicy);
    ObjectId activate_object(in Servant p_servant) raises (ServantAlreadyActive, WrongPolicy);
    void activate_object_with_id(in ObjectId id, in Servant p_servant)
      raises (ServantAlreadyActive, ObjectAlreadyActive, WrongPolicy);
    void deactivate_object(in ObjectId oid) raises (ObjectNotActive, WrongPolicy);
    Object create_reference(in CORBA::RepositoryId intf) raises (WrongPolicy);
    Object create_reference_with_id(in ObjectId oid, in CORBA::RepositoryId intf);
    ObjectId servant_to_id(in Servant p_servant) raises (ServantNotActive, WrongPolicy);
    Object servant_to_reference(in Servant p_servant) raises (ServantNotActive, WrongPolicy);
    Servant reference_to_servant(in Object reference) raises (ObjectNotActive, WrongAdapter, WrongPolicy);
    ObjectId reference_to_id(in Object reference) raises (WrongAdapter, WrongPolicy);
    Servant id_to_servant(in ObjectId oid) raises (ObjectNotActive, WrongPolicy);
    Object id_to_reference(in ObjectId oid) raises (ObjectNotActive, WrongPolicy);
    readonly attribute CORBA::OctetSeq id;
    readonly attribute POAManagerFactory the_POAManagerFactory;
  };

  local interface Current : CORBA::Current {
    exception NoContext {};
    POA get_POA() raises (NoContext);
    ObjectId get_object_id() raises (NoContext);
    Object get_reference() raises (NoContext);
    Servant get_servant() raises (NoContext);
  };
};
#endif
)";

constexpr BuiltIn kFiles[] = {
    {"PortableServer.idl", kPortableServer},
    {"orb.idl", kOrb},
    {kNamesOfCorba, kOrb},
    {"TypeCode.idl", ""},
};
}  // namespace

std::optional<std::string_view> built_in_file(std::string_view name) {
  for (const BuiltIn& file : kFiles) {
    if (file.name == name) {
      return file.text;
    }
  }
  return std::nullopt;
}

}  // namespace callis::idl::source
