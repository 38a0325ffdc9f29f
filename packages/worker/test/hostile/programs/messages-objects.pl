# Leaves System V objects and a process that waits for the next test, after looking for those of an
# earlier one.
use strict;
use warnings;

my $key = 0x484f5354;
print "GAINED shared memory\n" if defined shmget $key, 0, 0;
print "GAINED message queue\n" if defined msgget $key, 0;
print "GAINED semaphore\n"     if defined semget $key, 0, 0;
for my $folder (glob '/proc/[0-9]*') {
    open my $name, '<', "$folder/comm" or next;
    print "GAINED a process of another test\n" if <$name> =~ /^hostile-wait/;
}
my $memory = shmget $key, 4096, 01600;
shmwrite $memory, 'message', 0, 7 if defined $memory;
my $queue = msgget $key, 01600;
msgsnd $queue, pack('l! a*', 1, 'message'), 0 if defined $queue;
semget $key, 1, 01600;
if (!fork) {
    setpgrp;
    $0 = 'hostile-wait';
    $SIG{$_} = 'IGNORE' for qw(HUP TERM INT);
    sleep 1000 while 1;
}
print "done\n";
