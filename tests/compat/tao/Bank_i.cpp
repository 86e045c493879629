// SPDX-License-Identifier: Apache-2.0
#include "Bank_i.h"
#include "ace/OS_NS_stdio.h"
#include "ace/OS_NS_unistd.h"

Bank_i::Bank_i (CORBA::ORB_ptr orb)
  : orb_ (CORBA::ORB::_duplicate (orb))
{
}

char *
Bank_i::greet (const char *name)
{
  CORBA::String_var text = CORBA::string_alloc (static_cast<CORBA::ULong> (ACE_OS::strlen (name)) + 8);
  ACE_OS::sprintf (text.inout (), "Hello, %s", name);
  return text._retn ();
}

CORBA::Double
Bank_i::deposit (const char *owner, CORBA::Double amount)
{
  ACE_GUARD_RETURN (TAO_SYNCH_MUTEX, guard, this->lock_, 0);
  CORBA::ULong const length = this->accounts_.length ();
  CORBA::ULong i = 0;
  for (; i < length; ++i)
    if (ACE_OS::strcmp (this->accounts_[i].owner.in (), owner) == 0)
      break;
  if (i == length)
    {
      this->accounts_.length (length + 1);
      this->accounts_[i].owner = CORBA::string_dup (owner);
      this->accounts_[i].balance = 0;
    }
  Test::Account &account = this->accounts_[i];
  if (account.balance + amount < 0)
    throw Test::Overdrawn (account.balance, "not enough");
  account.balance += amount;
  CORBA::ULong const entry = account.history.length ();
  account.history.length (entry + 1);
  account.history[entry] = CORBA::string_dup (amount < 0 ? "out" : "in");
  return account.balance;
}

Test::Accounts *
Bank_i::all (Test::NameList_out owners, CORBA::Long &count)
{
  ACE_GUARD_RETURN (TAO_SYNCH_MUTEX, guard, this->lock_, 0);
  Test::NameList *names = 0;
  ACE_NEW_THROW_EX (names, Test::NameList (this->accounts_.length ()), CORBA::NO_MEMORY ());
  names->length (this->accounts_.length ());
  for (CORBA::ULong i = 0; i < this->accounts_.length (); ++i)
    (*names)[i] = this->accounts_[i].owner;
  owners = names;
  count += static_cast<CORBA::Long> (this->accounts_.length ());
  Test::Accounts *result = 0;
  ACE_NEW_THROW_EX (result, Test::Accounts (this->accounts_), CORBA::NO_MEMORY ());
  return result;
}

void
Bank_i::remember (const Test::NameList &names)
{
  for (CORBA::ULong i = 0; i != names.length (); ++i)
    ACE_DEBUG ((LM_DEBUG, "(%P|%t) remembers %d: %C\n", i, static_cast<const char *> (names[i])));
}

void
Bank_i::note (const char *text)
{
  ACE_DEBUG ((LM_DEBUG, ACE_TEXT ("(%P|%t) noted <%C>\n"), text));
}

void
Bank_i::call_back (Test::Callback_ptr who, CORBA::Long times)
{
  for (CORBA::Long i = 0; i < times; ++i)
    who->called (i);
}

Test::NumberList *
Bank_i::numbers (CORBA::Long n)
{
  Test::NumberList *all = 0;
  ACE_NEW_RETURN (all, Test::NumberList (static_cast<CORBA::ULong> (n)), 0);
  all->length (static_cast<CORBA::ULong> (n));
  for (CORBA::Long i = 0; i < n; ++i)
    (*all)[static_cast<CORBA::ULong> (i)] = i * i;
  return all;
}

void
Bank_i::slow (CORBA::Long milliseconds)
{
  ACE_OS::sleep (ACE_Time_Value (0, milliseconds * 1000));
}

void
Bank_i::shutdown ()
{
  this->orb_->shutdown (0);
}
