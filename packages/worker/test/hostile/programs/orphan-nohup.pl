# Leaves shells that start a new shell whenever one ends, in sessions of their own.
for (1 .. 4) {
    next if fork;
    $SIG{HUP} = 'IGNORE';
    exec 'setsid', 'nohup', 'sh', '-c', 'while :; do setsid sleep 1000000; done';
}
print "done\n";
