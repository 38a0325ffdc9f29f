import { readFileSync } from 'node:fs'
import { createLauncher, type Launcher } from './launcher.ts'
import { parseMountInfo } from './mount-info.ts'
import { createNamespace, type Namespace, type NamespaceTools } from './namespace.ts'

export interface DevicesOptions {
  /** An empty folder for the devices. */
  readonly folder: string
  /** The folder of inputs, read-only in the namespace. */
  readonly inputFolder: string
  readonly isUserNamespace: boolean
  readonly tools: NamespaceTools
  readonly launcher: readonly string[]
}

export type Devices = ReturnType<typeof createDevices>

/** The launcher ends with the keeper, its parent. It is not in the namespace. */
interface DeviceNamespace extends Namespace {
  readonly launcher: Launcher
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

/** The parent namespace of programs' namespaces. The first `get` makes it. */
export function createDevices(options: DevicesOptions) {
  let current: Promise<DeviceNamespace> | undefined
  return {
    /** Makes a new namespace if the keeper or the launcher was killed. Throws `SandboxFailure`. */
    get(): Promise<DeviceNamespace> {
      current = renew(current, options)
      return current
    },
    async close(): Promise<void> {
      await (await current?.catch(() => undefined))?.close()
    },
  }
}

/** Each caller waits for the previous one, so that only one makes a new namespace. */
async function renew(
  previous: Promise<DeviceNamespace> | undefined,
  options: DevicesOptions,
): Promise<DeviceNamespace> {
  const known = await previous?.catch(() => undefined)
  if (known && !known.hasEnded() && !known.launcher.hasEnded()) return known
  await known?.close()
  return mountDevices(options)
}

async function mountDevices(options: DevicesOptions): Promise<DeviceNamespace> {
  const { folder, inputFolder, isUserNamespace, tools, launcher } = options
  const devices = ['ro', 'nosuid', 'noexec', ...readAccessTimes('/dev/null')]
  const inputs = ['ro', 'nosuid', 'nodev', 'noexec', ...readAccessTimes(inputFolder)]
  const namespace = await createNamespace({
    ...{ tools, isUserNamespace, script: SCRIPT, starter: launcher },
    args: [devices.join(','), inputs.join(','), folder, inputFolder, ...NAMES],
  })
  if (namespace.channel === undefined) throw new Error('the launcher has no channel')
  return { ...namespace, launcher: createLauncher(namespace.channel) }
}

/** The access time options of a path's mount: a user namespace must keep them. */
function readAccessTimes(path: string): string[] {
  const mounts = parseMountInfo(readFileSync('/proc/self/mountinfo', 'utf8'))
  const isAbove = (point: string) => point === '/' || path === point || path.startsWith(`${point}/`)
  // The longest mount point; of equal ones the last.
  const nearest = mounts
    .filter(({ mountPoint }) => isAbove(mountPoint))
    .toSorted((left, right) => left.mountPoint.length - right.mountPoint.length)
    .at(-1)
  return nearest?.options.filter((option) => ACCESS_TIMES.test(option)) ?? []
}
