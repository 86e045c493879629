// SPDX-License-Identifier: Apache-2.0
// What callis trade does. Each throws Failure, or what main() explains.
#pragma once
#include <tools/trade/session.h>

namespace callis::trade {

void types(const Session& session, const Arguments& arguments);
void offer(const Session& session, const Arguments& arguments);
void modify(const Session& session, const Arguments& arguments);
void show(const Session& session, const Arguments& arguments);
void list(const Session& session, const Arguments& arguments);
void query(const Session& session, const Arguments& arguments);
void withdraw(const Session& session, const Arguments& arguments);
void link(const Session& session, const Arguments& arguments);
void settings(const Session& session, const Arguments& arguments);

// A number of an option or a setting. Throws Failure{kWrongUsage}.
CORBA::ULong number_of(const std::string& of, const std::string& text);
// local_only, if_no_local, always. Throws Failure{kWrongUsage}.
CosTrading::FollowOption rule_of(const std::string& text);
const char* to_text(CosTrading::FollowOption rule);
// "NAME=VALUE" taken apart. Throws Failure{kWrongUsage}.
std::pair<std::string, std::string> pair_of(const std::string& word);

}  // namespace callis::trade
