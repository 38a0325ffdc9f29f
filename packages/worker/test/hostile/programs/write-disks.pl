# Opens disks, memory and consoles by the names that they usually have.
use POSIX ();

my @patterns = qw(sd* vd* nvme* xvd* loop* mapper/* mem kmem port console tty[0-9]* kmsg fuse kvm userfaultfd net/tun);
for my $path (map { glob "/dev/$_" } @patterns) {
    print "GAINED $path\n" if -e $path && sysopen my $file, $path, POSIX::O_RDONLY | POSIX::O_NONBLOCK;
}
print "GAINED terminal\n" if sysopen my $terminal, '/dev/tty', POSIX::O_RDWR;
print "done\n";
