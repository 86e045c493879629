// SPDX-License-Identifier: Apache-2.0
// The servant of most programs, as TAO's programs write theirs.
#ifndef BANK_I_H
#define BANK_I_H
#include /**/ "ace/pre.h"

#include "TestS.h"

#if !defined (ACE_LACKS_PRAGMA_ONCE)
# pragma once
#endif /* ACE_LACKS_PRAGMA_ONCE */

class Bank_i : public virtual POA_Test::Bank
{
public:
  explicit Bank_i (CORBA::ORB_ptr orb);

  virtual char *greet (const char *name);
  virtual CORBA::Double deposit (const char *owner, CORBA::Double amount);
  virtual Test::Accounts *all (Test::NameList_out owners, CORBA::Long &count);
  virtual void remember (const Test::NameList &names);
  virtual void note (const char *text);
  virtual void call_back (Test::Callback_ptr who, CORBA::Long times);
  virtual Test::NumberList *numbers (CORBA::Long n);
  virtual void slow (CORBA::Long milliseconds);
  virtual void shutdown ();

private:
  CORBA::ORB_var orb_;
  TAO_SYNCH_MUTEX lock_;
  Test::Accounts accounts_;
};

#include /**/ "ace/post.h"
#endif /* BANK_I_H */
