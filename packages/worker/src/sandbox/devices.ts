import { readFileSync } from 'node:fs'
import { createNamespace, type Namespace, type NamespaceTools } from './namespace.ts'

export interface DevicesOptions {
  /** The empty folder where the devices are mounted. */
  readonly folder: string
  readonly isUserNamespace: boolean
  readonly tools: NamespaceTools
}

const NAMES = ['null', 'zero', 'full', 'random', 'urandom']
const ACCESS_TIMES = /^(relatime|noatime|strictatime|nodiratime)$/

// The devices are the machine's own. Read-only, they still work, but no program can set their times, which
// would tell a later program about an earlier one.
const SCRIPT = `
options=$1 && folder=$2 && shift 2 &&
mount -t tmpfs -o mode=0755,size=64k judge-devices "$folder" && cd "$folder" &&
for name in "$@"; do
  : > "$name" && mount --bind "/dev/$name" "$name" && mount -o "remount,bind,$options" "$name" || exit 1
done &&
mkdir shm && ln -s /proc/self/fd fd &&
ln -s fd/0 stdin && ln -s fd/1 stdout && ln -s fd/2 stderr`

/** Makes the namespace in which `folder` is the `/dev` of programs. Throws `SandboxFailure`. */
export function createDevices({ folder, isUserNamespace, tools }: DevicesOptions): Promise<Namespace> {
  return createNamespace({
    ...{ tools, isUserNamespace, script: SCRIPT },
    args: [['ro', 'nosuid', 'noexec', ...readAccessTimes()].join(','), folder, ...NAMES],
  })
}

/** How the mount of /dev/null keeps access times: in a user namespace that cannot be changed. */
function readAccessTimes(): string[] {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n')
  const fields = (line: string | undefined) => line?.split(' ') ?? []
  const ofDevices = ['/dev/null', '/dev', '/'].flatMap((point) =>
    mounts.filter((line) => fields(line)[4] === point).slice(-1),
  )
  return (fields(ofDevices[0])[5] ?? '').split(',').filter((option) => ACCESS_TIMES.test(option))
}
