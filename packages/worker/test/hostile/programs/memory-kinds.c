// Takes memory of the kind that it reads, without end.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <unistd.h>

#define SIZE (4 << 20)
static char block[SIZE];

static void take_heap(long number) {
  volatile char *memory = malloc(SIZE);
  for (int at = 0; memory && at < SIZE; at += 1024) memory[at] = number;
}

// Anonymous mappings that are shared with a child.
static void take_shared_map(long number) {
  char *memory = mmap(0, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  memset(memory, number, SIZE);
  if (fork() == 0) pause();
}

// Files that exist in no file system and are mapped by no process.
static void take_memfd(long number) {
  (void)number;
  if (write(memfd_create("hostile", 0), block, SIZE) < 0) return;
}

// Files in every writable folder in turn.
static void take_files(long number) {
  const char *folders[] = {"/tmp", "/dev/shm", "/box"};
  char path[64];
  snprintf(path, sizeof path, "%s/hostile-%ld", folders[number % 3], number);
  int file = open(path, O_CREAT | O_WRONLY, 0600);
  if (file >= 0 && write(file, block, SIZE) < 0) return;
  close(file);
}

// System V shared memory that no process maps any more.
static void take_system_v(long number) {
  char *memory = shmat(shmget(IPC_PRIVATE, SIZE, 0600), 0, 0);
  if (memory == (char *)-1) return;
  memset(memory, number, SIZE);
  shmdt(memory);
}

// POSIX shared memory that is unmapped and keeps its name.
static void take_posix(long number) {
  char name[32];
  snprintf(name, sizeof name, "/hostile-%ld", number);
  int file = shm_open(name, O_CREAT | O_RDWR, 0600);
  if (file < 0 || ftruncate(file, SIZE) != 0) return;
  char *memory = mmap(0, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory != MAP_FAILED) memset(memory, 1, SIZE), munmap(memory, SIZE);
  close(file);
}

static int descend(int depth) {
  volatile char room[4096];
  memset((char *)room, depth, sizeof room);
  return descend(depth + 1) + room[depth % 4096];
}

static void take_stack(long number) { exit(descend(number)); }

// Many processes, each of which takes little.
static void take_children(long number) {
  if (number >= 60 || fork() > 0) return;
  take_heap(number);
  for (;;) pause();
}

static long fill(int end) {
  long filled = 0;
  fcntl(end, F_SETFL, O_NONBLOCK);
  for (long written; (written = write(end, block, 4096)) > 0;) filled += written;
  return filled;
}

// Buffers of pipes and sockets: memory of the kernel that no process maps.
static void take_kernel(long number) {
  int ends[2];
  long filled = number;
  for (int i = 0; i < 60 && pipe(ends) == 0; i++) filled += fill(ends[1]);
  for (int i = 0; i < 440 && socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0; i++)
    filled += fill(ends[0]) + fill(ends[1]);
  printf("GAINED %ld MiB of buffers\n", filled >> 20);
  exit(0);
}

int main(void) {
  const char *names[] = {"heap", "shared-map", "memfd", "files", "system-v", "posix", "stack", "children", "kernel"};
  void (*takers[])(long) = {take_heap,  take_shared_map, take_memfd,    take_files, take_system_v,
                            take_posix, take_stack,      take_children, take_kernel};
  char kind[16];
  if (scanf("%15s", kind) != 1) return 1;
  for (int i = 0; i < 9; i++)
    for (long number = 0; strcmp(kind, names[i]) == 0; number++) takers[i](number);
  return 1;
}
