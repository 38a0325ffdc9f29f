# Writes to stdout and stderr in turn, from two processes, without end.
fork;
my $line = "The same line again.\n" x 1000;
while (1) { syswrite STDOUT, $line; syswrite STDERR, $line }
