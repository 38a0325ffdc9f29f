import { readFileSync } from 'node:fs'
import { createNamespace, type Namespace, type NamespaceTools } from './namespace.ts'

export interface DevicesOptions {
  /** An empty folder for the devices. */
  readonly folder: string
  /** The folder of inputs, read-only in the namespace. */
  readonly inputFolder: string
  readonly isUserNamespace: boolean
  readonly tools: NamespaceTools
}

/** The parent namespace of programs' namespaces. */
export interface Devices {
  /** Makes a new namespace if the keeper was killed. Throws `SandboxFailure`. */
  get(): Promise<Namespace>
  close(): Promise<void>
}

const NAMES = ['null', 'zero', 'full', 'random', 'urandom']
const ACCESS_TIMES = /^(relatime|noatime|strictatime|nodiratime)$/

// Read-only devices still work, but no program can set their times to tell a later program
// something. Bubblewrap reads the list of mounts for each mount: without /sys a run is 7 % quicker.
const SCRIPT = `
umount -R -l /sys 2>/dev/null
devices=$1 inputs=$2 folder=$3 input_folder=$4 && shift 4 &&
mount --bind "$input_folder" "$input_folder" &&
mount -o "remount,bind,$inputs" "$input_folder" &&
mount -t tmpfs -o mode=0755,size=64k judge-devices "$folder" && cd "$folder" &&
for name in "$@"; do
  : > "$name" && mount --bind "/dev/$name" "$name" && mount -o "remount,bind,$devices" "$name" || exit 1
done &&
mkdir shm && ln -s /proc/self/fd fd &&
ln -s fd/0 stdin && ln -s fd/1 stdout && ln -s fd/2 stderr`

/** The first `get` makes the namespace. */
export function createDevices(options: DevicesOptions): Devices {
  let current: Promise<Namespace> | undefined
  return {
    get() {
      current = renew(current, options)
      return current
    },
    async close() {
      await (await current?.catch(() => undefined))?.close()
    },
  }
}

/** Each caller waits for the previous one, so that only one makes a new namespace. */
async function renew(previous: Promise<Namespace> | undefined, options: DevicesOptions): Promise<Namespace> {
  const known = await previous?.catch(() => undefined)
  return known && !known.hasEnded() ? known : mountDevices(options)
}

function mountDevices(options: DevicesOptions): Promise<Namespace> {
  const { folder, inputFolder, isUserNamespace, tools } = options
  const devices = ['ro', 'nosuid', 'noexec', ...readAccessTimes('/dev/null')]
  const inputs = ['ro', 'nosuid', 'nodev', 'noexec', ...readAccessTimes(inputFolder)]
  return createNamespace({
    ...{ tools, isUserNamespace, script: SCRIPT },
    args: [devices.join(','), inputs.join(','), folder, inputFolder, ...NAMES],
  })
}

/** The access time options of a path's mount: a user namespace must keep them. */
function readAccessTimes(path: string): string[] {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
  const isAbove = (point: string) => point === '/' || path === point || path.startsWith(`${point}/`)
  const above = mounts.filter(([, , , , point]) => point !== undefined && isAbove(point))
  // The longest mount point; of equal ones the last.
  const [, , , , , options = ''] =
    above.toSorted((left, right) => lengthOf(left) - lengthOf(right)).at(-1) ?? []
  return options.split(',').filter((option) => ACCESS_TIMES.test(option))
}

function lengthOf(mount: readonly string[]): number {
  return mount[4]?.length ?? 0
}
