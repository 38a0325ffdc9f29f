# The launcher. It starts the command of its arguments in its own process, and serves requests in a
# child: see src/sandbox/launcher.ts. The arguments begin with the numbers of system calls
# from src/sandbox/launcher-calls.ts. The worker starts it, in Perl, which every Debian has.
#
# A child of the launcher takes a new session keyring, enters the control groups, sets its limits,
# enters the namespaces and drops its privileges. The launcher opens the descriptors: the worker's
# own ones, through /proc. Numbers below 10 are kept free for those of the program. Everything else
# is closed on exec.
use strict;
my %call = map { my ($name, $number) = split /=/; ($name => 0 + $number) } split /,/, shift @ARGV;
my ($CHANNEL, $FIRST_FREE) = (3, 10);
my ($PR_SET_PDEATHSIG, $SIGKILL, $SIGCHLD, $WNOHANG) = (1, 9, 17, 1);
my ($JOIN_SESSION_KEYRING, $CLOEXEC, $NONBLOCK, $F_SETFL) = (1, 02000000, 04000, 4);
my $status_bytes = 65536;

my $keeper = $$;
my $launcher = fork;
die "fork: $!" unless defined $launcher;
if ($launcher) {
  syscall($call{close}, $CHANNEL);
  exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!\n";
}

sub end_with { # the parent
  syscall($call{prctl}, $PR_SET_PDEATHSIG, $SIGKILL, 0, 0, 0) == 0 or die "prctl: $!";
  die "the parent has ended" if getppid != $_[0];
}

sub mask_children { # 0: block the signal, 1: unblock it
  my $set = pack 'Q', 1 << ($SIGCHLD - 1);
  syscall($call{rt_sigprocmask}, $_[0], $set, 0, 8) == 0 or die "rt_sigprocmask: $!";
}

end_with($keeper);
$SIG{$_} = 'IGNORE' for qw(INT TERM HUP);
open STDIN, '<', '/dev/null';
open STDOUT, '>', '/dev/null';
open STDERR, '>', '/dev/null';
my @reserved;
do { open my $null, '<', '/dev/null' or exit 1; push @reserved, $null } until fileno($reserved[-1]) >= $FIRST_FREE;
open my $channel, '+<&', $CHANNEL or exit 1;
syscall($call{close}, $CHANNEL);
open my $in_its_place, '<', '/dev/null' or exit 1;
mask_children(0);
my $children = pack 'Q', 1 << ($SIGCHLD - 1);
my $signal_fd = syscall($call{signalfd4}, -1, $children, 8, $CLOEXEC | $NONBLOCK);
exit 1 if $signal_fd < 0;
open my $signals, '<&=', $signal_fd or exit 1;
my $self = $$;

sub send_message { # list of texts
  my $body = pack '(N/a*)*', @_;
  my $message = pack 'N/a*', $body;
  while (length $message) {
    my $sent = syswrite $channel, $message;
    exit 0 unless $sent;
    substr $message, 0, $sent, '';
  }
}

sub open_stream { # mode and path
  my ($mode, $path) = @_;
  my ($file, $reader);
  if ($mode eq 'w') {
    # A pipe may have lost its reader: then the program gets SIGPIPE, and opening still needs one.
    sysopen $reader, $path, $NONBLOCK or die "$path: $!\n";
    sysopen $file, $path, 1 | $NONBLOCK or die "$path: $!\n";
  } else {
    # A pipe whose writer is missing must not stop the launcher.
    sysopen $file, $path, $NONBLOCK or die "$path: $!\n";
  }
  fcntl $file, $F_SETFL, 0 or die "fcntl: $!\n";
  return $file;
}

sub set_limit { # resource, soft and hard limit; an empty one stays
  my ($resource, $soft, $hard) = @_;
  my $limit = "\0" x 16;
  return if syscall($call{prlimit64}, 0, 0 + $resource, 0, $limit) != 0;
  my ($old_soft, $old_hard) = unpack 'QQ', $limit;
  $hard = $old_hard if $hard eq '';
  $soft = $soft eq '' ? $old_soft : $soft > $hard ? $hard : $soft;
  my $new = pack 'QQ', $soft, $hard;
  syscall($call{prlimit64}, 0, 0 + $resource, $new, 0);
}

sub enter_namespace { # an opened file of /proc/PID/ns
  syscall($call{setns}, fileno $_[0], 0) == 0 or die "setns: $!\n";
}

