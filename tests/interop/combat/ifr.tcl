# SPDX-License-Identifier: Apache-2.0
# tclsh ifr.tcl PEER [Combat's -ORB options]: calls a server of mixed.idl, of whose types Combat knows what an Interface Repository tells.
package require combat
# Where Combat 0.8 asks an Interface Repository, it calls what it has by another name, and takes an id for a boolean.
proc ::Combat::CORBA::ORB::GetObjFromHandle {ref} { ::Combat::CORBA::ORB::GetObjFromRef $ref }
namespace eval ::Combat::SimpleTypeRepository {
    rename UpdateTypeInfoForId IdOfUpdatedType
    proc UpdateTypeInfoForId {id} { expr {[IdOfUpdatedType $id] ne 0} }
}
set args [eval corba::init $argv]
set peer [corba::string_to_object [lindex $args 0]]
set one [list name n title t at [list x 1 y -2 z 0.5] tint green letter q flag 1 raw A big 7 ratio 0.25 bytes xyz]
set more {}
set back [$peer echo_item $one more names]
puts "item [dict get $back name] [dict get $back tint] [dict get [dict get $back at] y] [llength $more] $names"
puts "choices [$peer echo_choices [list {red 5} {green text}]]"
if {[catch {$peer refuse why 7} what]} { puts "refused $what" }
