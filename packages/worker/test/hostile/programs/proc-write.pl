# Writes to everything in /proc that changes the kernel, this process or another one.
my @paths = ('/proc/sysrq-trigger', '/proc/sys/kernel/hostname', '/proc/sys/kernel/core_pattern',
    '/proc/sys/kernel/ns_last_pid', '/proc/sys/vm/drop_caches', '/proc/sys/vm/overcommit_memory',
    '/proc/sys/fs/file-max', '/proc/sys/net/ipv4/ip_forward', '/proc/irq/default_smp_affinity', '/proc/mtrr');
for my $pid ('self', 1) {
    push @paths, map { "/proc/$pid/$_" } qw(oom_score_adj oom_adj coredump_filter timerslack_ns uid_map gid_map
        setgroups comm autogroup clear_refs mem loginuid attr/current projid_map timens_offsets make-it-fail);
}
for my $path (@paths, glob '/proc/sys/*/*') {
    print "GAINED $path\n" if -e $path && !-d _ && open my $file, '+<', $path;
    print "GAINED $path for writing\n" if -e $path && !-d _ && open my $other, '>', $path;
    print "GAINED mode of $path\n" if -e $path && chmod 0777, $path;
}
print "done\n";