sub become { # a user and group id
  my $id = 0 + $_[0];
  syscall($call{setgroups}, 0, 0) == 0 or die "setgroups: $!\n";
  syscall($call{setresgid}, $id, $id, $id) == 0 or die "setresgid: $!\n";
  syscall($call{setresuid}, $id, $id, $id) == 0 or die "setresuid: $!\n";
}

sub become_program { # never returns
  my ($run, $files) = @_;
  syscall($call{setsid});
  end_with($self);
  $SIG{$_} = 'DEFAULT' for qw(INT TERM HUP);
  mask_children(1);
  if ($run->{keyring}) {
    syscall($call{keyctl}, $JOIN_SESSION_KEYRING, 0) >= 0 or die "keyctl: $!\n";
  }
  for my $path (@{$run->{join}}) {
    open my $group, '>', $path or die "$path: $!\n";
    defined syswrite $group, "0\n" or die "$path: $!\n";
  }
  set_limit(split /:/, $_, -1) for @{$run->{limit}};
  my @namespaces = map { open my $file, '<', $_ or die "$_: $!\n"; $file } @{$run->{enter}};
  enter_namespace($_) for @namespaces;
  chdir $run->{cwd}[0] or die "$run->{cwd}[0]: $!\n";
  for (@$files) {
    my ($number, $file) = @$_;
    syscall($call{dup3}, fileno $file, 0 + $number, 0) >= 0 or die "dup3: $!\n";
  }
  if ($run->{user}) {
    become($run->{user}[0]);
    # A new user id clears it.
    end_with($self);
  }
  %ENV = map { split /=/, $_, 2 } @{$run->{env}};
  no warnings;
  exec { $run->{argv}[0] } @{$run->{argv}} or die "$run->{argv}[0]: $!\n";
}

my %runs; # by process id
my %pids; # by the worker's number

sub start_run {
  my %run;
  for (@_) {
    my ($name, $value) = split /=/, $_, 2;
    push @{$run{$name}}, $value;
  }
  my $id = $run{id}[0];
  my $pid = eval {
    my $name = 'status';
    my $memory = syscall($call{memfd_create}, $name, 1);
    die "memfd_create: $!\n" if $memory < 0;
    open my $status, '+<&=', $memory or die "open: $!\n";
    # This page of memory does not count for the program.
    defined syswrite $status, "\n" x 4096 or die "write: $!\n";
    sysseek $status, 0, 0;
    my @files = ([3, $status]);
    for (@{$run{open}}) {
      my ($number, $mode, $path) = split /:/, $_, 3;
      push @files, [$number, open_stream($mode, $path)];
    }
    my $child = fork;
    die "fork: $!\n" unless defined $child;
    if ($child == 0) {
      eval { become_program(\%run, \@files) };
      syswrite $status, "\nlauncher: $@";
      syscall($call{exit_group}, 127);
    }
    $runs{$child} = {id => $id, status => $status};
    $pids{$id} = $child;
    $child;
  };
  return send_message('started', $id, $pid) if $pid;
  send_message('ended', $id, 0, "launcher: $@");
}

sub report_ends {
  while ((my $pid = waitpid -1, $WNOHANG) > 0) {
    my $end = $?;
    my $run = delete $runs{$pid} or next;
    delete $pids{$run->{id}};
    sysseek $run->{status}, 0, 0;
    sysread $run->{status}, my $text, $status_bytes;
    send_message('ended', $run->{id}, $end, $text);
  }
}

sub handle {
  my ($type, @fields) = unpack '(N/a*)*', $_[0];
  return start_run(@fields) if $type eq 'run';
  my $pid = $pids{$fields[0]} or return;
  kill('KILL', -$pid) or kill('KILL', $pid);
}

send_message('ready');
my $received = '';
for (;;) {
  my $wanted = '';
  vec($wanted, fileno $_, 1) = 1 for $channel, $signals;
  next if select($wanted, undef, undef, undef) < 0;
  if (vec $wanted, fileno $signals, 1) {
    sysread $signals, my $ignored, 4096;
    report_ends();
  }
  next unless vec $wanted, fileno $channel, 1;
  exit 0 unless sysread $channel, $received, 65536, length $received;
  while (length $received >= 4 && length $received >= 4 + unpack 'N', $received) {
    handle(unpack 'N/a*', $received);
    substr $received, 0, 4 + unpack('N', $received), '';
  }
}
