// SPDX-License-Identifier: Apache-2.0
// Module IORTable of TAO: keys that the program binds to references, so that clients reach objects as
// corbaloc::host:port/key. resolve_initial_references("IORTable") gives the table of an ORB. The names are those of
// register_initial_reference(), so that both know each other's.
#pragma once
#include <callis/poa/servant/local_interface.h>
#include <callis/poa/servant/user_exception.h>
#include <tao/callis.h>

namespace IORTable::inline callis_compat {

class AlreadyBound final : public CORBA::UserException {
 public:
  [[noreturn]] void _raise() const override { throw *this; }
  const char* _name() const noexcept override { return "AlreadyBound"; }
  const char* _rep_id() const noexcept override { return "IDL:IORTable/AlreadyBound:1.0"; }
  CORBA::Exception* _duplicate() const override { return new AlreadyBound(*this); }
};

class NotFound final : public CORBA::UserException {
 public:
  [[noreturn]] void _raise() const override { throw *this; }
  const char* _name() const noexcept override { return "NotFound"; }
  const char* _rep_id() const noexcept override { return "IDL:IORTable/NotFound:1.0"; }
  CORBA::Exception* _duplicate() const override { return new NotFound(*this); }
};

class Locator;
using Locator_ptr = Locator*;
using Locator_var = callis::classic::ReferenceVar<Locator>;

// The program's; asked for keys that the table has not got.
class Locator : public virtual CORBA::Object {
 public:
  CALLIS_LOCAL_INTERFACE(Locator)
  // The reference as text, which the caller frees. Throws NotFound.
  virtual char* locate(const char* object_key) = 0;

 protected:
  Locator() = default;
  ~Locator() override = default;
};

class Table;
using Table_ptr = Table*;
using Table_var = callis::classic::ReferenceVar<Table>;

class Table : public virtual CORBA::Object {
 public:
  CALLIS_LOCAL_INTERFACE(Table)
  // bind() throws AlreadyBound, unbind() NotFound. A text that is no reference throws what string_to_object() throws.
  virtual void bind(const char* object_key, const char* ior) = 0;
  virtual void rebind(const char* object_key, const char* ior) = 0;
  virtual void unbind(const char* object_key) = 0;
  // Keeps a count. NO_IMPLEMENT: bind keys when their objects are made instead.
  virtual void set_locator(Locator_ptr locator) = 0;

 protected:
  Table() = default;
  ~Table() override = default;
};

// Lets ORBs know the name "IORTable". Done by including this file.
bool use();
[[maybe_unused]] static const bool used = use();

}  // namespace IORTable::inline callis_compat
