# SPDX-License-Identifier: Apache-2.0
# tclsh server.tcl [Combat's -ORB options]. As programs/mixed/server.cpp: prints its reference; ends when its input does.
source [file join [file dirname [info script]] types.tcl]

itcl::class PeerServant {
    inherit PortableServer::ServantBase
    private variable notes {}
    public variable itself
    public method _Interface {} { return ::Mixed::Peer }

    public method points_of {text} { points $text }
    public method text_of {points} { text $points }
    public method wide_points_of {text} { points $text }
    public method wide_text_of {points} { text $points }
    public method echo_wchar {c} { return $c }
    public method echo_char {c} { return $c }
    public method echo_item {one more_name names_name} {
        upvar 1 $more_name more $names_name names
        set names [list [dict get $one name] {*}[lmap i $more {dict get $i name}]]
        lappend more $one
        return $one
    }
    public method echo_choices {some} { return $some }
    public method echo_any {value} { return $value }
    public method echo_string {text} { return $text }
    public method echo_octets {bytes} { return $bytes }
    public method refuse {why code} { corba::throw [list IDL:Mixed/Refused:1.0 [list why $why code $code]] }
    public method fail {} {
        corba::throw [list IDL:omg.org/CORBA/NO_PERMISSION:1.0 [list minor 4711 completion_status COMPLETED_YES]]
    }
    public method note {text} { lappend notes $text }
    public method notes {} { return $notes }
    public method call_back {whom text times} { for {set i 0} {$i < $times} {incr i} { $whom heard $text $i } }
    public method itself {} { corba::duplicate $itself }
    public method is_you {other} { expr {$other ne "0" && [$other _is_equivalent $itself]} }
}

corba::init {*}$argv
set poa [corba::resolve_initial_references RootPOA]
set servant [namespace current]::[PeerServant #auto]
set reference [$poa id_to_reference [$poa activate_object $servant]]
$servant configure -itself $reference
[$poa the_POAManager] activate
puts [corba::object_to_string $reference]
flush stdout
fileevent stdin readable { if {[gets stdin line] < 0} { set ended 1 } }
vwait ended
