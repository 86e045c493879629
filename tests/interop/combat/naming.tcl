# SPDX-License-Identifier: Apache-2.0
# tclsh naming.tcl REF [Combat's -ORB options]: uses a name service, of whose types Combat knows what an Interface Repository tells.
package require combat
# As in ifr.tcl.
proc ::Combat::CORBA::ORB::GetObjFromHandle {ref} { ::Combat::CORBA::ORB::GetObjFromRef $ref }
namespace eval ::Combat::SimpleTypeRepository {
    rename UpdateTypeInfoForId IdOfUpdatedType
    proc UpdateTypeInfoForId {id} { expr {[IdOfUpdatedType $id] ne 0} }
}
proc name {args} { lmap {id kind} $args { list id $id kind $kind } }
set args [eval corba::init $argv]
set root [corba::string_to_object [lindex $args 0]]
set thing [corba::string_to_object corbaloc::127.0.0.1:1/thing]
set made [$root bind_new_context [name tcl dir]]
$root bind [name tcl dir x {}] $thing
puts "resolved [expr {[$made resolve [name x {}]] ne {}}]"
puts "bind [catch {$root bind [name tcl dir x {}] $thing} what] [lindex $what 0]"
puts "missing [catch {$root resolve [name tcl dir y {} z {}]} what] [lindex $what 0]"
$made list 10 bindings iterator
puts "listed [llength $bindings] [dict get [lindex [dict get [lindex $bindings 0] binding_name] 0] id]"
puts "text [$root to_string [name tcl dir x {}]]"
$root unbind [name tcl dir x {}]
$made destroy
$root unbind [name tcl dir]
puts "left [catch {$root resolve [name tcl dir]} what]"
