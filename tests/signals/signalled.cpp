// SPDX-License-Identifier: Apache-2.0
// A server that ends on signals, for run.py. Its argument says what it does besides; it prints a line for each thing
// that run.py waits for.
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <callis/signals.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <string>
#include <thread>
#include <vector>
#include "hello_skel.h"

namespace {

void say(const std::string& line) { std::cout << line << std::endl; }
void wait_for_line() {
  std::string line;
  std::getline(std::cin, line);
}

CORBA::ORB_ptr make_orb(const std::string& id) {
  std::string words[] = {"signalled", "-ORBEndpoint", "tcp:127.0.0.1:0"};
  char* argv[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  int argc = 3;
  return CORBA::ORB_init(argc, argv, id.c_str());
}

// An upcall lasts until the next line of the standard input.
struct SlowEcho : POA_Echo {
  char* echoString(const char* text) override {
    say("in upcall");
    wait_for_line();
    return CORBA::string_dup(text);
  }
};

std::string start_server(CORBA::ORB_ptr orb) {
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  PortableServer::ServantBase_var servant = new SlowEcho;
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  object = poa->id_to_reference(id);
  PortableServer::POAManager_var(poa->the_POAManager())->activate();
  return CORBA::String_var(orb->object_to_string(object)).in();
}

void run(CORBA::ORB_ptr orb) {
  say("ready");
  orb->run();
  say("shut down");
  orb->destroy();
}

void run_with_upcall(CORBA::ORB_ptr orb) {
  const std::string text = start_server(orb);
  std::thread client([&] {
    CORBA::ORB_var mine = make_orb("client");
    CORBA::Object_var object = mine->string_to_object(text.c_str());
    Echo_var echo = Echo::_narrow(object);
    say("answered " + std::string(CORBA::String_var(echo->echoString("well")).in()));
    mine->destroy();
  });
  orb->run();
  client.join();
  say("shut down");
  orb->destroy();
}

void run_several() {
  std::vector<CORBA::ORB_var> orbs;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    orbs.emplace_back(make_orb("orb " + std::to_string(i)));
    start_server(orbs.back());
    callis::shutdown_on_signals(orbs.back());
    callis::shutdown_on_signals(orbs.back());  // for the second time
  }
  orbs[1]->destroy();
  for (const std::size_t i : {0u, 2u}) threads.emplace_back([orb = CORBA::ORB_ptr(orbs[i])] { orb->run(); });
  say("ready");
  for (std::thread& t : threads) t.join();
  say("shut down");
  orbs[0]->destroy();
  orbs[2]->destroy();
}

std::size_t descriptors() {
  const std::filesystem::directory_iterator here("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(here), end(here)));
}

void destroy_and_wait() {
  std::size_t before = 0;
  for (int i = 0; i < 100; ++i) {
    CORBA::ORB_var orb = make_orb("orb");
    callis::shutdown_on_signals(orb);
    orb->destroy();
    if (i == 0) before = descriptors();
  }
  say(descriptors() == before ? "destroyed" : "descriptors are left");
  wait_for_line();
}

void own_handler(int) {
  constexpr char kText[] = "own handler\n";
  (void)!::write(STDOUT_FILENO, kText, sizeof kText - 1);
  ::_exit(7);
}

void fork_a_child() {
  const pid_t child = ::fork();
  if (child == 0) {
    (void)::raise(SIGTERM);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  say("child ended by " + std::to_string(WIFSIGNALED(status) ? WTERMSIG(status) : 0));
}

template <class E>
void expect(CORBA::ORB_ptr orb, const char* what) {
  try {
    callis::shutdown_on_signals(orb);
    say(std::string(what) + ": nothing");
  } catch (const E&) {
    say(std::string(what) + ": raised");
  }
}

void try_errors() {
  expect<CORBA::BAD_PARAM>(CORBA::ORB::_nil(), "nil");
  CORBA::ORB_var orb = make_orb("orb");
  orb->shutdown(true);
  expect<CORBA::BAD_INV_ORDER>(orb, "shut down");
  orb->destroy();
  expect<CORBA::OBJECT_NOT_EXIST>(orb, "destroyed");
}

int carry_out(const std::string& what) {
  if (what == "several") return run_several(), 0;
  if (what == "undone") return destroy_and_wait(), 0;
  if (what == "errors") return try_errors(), 0;
  if (what == "restores") std::signal(SIGTERM, own_handler);
  if (what == "ignored") std::signal(SIGINT, SIG_IGN);
  CORBA::ORB_var orb = make_orb("");
  callis::shutdown_on_signals(orb);
  if (what == "upcall") return run_with_upcall(orb), 0;
  start_server(orb);
  if (what == "fork") fork_a_child();
  run(orb);
  if (what == "restores") wait_for_line();
  return 0;
}

}  // namespace

int main(int, char** argv) {
  try {
    return carry_out(argv[1]);
  } catch (const CORBA::Exception& e) {
    std::cout << e << std::endl;
    return 1;
  }
}
