// SPDX-License-Identifier: Apache-2.0
// Declares classes of CORBA and PortableServer, for headers that name them in pointers and references alone. It takes
// the place of `namespace CORBA { class ORB; }`, which declares another class: the OMG's names are in an inline
// namespace (callis/base/generated_form.h).
#pragma once
#include <callis/base/cxx20.h>

namespace CORBA::inline callis_orb {

class AbstractBase;
class Any;
class Context;
class Exception;
class NVList;
class NamedValue;
class ORB;
class Object;
class Policy;
class Request;
class SystemException;
class TypeCode;
class UserException;
class ValueBase;

using AbstractBase_ptr = AbstractBase*;
using Any_ptr = Any*;
using Context_ptr = Context*;
using NVList_ptr = NVList*;
using NamedValue_ptr = NamedValue*;
using ORB_ptr = ORB*;
using Object_ptr = Object*;
using Policy_ptr = Policy*;
using Request_ptr = Request*;
using TypeCode_ptr = TypeCode*;
using ValueBase_ptr = ValueBase*;

}  // namespace CORBA::inline callis_orb

namespace PortableServer::inline callis_orb {

class POA;
class POAManager;
class ServantBase;

using POA_ptr = POA*;
using POAManager_ptr = POAManager*;
using Servant = ServantBase*;

}  // namespace PortableServer::inline callis_orb
