import { readFileSync } from 'node:fs'
import { tryOr } from '../shared/try-or.ts'
import { type Mount, parseMountInfo } from './mount-info.ts'

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
function listOfUnit(facts: ContainerFacts): string[] {
  const { missing, masked, readOnly } = nameCommonRestrictions(facts)
  const needed = listMissingCapabilities(facts.status).map((name) => `CAP_${name}`)
  return [
    missing && `${missing}; CapabilityBoundingSet= with ${needed.join(' ')}.`,
    masked && `${masked}: without ProtectKernelTunables=, ProtectKernelLogs=, ProtectProc= and ProcSubset=.`,
    readOnly && `${readOnly}: without ProtectControlGroups=.`,
  ].filter(Boolean)
}

function listOfContainer(facts: ContainerFacts): string[] {
  const { missing, masked, readOnly, hasCgroups } = nameCommonRestrictions(facts)
  const needed = listMissingCapabilities(facts.status).map((name) => `--cap-add=${name}`)
  const profile = facts.profile.trim()
  return [
    missing && `${missing}; ${needed.join(' ')}.`,
    /^Seccomp:\s*2$/m.test(facts.status)
      ? 'A seccomp filter is in force, which may refuse mounts and pivot_root: --security-opt seccomp=unconfined.'
      : '',
    /\((enforce|kill)\)$/.test(profile)
      ? `The AppArmor profile ${profile} may refuse mounts: --security-opt apparmor=unconfined.`
      : '',
    masked && `${masked}: --security-opt systempaths=unconfined (Podman: --security-opt unmask=ALL).`,
    readOnly &&
      `${readOnly}: with --cap-add=SYS_ADMIN --cgroupns=private the entry point of the image ` +
        'makes them writable; elsewhere use --cgroupns=host --volume /sys/fs/cgroup:/sys/fs/cgroup.',
    hasCgroups
      ? ''
      : 'No control groups are mounted: --cgroupns=host --volume /sys/fs/cgroup:/sys/fs/cgroup.',
  ].filter(Boolean)
}

/** The restrictions of units and containers in words; empty without one. */
function nameCommonRestrictions({ status, mountInfo }: ContainerFacts) {
  const missing = listMissingCapabilities(status)
  const mounts = parseMountInfo(mountInfo)
  const cgroups = mounts.filter(({ type }) => /^cgroup2?$/.test(type))
  const masked = mounts.filter(({ mountPoint }) => MASKED.test(mountPoint))
  const readOnly = cgroups.filter(({ options }) => options.includes('ro'))
  const list = (places: readonly Mount[]) => places.map(({ mountPoint }) => mountPoint).join(', ')
  return {
    missing: missing.length > 0 ? `Missing capabilities: ${missing.join(', ')}` : '',
    masked:
      masked.length > 0
        ? `Parts of /proc are hidden or read-only (${list(masked)}), so the kernel refuses a /proc for programs`
        : '',
    readOnly: readOnly.length > 0 ? `Control groups are mounted read-only (${list(readOnly)})` : '',
    hasCgroups: cgroups.length > 0,
  }
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
  // A kernel without AppArmor and SELinux has no profile.
  const read = (name: string) => tryOr(() => readFileSync(`/proc/self/${name}`, 'utf8'), '')
  return {
    status: read('status'),
    mountInfo: read('mountinfo'),
    profile: read('attr/current'),
    cgroup: read('cgroup'),
  }
}

function listMissingCapabilities(status: string): string[] {
  const [isRoot, digits] = [/^Uid:\s*\d+\s+0\s/m.test(status), /^CapEff:\s*([\da-f]+)$/m.exec(status)?.[1]]
  // Another user needs none: it uses user namespaces.
  if (!isRoot || digits === undefined) return []
  const effective = BigInt(`0x${digits}`)
  return NEEDED.filter(([, number]) => ((effective >> BigInt(number)) & 1n) === 0n).map(([name]) => name)
}
