// SPDX-License-Identifier: Apache-2.0
// A servant whose IDL includes TAO's pidl files and CosNaming.
#include "ServicesS.h"
#include "check.h"
#include "orbsvcs/CosNamingS.h"
#include "tao/TimeBaseC.h"
#include "tao/StringSeqC.h"

class Clock_i : public virtual POA_Services::Clock
{
public:
  virtual TimeBase::TimeT now () { return 42; }
  virtual CosNaming::Name *where (const CORBA::StringSeq &parts)
  {
    CosNaming::Name_var name = new CosNaming::Name;
    name->length (parts.length ());
    for (CORBA::ULong i = 0; i < parts.length (); ++i)
      name[i].id = CORBA::string_dup (parts[i]);
    return name._retn ();
  }
  virtual CORBA::Boolean next_one (CosNaming::Binding_out b)
  {
    b = new CosNaming::Binding;
    return 0;
  }
  virtual CORBA::Boolean next_n (CORBA::ULong, CosNaming::BindingList_out bl)
  {
    bl = new CosNaming::BindingList;
    return 0;
  }
  virtual void destroy () {}
};

int
ACE_TMAIN (int argc, ACE_TCHAR *argv[])
{
  CORBA::ORB_var orb = CORBA::ORB_init (argc, argv);
  Test::Bank_var bank = make_bank (orb.in ());
  PortableServer::Servant_var<Clock_i> servant (new Clock_i);
  Services::Clock_var clock = servant->_this ();
  CHECK (clock->now () == 42);
  CORBA::StringSeq parts (1);
  parts.length (1);
  parts[0] = CORBA::string_dup ("here");
  CosNaming::Name_var name = clock->where (parts);
  CHECK (name->length () == 1 && ACE_OS::strcmp (name[0].id.in (), "here") == 0);
  CosNaming::BindingIterator_var base = CosNaming::BindingIterator::_narrow (clock.in ());
  CosNaming::BindingList_var list;
  CHECK (!base->next_n (1, list.out ()));
  orb->destroy ();
  ACE_DEBUG ((LM_DEBUG, "OK\n"));
  return 0;
}
