// SPDX-License-Identifier: Apache-2.0
// Servants on demand, a default servant, and an adapter activator, with TAO's headers for each.
#include "check.h"
#include "tao/PortableServer/ServantActivatorC.h"
#include "tao/PortableServer/ServantLocatorC.h"
#include "tao/PortableServer/AdapterActivatorC.h"
#include "tao/PortableServer/PS_CurrentC.h"
#include "tao/LocalObject.h"

class Activator : public PortableServer::ServantActivator, public virtual CORBA::LocalObject
{
public:
  explicit Activator (CORBA::ORB_ptr orb) : orb_ (CORBA::ORB::_duplicate (orb)) {}
  virtual PortableServer::Servant incarnate (const PortableServer::ObjectId &oid, PortableServer::POA_ptr)
  {
    CORBA::String_var name = PortableServer::ObjectId_to_string (oid);
    if (ACE_OS::strcmp (name.in (), "bank") != 0)
      throw CORBA::OBJECT_NOT_EXIST ();
    return new Bank_i (this->orb_.in ());
  }
  virtual void etherealize (const PortableServer::ObjectId &, PortableServer::POA_ptr,
                            PortableServer::Servant servant, CORBA::Boolean, CORBA::Boolean)
  {
    servant->_remove_ref ();
  }

private:
  CORBA::ORB_var orb_;
};

class Locator : public PortableServer::ServantLocator, public virtual CORBA::LocalObject
{
public:
  explicit Locator (CORBA::ORB_ptr orb) : servant_ (new Bank_i (orb)), calls_ (0) {}
  virtual PortableServer::Servant preinvoke (const PortableServer::ObjectId &, PortableServer::POA_ptr, const char *,
                                             PortableServer::ServantLocator::Cookie &cookie)
  {
    cookie = 0;
    ++this->calls_;
    return this->servant_.in ();
  }
  virtual void postinvoke (const PortableServer::ObjectId &, PortableServer::POA_ptr, const char *,
                           PortableServer::ServantLocator::Cookie, PortableServer::Servant)
  {
  }
  PortableServer::Servant_var<Bank_i> servant_;
  int calls_;
};

static PortableServer::POA_ptr
child (PortableServer::POA_ptr parent, const char *name, PortableServer::ServantRetentionPolicyValue retention)
{
  CORBA::PolicyList policies (3);
  policies.length (3);
  policies[0] = parent->create_id_assignment_policy (PortableServer::USER_ID);
  policies[1] = parent->create_request_processing_policy (PortableServer::USE_SERVANT_MANAGER);
  policies[2] = parent->create_servant_retention_policy (retention);
  PortableServer::POAManager_var manager = parent->the_POAManager ();
  PortableServer::POA_var made = parent->create_POA (name, manager.in (), policies);
  for (CORBA::ULong i = 0; i < policies.length (); ++i)
    {
      CORBA::Policy_ptr policy = policies[i];
      policy->destroy ();
    }
  return made._retn ();
}

int
ACE_TMAIN (int argc, ACE_TCHAR *argv[])
{
  try
    {
      CORBA::ORB_var orb = CORBA::ORB_init (argc, argv);
      CORBA::Object_var object = orb->resolve_initial_references ("RootPOA");
      PortableServer::POA_var root = PortableServer::POA::_narrow (object.in ());
      PortableServer::POAManager_var manager = root->the_POAManager ();
      manager->activate ();

      PortableServer::POA_var retains = child (root.in (), "retains", PortableServer::RETAIN);
      PortableServer::ServantManager_var activator = new Activator (orb.in ());
      retains->set_servant_manager (activator.in ());
      PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId ("bank");
      object = retains->create_reference_with_id (id.in (), "IDL:Test/Bank:1.0");
      Test::Bank_var bank = Test::Bank::_narrow (object.in ());
      CORBA::String_var text = bank->greet ("activator");
      CHECK (ACE_OS::strcmp (text.in (), "Hello, activator") == 0);

      PortableServer::POA_var asks = child (root.in (), "asks", PortableServer::NON_RETAIN);
      Locator *locator_impl = new Locator (orb.in ());
      PortableServer::ServantManager_var locator = locator_impl;
      asks->set_servant_manager (locator.in ());
      object = asks->create_reference_with_id (id.in (), "IDL:Test/Bank:1.0");
      bank = Test::Bank::_narrow (object.in ());
      text = bank->greet ("locator");
      CHECK (ACE_OS::strcmp (text.in (), "Hello, locator") == 0);
      CHECK (locator_impl->calls_ >= 1);

      object = orb->resolve_initial_references ("POACurrent");
      PortableServer::Current_var current = PortableServer::Current::_narrow (object.in ());
      CHECK (!CORBA::is_nil (current.in ()));
      PortableServer::ObjectId_var same = PortableServer::string_to_ObjectId ("bank");
      CHECK (id.in () == same.in ());
      root->destroy (1, 1);
      orb->destroy ();
    }
  catch (const CORBA::Exception &ex)
    {
      ex._tao_print_exception ("servant_managers");
      return 1;
    }
  ACE_DEBUG ((LM_DEBUG, "OK\n"));
  return 0;
}
