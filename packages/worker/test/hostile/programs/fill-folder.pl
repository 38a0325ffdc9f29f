# Fills its folder while it may write to it: with bytes, with files, with nested folders, or with
# folders that are closed.
my ($kind) = @ARGV;
if ($kind eq 'bytes') {
    my $block = 'x' x (1 << 20);
    for my $number (1 .. 40) {
        open my $file, '>', "hostile-$number" or last;
        for (1 .. 16) { syswrite($file, $block) // last }
    }
    my $total = 0;
    $total += -s for glob 'hostile-*';
    print "GAINED ", $total >> 20, " MiB\n" if $total > 256 << 20;
} elsif ($kind eq 'files') {
    my $made = 0;
    while ($made < 20_000) { open my $file, '>', "hostile-$made" or last; $made++ }
    print "GAINED $made files\n" if $made > 10_000;
} elsif ($kind eq 'nested') {
    my $name = 'x' x 200;
    for (1 .. 2000) { mkdir $name and chdir $name or last }
} else {
    for my $number (1 .. 50) {
        mkdir "hostile-$number";
        open my $file, '>', "hostile-$number/file";
        symlink '/', "hostile-$number/link";
        POSIX::mkfifo("hostile-$number/fifo", 0600) if eval { require POSIX };
        chmod 0, "hostile-$number";
    }
    chmod 0, '.';
}
print "done\n";
