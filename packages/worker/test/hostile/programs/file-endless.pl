# Writes one file without end.
open my $file, '>', '/tmp/hostile-file' or die;
my $block = 'x' x 65536;
syswrite $file, $block while 1;
