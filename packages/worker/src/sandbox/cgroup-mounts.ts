import { readFile } from 'node:fs/promises'
import { type Mount, parseMountInfo } from './mount-info.ts'

export interface CgroupPlace {
  readonly version: 1 | 2
  /** The path of this process's cgroup. */
  readonly directory: string
  /** The highest group that this process can see. */
  readonly mountPoint: string
}

/** Finds this process's cgroups by controller; `unified` is that of version 2. */
export async function readCgroupPlaces(): Promise<Map<string, CgroupPlace>> {
  const [cgroup, mountInfo] = ['/proc/self/cgroup', '/proc/self/mountinfo']
  return findCgroupPlaces(await readFile(cgroup, 'utf8'), await readFile(mountInfo, 'utf8'))
}

/**
 * Finds this process's cgroups from the texts of `/proc/self/cgroup` and `/proc/self/mountinfo`: by
 * controller for version 1, as `unified` for version 2.
 */
export function findCgroupPlaces(cgroupText: string, mountInfoText: string): Map<string, CgroupPlace> {
  const mounts = parseMountInfo(mountInfoText)
  const places = new Map<string, CgroupPlace>()
  for (const line of cgroupText.split('\n')) {
    const [, id, controllers, path] = /^(\d+):([^:]*):(.*)$/.exec(line) ?? []
    if (id === undefined || controllers === undefined || path === undefined) continue
    const version = id === '0' && controllers === '' ? 2 : 1
    for (const controller of version === 2 ? ['unified'] : controllers.split(',')) {
      const mount = mounts.find(({ type, superOptions }) =>
        version === 2 ? type === 'cgroup2' : type === 'cgroup' && superOptions.includes(controller),
      )
      if (!mount) continue
      const { mountPoint } = mount
      places.set(controller, { version, mountPoint, directory: placeInMount(mount, path) })
    }
  }
  return places
}

function placeInMount(mount: Mount, path: string): string {
  const below = mount.root !== '/' && path.startsWith(mount.root) ? path.slice(mount.root.length) : path
  return `${mount.mountPoint}${below}`.replace(/\/+$/, '')
}
