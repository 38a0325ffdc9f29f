// "leave": leaves messages for other programs by every means. "stay": does so and waits. "look":
// looks for them.
// After the word come the name of the messages, the key of System V objects and a file that all
// programs share.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static char name[64], shared[64], queue_name[66] = "/";
static int key;
static const char *folders[] = {"/tmp", "/dev/shm", "/box", "/app", "/var/tmp"};

static int open_socket(int looking) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strcpy(address.sun_path + 1, name);
  socklen_t size = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name);
  int end = socket(AF_UNIX, SOCK_STREAM, 0);
  if (looking) return connect(end, (void *)&address, size);
  return bind(end, (void *)&address, size) || listen(end, 5);
}

static int open_port(int looking) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(10000 + key % 20000), .sin_addr.s_addr = htonl(0x7f000001)};
  int end = socket(AF_INET, SOCK_STREAM, 0);
  if (looking) return connect(end, (void *)&address, sizeof address);
  return bind(end, (void *)&address, sizeof address) || listen(end, 5);
}

static void leave(void) {
  char path[100];
  for (int i = 0; i < 5; i++) {
    snprintf(path, sizeof path, "%s/%s", folders[i], name);
    close(open(path, O_CREAT | O_WRONLY, 0666));
  }
  shmget(key, 4096, IPC_CREAT | 0666);
  semget(key, 1, IPC_CREAT | 0666);
  msgget(key, IPC_CREAT | 0666);
  mq_open(queue_name, O_CREAT | O_RDWR, 0666, 0);
  open_socket(0);
  open_port(0);
  for (int keyring = -1; keyring >= -5; keyring--) syscall(SYS_add_key, "user", name, "x", 1, keyring);
  syscall(SYS_keyctl, 5, syscall(SYS_keyctl, 0, -4, 1), 0x3f3f3f3f);
  struct flock lock = {.l_type = F_RDLCK};
  flock(open(shared, O_RDONLY), LOCK_SH);
  fcntl(open(shared, O_RDONLY), F_OFD_SETLK, &lock);
  fcntl(open(shared, O_RDONLY), F_SETLK, &lock);
  prctl(PR_SET_NAME, "messages-left");
}

static void look_for_objects(void) {
  int memory = shmget(key, 0, 0), semaphore = semget(key, 0, 0), queue = msgget(key, 0);
  if (memory >= 0) printf("GAINED shared memory (%d)\n", shmctl(memory, IPC_RMID, 0));
  if (semaphore >= 0) printf("GAINED semaphore (%d)\n", semctl(semaphore, 0, IPC_RMID));
  if (queue >= 0) printf("GAINED message queue (%d)\n", msgctl(queue, IPC_RMID, 0));
  if (mq_open(queue_name, O_RDONLY) >= 0) printf("GAINED POSIX message queue (%d)\n", mq_unlink(queue_name));
  if (open_socket(1) == 0) puts("GAINED abstract socket");
  if (open_port(1) == 0) puts("GAINED port");
}

static void look_for_keys(void) {
  for (int keyring = -1; keyring >= -5; keyring--) {
    long found = syscall(SYS_keyctl, 10, keyring, "user", name, 0);
    if (found >= 0) printf("GAINED key in keyring %d (%ld)\n", keyring, syscall(SYS_keyctl, 21, found));
  }
  if (syscall(SYS_request_key, "user", name, 0, 0) >= 0) puts("GAINED requested key");
}

static void look_for_locks(void) {
  struct flock lock = {.l_type = F_WRLCK};
  if (flock(open(shared, O_RDONLY), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) puts("GAINED flock");
  if (fcntl(open(shared, O_RDONLY), F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK) puts("GAINED lock");
}

static void look(void) {
  char path[100];
  for (int i = 0; i < 5; i++) {
    snprintf(path, sizeof path, "%s/%s", folders[i], name);
    if (access(path, F_OK) == 0) printf("GAINED %s (%d)\n", path, unlink(path));
  }
  look_for_objects();
  look_for_keys();
  look_for_locks();
}

int main(void) {
  char word[8] = "";
  if (scanf("%7s %63s %d %63s", word, name, &key, shared) != 4) return 1;
  strcat(queue_name, name);
  if (strcmp(word, "look") == 0) look();
  else leave();
  puts("done");
  fflush(stdout);
  if (strcmp(word, "look") == 0) return 0;
  if (strcmp(word, "leave") == 0 && fork() > 0) return 0;
  for (;;) pause();
}
