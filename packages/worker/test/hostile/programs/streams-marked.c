// Marks the inodes of its streams and of shared devices, after looking for the marks of an earlier
// test.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static const struct timespec mark[2] = {{1234567, 0}, {1234567, 0}};

static void look_and_mark(const char *name, int file) {
  struct stat facts;
  char message[8];
  if (fstat(file, &facts) != 0) return;
  if (facts.st_mtim.tv_sec == mark[0].tv_sec) printf("GAINED time of %s\n", name);
  if ((facts.st_mode & 0777) == 0421) printf("GAINED mode of %s\n", name);
  if (fgetxattr(file, "user.hostile", message, sizeof message) > 0) printf("GAINED attribute of %s\n", name);
  futimens(file, mark);
  fchmod(file, 0421);
  fsetxattr(file, "user.hostile", "message", 7, 0);
  if (fchown(file, 0, 0) == 0) printf("GAINED owner of %s\n", name);
}

static void look_for_bytes(const char *name, const char *path) {
  char bytes[64] = "";
  int file = open(path, O_RDONLY | O_NONBLOCK);
  if (file >= 0 && read(file, bytes, sizeof bytes - 1) > 0 && strstr(bytes, "message")) printf("GAINED bytes in %s\n", name);
  close(file);
}

int main(void) {
  look_for_bytes("stdout", "/dev/stdout");
  look_for_bytes("stderr", "/dev/stderr");
  look_and_mark("stdin", 0);
  look_and_mark("stdout", 1);
  look_and_mark("stderr", 2);
  const char *devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"};
  for (int i = 0; i < 6; i++) look_and_mark(devices[i], open(devices[i], O_RDWR));
  look_and_mark("its own program", open("/proc/self/exe", O_RDONLY));
  look_and_mark("its folder", open("/app", O_RDONLY));
  look_and_mark("/usr/bin/env", open("/usr/bin/env", O_RDONLY));
  puts("done");
}
