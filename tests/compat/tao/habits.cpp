// SPDX-License-Identifier: Apache-2.0
// What sources for TAO do that the mapping does not say.
#include "check.h"
#include "tao/OctetSeqC.h"
#include "tao/StringSeqC.h"
#include "tao/CORBA_String.h"

class Local_i : public virtual CORBA::LocalObject
{
};

static CORBA::ULong
total (const Test::NumberList &numbers)
{
  CORBA::ULong sum = 0;
  for (CORBA::ULong i = 0; i != numbers.length (); ++i)
    sum += static_cast<CORBA::ULong> (numbers[i]);
  return sum;
}

int
ACE_TMAIN (int argc, ACE_TCHAR *argv[])
{
  CORBA::ORB_var orb = CORBA::ORB_init (argc, argv);
  Test::Bank_var bank = make_bank (orb.in ());
  Test::NumberList_var numbers = bank->numbers (4);
  CHECK (total (*numbers) == 14);
  CHECK (total (numbers.in ()) == 14);
  CHECK (numbers[3u] == 9 && numbers[3] == 9);
  Test::NumberList copy (*numbers);
  CHECK (copy == *numbers);

  Test::NameList names (1);
  names.length (1);
  names[0] = CORBA::string_dup ("x");
  CHECK (ACE_OS::strcmp (names[0].in (), "x") == 0);
  CORBA::String_var text = CORBA::string_dup (names[0]);
  CHECK (text[0u] == 'x');

  Test::Accounts_var accounts;
  Test::NameList_var owners;
  CORBA::Long count = 0;
  bank->deposit ("ann", 1);
  accounts = bank->all (owners, count);
  CHECK (accounts->length () == 1 && count == 1);
  CHECK (ACE_OS::strcmp (accounts[0u].owner, "ann") == 0);
  CHECK (ACE_OS::strcmp ((*accounts)[0].history[0].in (), "in") == 0);

  Test::Account_var account = new Test::Account ((*accounts)[0]);
  Test::Account const copied (*account);
  CHECK (copied.balance == 1 && account->balance == 1);

  CORBA::OctetSeq octets (3);
  octets.length (3);
  ACE_OS::memcpy (octets.get_buffer (), "abc", 3);
  CORBA::StringSeq_var strings = new CORBA::StringSeq (1);
  strings->length (1);
  strings[0u] = CORBA::string_dup ("s");

  Local_i *local = new Local_i;
  CHECK (local->_refcount_value () == 1);
  CORBA::Object_var holder = local;
  CHECK (!CORBA::is_nil (holder.in ()));
  CHECK (CORBA::Object::_nil () == 0);
  CHECK (orb->orb_core () != 0);
  CHECK (orb->orb_core ()->orb () == orb.in ());
  Test::Bank_ptr raw = Test::Bank::_duplicate (bank.in ());
  CORBA::release (raw);
  CHECK (ACE_OS::strcmp (bank->_interface_repository_id (), "IDL:Test/Bank:1.0") == 0);
  orb->destroy ();
  ACE_DEBUG ((LM_DEBUG, "OK\n"));
  return 0;
}
