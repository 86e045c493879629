# SPDX-License-Identifier: Apache-2.0
# tclsh client.tcl IOR GROUP [Combat's -ORB options]. As programs/mixed/client.cpp: prints the failures, then `checks N`.
source [file join [file dirname [info script]] types.tcl]

set checks 0
set failures 0

# An expression in braces.
proc check {what} {
    incr ::checks
    if {[uplevel 1 [list expr $what]]} return
    incr ::failures
    puts "client.tcl: FAILED: $what"
}

set latin {71 114 252 223 101 32 160 255 128}
set unicode {0x7ff 0x800 0x20ac 0xfffd 0x10000 0x1f600 0x10ffff}

proc code_sets {peer} {
    for {set i 0} {$i < 3} {incr i} {
        foreach p [list $::latin {}] {
            check {[$peer points_of [text $p]] eq $p}
            check {[points [$peer text_of $p]] eq $p}
        }
    }
    check {[$peer echo_char ~] eq "~"}
    check {[$peer echo_any [list string [text $::latin]]] eq [list string [text $::latin]]}
    foreach p [list $::latin [lmap c $::unicode {expr {$c}}] {}] {
        check {[$peer wide_points_of [text $p]] eq $p}
        check {[points [$peer wide_text_of $p]] eq $p}
    }
    foreach c {0x41 0x20ac 0xfffd} { check {[$peer echo_wchar [format %c $c]] eq [format %c $c]} }
}

proc item {name n} {
    set bytes ""
    for {set k 0} {$k < $n} {incr k} { append bytes [binary format c [expr {255 - $k}]] }
    list name $name title [text {97 0x20ac 98}] at [list x [expr {-$n}] y [expr {$n * 100000}] z [expr {$n / 4.0}]] \
        tint [expr {$n % 2 ? "blue" : "green"}] letter q flag [expr {$n % 2 == 0}] raw [format %c [expr {200 + $n}]] \
        big [expr {-$n * (1 << 40)}] ratio [expr {$n / 8.0}] bytes $bytes
}
proc equal {a b} {
    foreach {name value} $a { if {$name ne "raw" && [dict get $b $name] ne $value} { puts "$name: $value"; return 0 } }
    # Combat has octets as numbers or as characters.
    return [expr {[dict size $a] == [dict size $b] && [octet [dict get $a raw]] == [octet [dict get $b raw]]}]
}
proc octet {o} { expr {[string is integer -strict $o] ? $o : [scan $o %c]} }

proc types {peer} {
    for {set n 0} {$n < 4} {incr n} {
        set more {}
        for {set i 0} {$i < $n} {incr i} { lappend more [item more $i] }
        set one [item one 5]
        set back [$peer echo_item $one more names]
        check {[equal $one $back]}
        check {[llength $more] == $n + 1 && [equal $one [lindex $more $n]]}
        for {set i 0} {$i < $n} {incr i} { check {[equal [item more $i] [lindex $more $i]]} }
        check {[llength $names] == $n + 1 && [lindex $names 0] eq "one" && ($n == 0 || [lindex $names $n] eq "more")}
    }
    set some [list {red -7} {green union} [list blue {x -3 y 300000 z 0.75}]]
    check {[$peer echo_choices $some] eq $some}
    check {[$peer echo_any {{long long} 1152921504606846976}] eq {{long long} 1152921504606846976}}
    set tc {struct IDL:Mixed/Point:1.0 {x short y long z double}}
    check {[$peer echo_any [list $tc {x 1 y 2 z 0.5}]] eq [list $tc {x 1 y 2 z 0.5}]}
}

itcl::class ListenerServant {
    inherit PortableServer::ServantBase
    public variable calls 0
    public variable right 1
    public method _Interface {} { return ::Mixed::Listener }
    public method heard {text number} {
        if {$text ne "back" || $number != $calls} { set right 0 }
        incr calls
    }
}

proc calls {peer} {
    set code [catch {$peer refuse because -3} thrown]
    check {$code && [lindex $thrown 0] eq "IDL:Mixed/Refused:1.0" && [lindex $thrown 1] eq {why because code -3}}
    set code [catch {$peer fail} thrown]
    check {$code && $thrown eq {IDL:omg.org/CORBA/NO_PERMISSION:1.0 {minor_code_value 4711 completion_status COMPLETED_YES}}}
    foreach text {one two three} { $peer note $text }
    for {set tries 0} {$tries < 2000 && [llength [$peer notes]] < 3} {incr tries} {}
    check {[$peer notes] eq {one two three}}
    set itself [$peer itself]
    check {[$peer is_you $itself] && [$itself is_you $peer]}
    check {![$peer is_you 0]}
    check {[$itself _is_a IDL:Mixed/Peer:1.0] && ![$itself _is_a IDL:Mixed/Listener:1.0] && ![$itself _non_existent]}

    set poa [corba::resolve_initial_references RootPOA]
    set servant [namespace current]::[ListenerServant #auto]
    set id [$poa activate_object $servant]
    [$poa the_POAManager] activate
    $peer call_back [$poa id_to_reference $id] back 20
    check {[$servant cget -calls] == 20 && [$servant cget -right]}
}

proc large {peer} {
    set s [string repeat "abcdefghijklmnopqrstuvwxyz012345" 65536]
    check {[$peer echo_string $s] eq $s}
    set bytes ""
    for {set i 0} {$i < 256} {incr i} { append bytes [binary format c $i] }
    set bytes [string repeat $bytes 8192]
    check {[$peer echo_octets $bytes] eq $bytes}
}

if {[catch {
    set rest [corba::init {*}[lrange $argv 2 end]]
    set peer [corba::string_to_object [lindex $argv 0]]
    [lindex $argv 1] $peer
} thrown]} {
    puts "client.tcl: FAILED: $thrown\n$errorInfo"
    incr failures
}
puts "checks $checks"
exit [expr {$failures != 0 || $checks == 0}]
