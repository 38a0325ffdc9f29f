import { readFileSync } from 'node:fs'

/** Texts of files below /proc/self, with which restrictions can be recognised. */
export interface ContainerFacts {
  /** `/proc/self/status` */
  readonly status: string
  /** `/proc/self/mountinfo` */
  readonly mountInfo: string
  /** `/proc/self/attr/current`: the profile of AppArmor or the label of SELinux; else empty. */
  readonly profile: string
  /** `/proc/self/cgroup` */
  readonly cgroup: string
}

// Numbers of capabilities, from the kernel's `capability.h`.
const NEEDED = [
  ['CHOWN', 0],
  ['KILL', 5],
  ['SETGID', 6],
  ['SETUID', 7],
  ['SYS_CHROOT', 18],
  ['SYS_ADMIN', 21],
] as const
const MASKED =
  /^\/proc\/(acpi|asound|bus|fs|interrupts|irq|kcore|keys|latency_stats|sched_debug|scsi|sys|sysrq-trigger|timer_list|timer_stats)$/
/** The group of a systemd service, or the leaf in it. Containers have other groups. */
const SERVICE = /^(0:|1:name=systemd):\/.*\.service(\/judge-supervisor)?$/m

/** What the process may not do, each with the option of an engine or unit that allows it. */
export function listRestrictions(facts: ContainerFacts): string[] {
  return isSystemdService(facts) ? listOfUnit(facts) : listOfContainer(facts)
}

function isSystemdService({ cgroup }: ContainerFacts): boolean {
  return SERVICE.test(cgroup)
}

/** Not its seccomp filters: SystemCallArchitectures= is one too, and disturbs nothing. */
function listOfUnit({ status, mountInfo }: ContainerFacts): string[] {
  const missing = listMissingCapabilities(status)
  const { masked, readOnly } = findMounts(mountInfo)
  return [
    ...(missing.length > 0
      ? [
          `${nameMissing(missing)}; CapabilityBoundingSet= with ${missing.map((name) => `CAP_${name}`).join(' ')}.`,
        ]
      : []),
    ...(masked.length > 0
      ? [
          `${nameMasked(masked)}: without ProtectKernelTunables=, ProtectKernelLogs=, ProtectProc= and ProcSubset=.`,
        ]
      : []),
    ...(readOnly.length > 0 ? [`${nameReadOnly(readOnly)}: without ProtectControlGroups=.`] : []),
  ]
}

function listOfContainer({ status, mountInfo, profile }: ContainerFacts): string[] {
  const missing = listMissingCapabilities(status)
  const { masked, readOnly, hasCgroups } = findMounts(mountInfo)
  return [
    ...(missing.length > 0
      ? [`${nameMissing(missing)}; ${missing.map((name) => `--cap-add=${name}`).join(' ')}.`]
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
      ? [`${nameMasked(masked)}: --security-opt systempaths=unconfined (Podman: --security-opt unmask=ALL).`]
      : []),
    ...(readOnly.length > 0
      ? [
          `${nameReadOnly(readOnly)}: with --cap-add=SYS_ADMIN --cgroupns=private the entry point of the image ` +
            'makes them writable; elsewhere use --cgroupns=host --volume /sys/fs/cgroup:/sys/fs/cgroup.',
        ]
      : []),
    ...(hasCgroups
      ? []
      : ['No control groups are mounted: --cgroupns=host --volume /sys/fs/cgroup:/sys/fs/cgroup.']),
  ]
}

function nameMissing(missing: readonly string[]): string {
  return `Missing capabilities: ${missing.join(', ')}`
}

function nameMasked(places: readonly string[]): string {
  return `Parts of /proc are hidden or read-only (${places.join(', ')}), so the kernel refuses a /proc for programs`
}

function nameReadOnly(places: readonly string[]): string {
  return `Control groups are mounted read-only (${places.join(', ')})`
}

/** The restrictions of this process as a paragraph of a message; empty if there are none. */
export function describeRestrictions(): string {
  const facts = readFacts()
  const restrictions = listRestrictions(facts)
  if (restrictions.length === 0) return ''
  const list = restrictions.map((restriction) => `  ${restriction}`).join('\n')
  const options = isSystemdService(facts)
    ? 'Its systemd unit restricts this process. It needs'
    : 'This process is restricted, as in a container. The options for docker run'
  return `\n${options}:\n${list}`
}

/** The capabilities that a worker of root needs and does not have; none for another user. */
export function findMissingCapabilities(): readonly string[] {
  return listMissingCapabilities(readFacts().status)
}

function readFacts(): ContainerFacts {
  return {
    status: readOrNothing('/proc/self/status'),
    mountInfo: readOrNothing('/proc/self/mountinfo'),
    profile: readOrNothing('/proc/self/attr/current'),
    cgroup: readOrNothing('/proc/self/cgroup'),
  }
}

function listMissingCapabilities(status: string): string[] {
  const [isRoot, digits] = [/^Uid:\s*\d+\s+0\s/m.test(status), /^CapEff:\s*([\da-f]+)$/m.exec(status)?.[1]]
  // Another user needs none: it uses user namespaces.
  if (!isRoot || digits === undefined) return []
  const effective = BigInt(`0x${digits}`)
  return NEEDED.filter(([, number]) => ((effective >> BigInt(number)) & 1n) === 0n).map(([name]) => name)
}

function findMounts(mountInfo: string) {
  const mounts = parseMounts(mountInfo)
  const cgroups = mounts.filter(({ type }) => /^cgroup2?$/.test(type))
  return {
    masked: mounts.filter(({ place }) => MASKED.test(place)).map(({ place }) => place),
    readOnly: cgroups.filter(({ isReadOnly }) => isReadOnly).map(({ place }) => place),
    hasCgroups: cgroups.length > 0,
  }
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
