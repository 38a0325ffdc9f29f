/** The processors that the filter knows, by Node's names. */
export type Processor = 'x64' | 'arm64'

type Numbers = Readonly<Record<Processor, number | undefined>>

const call = <Arm extends number | undefined>(x64: number, arm64: Arm) => ({ x64, arm64 })
/** Calls since Linux 5.1 have the same number on every processor. */
const recent = (number: number) => call(number, number)

/**
 * Calls that no program may make, with their numbers from the kernel's `unistd.h`; undefined where
 * a processor does not have the call.
 */
export const REFUSED_CALLS: Readonly<Record<string, Numbers>> = {
  // Keyrings outlive a program.
  add_key: call(248, 217),
  request_key: call(249, 218),
  keyctl: call(250, 219),
  // Other processes, their memory and their descriptors.
  ptrace: call(101, 117),
  process_vm_readv: call(310, 270),
  process_vm_writev: call(311, 271),
  process_madvise: recent(440),
  process_mrelease: recent(448),
  pidfd_getfd: recent(438),
  kcmp: call(312, 272),
  migrate_pages: call(256, 238),
  move_pages: call(279, 239),
  // Namespaces and mounts.
  unshare: call(272, 97),
  setns: call(308, 268),
  mount: call(165, 40),
  umount2: call(166, 39),
  pivot_root: call(155, 41),
  chroot: call(161, 51),
  open_tree: recent(428),
  move_mount: recent(429),
  fsopen: recent(430),
  fsconfig: recent(431),
  fsmount: recent(432),
  fspick: recent(433),
  mount_setattr: recent(442),
  statmount: recent(457),
  listmount: recent(458),
  // Files by handle, and events on files that other programs use.
  name_to_handle_at: call(303, 264),
  open_by_handle_at: call(304, 265),
  inotify_init: call(253, undefined),
  inotify_init1: call(294, 26),
  fanotify_init: call(300, 262),
  cachestat: recent(451),
  // Contexts of the whole machine, of which there is a fixed number.
  io_setup: call(206, 0),
  // Large parts of the kernel that a program does not need.
  bpf: call(321, 280),
  io_uring_setup: recent(425),
  io_uring_enter: recent(426),
  io_uring_register: recent(427),
  userfaultfd: call(323, 282),
  perf_event_open: call(298, 241),
  memfd_secret: recent(447),
  modify_ldt: call(154, undefined),
  iopl: call(172, undefined),
  ioperm: call(173, undefined),
  lookup_dcookie: call(212, 18),
  // Administration of the machine: the kernel refuses these without privileges too.
  init_module: call(175, 105),
  finit_module: call(313, 273),
  delete_module: call(176, 106),
  kexec_load: call(246, 104),
  kexec_file_load: call(320, 294),
  reboot: call(169, 142),
  swapon: call(167, 224),
  swapoff: call(168, 225),
  acct: call(163, 89),
  quotactl: call(179, 60),
  quotactl_fd: recent(443),
  syslog: call(103, 116),
  vhangup: call(153, 58),
}

/**
 * The newest call that was looked at when this table was written (mseal). Later ones fail with
 * ENOSYS.
 */
export const NEWEST_CALL = 462

/** Calls whose arguments decide. */
export const CHECKED_CALLS = {
  clone: call(56, 220),
  clone3: recent(435),
  socket: call(41, 198),
  socketpair: call(53, 199),
  fcntl: call(72, 25),
  flock: call(73, 32),
} as const
