// Asks for every privilege that a program of root would have.
#define _GNU_SOURCE
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stdio.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define REFUSED(call) do { if ((long)(call) >= 0) puts("GAINED " #call); } while (0)

static void check_identity(void) {
  if (getuid() == 0 || geteuid() == 0 || getgid() == 0) puts("GAINED root");
  if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) puts("GAINED new privileges by setuid programs");
  for (int capability = 0; capability < 41; capability++)
    if (prctl(PR_CAPBSET_READ, capability, 0, 0, 0) == 1) printf("GAINED capability %d\n", capability);
}

static void check_limits(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_max > 1024) printf("GAINED %ld files\n", (long)limit.rlim_max);
  getrlimit(RLIMIT_CORE, &limit);
  if (limit.rlim_max > 0) puts("GAINED core files");
  limit = (struct rlimit){4096, 4096};
  REFUSED(setrlimit(RLIMIT_NOFILE, &limit));
  limit = (struct rlimit){RLIM_INFINITY, RLIM_INFINITY};
  REFUSED(setrlimit(RLIMIT_CORE, &limit));
}

int main(void) {
  struct sched_param real_time = {.sched_priority = 1};
  struct timespec epoch = {0};
  gid_t groups[] = {0};
  check_identity();
  check_limits();
  REFUSED(setuid(0));
  REFUSED(setgid(0));
  REFUSED(setresuid(0, 0, 0));
  REFUSED(setgroups(1, groups));
  REFUSED(chroot("/usr"));
  REFUSED(sethostname("hostile", 7));
  REFUSED(clock_settime(CLOCK_REALTIME, &epoch));
  REFUSED(sched_setscheduler(0, SCHED_FIFO, &real_time));
  REFUSED(setpriority(PRIO_PROCESS, 0, -10));
  REFUSED(syscall(SYS_ioprio_set, 1, 0, 1 << 13));
  REFUSED(syscall(SYS_reboot, 0xfee1dead, 672274793, 0, 0));
  REFUSED(syscall(SYS_swapoff, "/dev/vda"));
  REFUSED(syscall(SYS_acct, "/tmp/hostile"));
  REFUSED(syscall(SYS_init_module, "", 0, ""));
  REFUSED(syscall(SYS_kexec_load, 0, 0, 0, 0));
  REFUSED(syscall(SYS_syslog, 3, groups, 4));
  REFUSED(syscall(SYS_quotactl, 0, "", 0, 0));
  REFUSED(syscall(SYS_open_by_handle_at, AT_FDCWD, groups, O_RDONLY));
  REFUSED(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, 21, 0, 0));
  puts("done");
}
