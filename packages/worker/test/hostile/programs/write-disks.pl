# Opens disks, memory and consoles, by the names that they usually have and by device nodes of its own.
use POSIX ();
for my $path (glob('/dev/sd* /dev/vd* /dev/nvme* /dev/xvd* /dev/mem /dev/kmem /dev/port /dev/console /dev/tty[0-9]* /dev/kmsg /dev/fuse /dev/kvm /dev/loop* /dev/mapper/* /dev/userfaultfd /dev/net/tun')) {
    print "GAINED $path\n" if -e $path && sysopen my $file, $path, POSIX::O_RDONLY | POSIX::O_NONBLOCK;
}
print "GAINED terminal\n" if sysopen my $terminal, '/dev/tty', POSIX::O_RDWR;
print "done\n";
