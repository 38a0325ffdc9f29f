# Signals every process number, and changes the priority of every process, group and user.
my (undef, undef, $judge) = split ' ', <STDIN>;
for my $pid (1 .. 40, 50 .. 400, $judge - 5 .. $judge + 5) {
    next if $pid == $$;
    kill 'KILL', $pid;
    kill 'KILL', -$pid if $pid > 1 && $pid != getpgrp;
    print "GAINED priority of process $pid\n" if $pid > 40 && setpriority 0, $pid, 19;
}
print "GAINED better priority\n" if setpriority 0, $$, -5;
print "done\n";
