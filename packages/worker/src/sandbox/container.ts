import { readFileSync } from 'node:fs'

/** Texts of files below /proc/self, with which an engine's restrictions can be recognised. */
export interface ContainerFacts {
  /** `/proc/self/status` */
  readonly status: string
  /** `/proc/self/mountinfo` */
  readonly mountInfo: string
  /** `/proc/self/attr/current`: the profile of AppArmor or the label of SELinux; else empty. */
  readonly profile: string
}

// Numbers of capabilities, from the kernel's `capability.h`.
const NEEDED = [
  ['CHOWN', 0],
  ['KILL', 5],
  ['SETGID', 6],
  ['SETUID', 7],
  ['SYS_ADMIN', 21],
] as const
const MASKED =
  /^\/proc\/(acpi|asound|bus|fs|interrupts|irq|kcore|keys|latency_stats|sched_debug|scsi|sys|sysrq-trigger|timer_list|timer_stats)$/

/** What the process may not do, each with the option of a container engine that allows it. */
export function listRestrictions({ status, mountInfo, profile }: ContainerFacts): string[] {
  const mounts = parseMounts(mountInfo)
  const missing = listMissingCapabilities(status)
  const readOnly = mounts.filter(({ type, isReadOnly }) => /^cgroup2?$/.test(type) && isReadOnly)
  const masked = mounts.filter(({ place }) => MASKED.test(place)).map(({ place }) => place)
  return [
    ...(missing.length > 0
      ? [
          `The capabilities ${missing.join(', ')} are missing: ${missing.map((name) => `--cap-add=${name}`).join(' ')}.`,
        ]
      : []),
    ...(/^Seccomp:\s*2$/m.test(status)
      ? [
          'A seccomp filter is in force, which may refuse mounts and pivot_root: --security-opt seccomp=unconfined.',
        ]
      : []),
    ...(/\((enforce|kill)\)$/.test(profile.trim())
      ? [`The AppArmor profile ${profile.trim()} may refuse mounts: --security-opt apparmor=unconfined.`]
      : []),
    ...(masked.length > 0
      ? [
          `Parts of /proc are hidden or read-only (${masked.join(', ')}), so the kernel refuses a /proc for programs: ` +
            '--security-opt systempaths=unconfined (Podman: --security-opt unmask=ALL).',
        ]
      : []),
    ...(readOnly.length > 0
      ? [
          `Control groups are mounted read-only (${readOnly.map(({ place }) => place).join(', ')}): with ` +
            '--cap-add=SYS_ADMIN --cgroupns=private the entry point of the image makes them writable; elsewhere use ' +
            '--cgroupns=host --volume /sys/fs/cgroup:/sys/fs/cgroup.',
        ]
      : []),
    ...(mounts.some(({ type }) => /^cgroup2?$/.test(type))
      ? []
      : ['No control groups are mounted: --cgroupns=host --volume /sys/fs/cgroup:/sys/fs/cgroup.']),
  ]
}

/** The restrictions of this process as a paragraph of a message; empty if there are none. */
export function describeRestrictions(): string {
  const restrictions = listRestrictions({
    status: readOrNothing('/proc/self/status'),
    mountInfo: readOrNothing('/proc/self/mountinfo'),
    profile: readOrNothing('/proc/self/attr/current'),
  })
  if (restrictions.length === 0) return ''
  const list = restrictions.map((restriction) => `  ${restriction}`).join('\n')
  return `\nThis process is restricted, as in a container. The options for docker run:\n${list}`
}

function listMissingCapabilities(status: string): string[] {
  const [isRoot, digits] = [/^Uid:\s*\d+\s+0\s/m.test(status), /^CapEff:\s*([\da-f]+)$/m.exec(status)?.[1]]
  // Another user needs none: it uses user namespaces.
  if (!isRoot || digits === undefined) return []
  const effective = BigInt(`0x${digits}`)
  return NEEDED.filter(([, number]) => ((effective >> BigInt(number)) & 1n) === 0n).map(([name]) => name)
}

function parseMounts(mountInfo: string) {
  return mountInfo.split('\n').flatMap((line) => {
    const [left = '', right = ''] = line.split(' - ')
    const [, , , , place, options = ''] = left.split(' ')
    const [type = ''] = right.split(' ')
    return place === undefined ? [] : [{ place, type, isReadOnly: options.split(',').includes('ro') }]
  })
}

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // The kernel has no AppArmor and no SELinux.
    return ''
  }
}
