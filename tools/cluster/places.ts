import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export type Role = 'etcd' | 'database' | 'queue' | 'service' | 'worker' | 'proxy'

export type Place = ReturnType<typeof readPlaces>[number]

const ROLES: Readonly<Record<string, Role>> = {
  ...{ etcd: 'etcd', db: 'database', mq: 'queue', api: 'service', worker: 'worker', proxy: 'proxy' },
}

export const deployFolder = fileURLToPath(new URL('../../deploy/cluster', import.meta.url))

/** Reads the machines from the cluster's own list of hosts. */
export function readPlaces() {
  const lines = readFileSync(`${deployFolder}/files/hosts`, 'utf8').matchAll(/^(\d\S+)\s+(\S+)$/gm)
  return [...lines].map(([, address = '', name = '']) => {
    const role = ROLES[name.replace(/\d+$/, '')]
    if (role === undefined) throw new Error(`no role for the machine ${name}`)
    return { name, address, role }
  })
}
