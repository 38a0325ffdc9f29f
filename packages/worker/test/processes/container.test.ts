import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type ContainerFacts, listRestrictions } from '../../src/sandbox/container.ts'
import { missing, testUnless } from '../support/requirements.ts'

/** All capabilities, without a filter; control groups of version 2 that can be written. */
const FREE: ContainerFacts = {
  status: 'Uid:\t0\t0\t0\t0\nCapEff:\t000001ffffffffff\nSeccomp:\t0\n',
  mountInfo: [
    '600 500 0:50 / /proc rw,nosuid,nodev,noexec,relatime - proc proc rw',
    '601 500 0:51 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime - cgroup2 cgroup rw',
  ].join('\n'),
  profile: 'unconfined\n',
  cgroup: '0::/\n',
}
const JUDGE_SERVICE = '0::/system.slice/judge.service/judge-supervisor\n'

describe('restrictions of a container', () => {
  it.each([
    // What Docker gives by default.
    ['SYS_ADMIN', '00000000a80425fb', 'SYS_ADMIN; --cap-add=SYS_ADMIN.'],
    // Without it nobody enters a mount namespace.
    ['SYS_CHROOT', '00000000002000e1', 'SYS_CHROOT; --cap-add=SYS_CHROOT.'],
    ['all', '0000000000000000', 'CHOWN, KILL, SETGID, SETUID, SYS_CHROOT, SYS_ADMIN;'],
  ])('name the missing capabilities of root, and the option that gives them: %s', (_, bits, expected) => {
    const status = FREE.status.replace('000001ffffffffff', bits)
    const missing = expect.stringContaining(`Missing capabilities: ${expected}`)
    expect(listRestrictions({ ...FREE, status })).toEqual([missing])
  })

  it('name options of the unit in a systemd service, and not the filter of SystemCallArchitectures=', () => {
    const filtered = { ...FREE, status: FREE.status.replace('Seccomp:\t0', 'Seccomp:\t2') }
    for (const cgroup of [JUDGE_SERVICE, '0::/system.slice/judge.service\n', `1:name=systemd:/a.service\n`])
      expect(listRestrictions({ ...filtered, cgroup })).toEqual([])
    const restricted = {
      status: filtered.status.replace('000001ffffffffff', '00000000002000e1'),
      mountInfo: `${FREE.mountInfo.replace('/sys/fs/cgroup rw', '/sys/fs/cgroup ro')}\n602 600 0:50 /sys /proc/sys ro - proc proc rw`,
    }
    expect(listRestrictions({ ...FREE, ...restricted, cgroup: JUDGE_SERVICE })).toEqual([
      'Missing capabilities: SYS_CHROOT; CapabilityBoundingSet= with CAP_SYS_CHROOT.',
      expect.stringMatching(/\/proc\/sys.*: without ProtectKernelTunables=/),
      'Control groups are mounted read-only (/sys/fs/cgroup): without ProtectControlGroups=.',
    ])
    // A container with the control groups of its host.
    expect(listRestrictions({ ...filtered, cgroup: '0::/system.slice/docker-abc.scope\n' })).toHaveLength(1)
  })

  it('are none if nothing restricts the process; another user than root needs no capability', () => {
    expect(listRestrictions(FREE)).toEqual([])
    const status = 'Uid:\t1000\t1000\t1000\t1000\nCapEff:\t0000000000000000\nSeccomp:\t0\n'
    expect(listRestrictions({ ...FREE, status })).toEqual([])
  })

  it('name a seccomp filter and a profile of AppArmor', () => {
    const status = FREE.status.replace('Seccomp:\t0', 'Seccomp:\t2')
    expect(listRestrictions({ ...FREE, status, profile: 'docker-default (enforce)\n' })).toEqual([
      expect.stringMatching(/seccomp filter .*--security-opt seccomp=unconfined/),
      expect.stringMatching(/docker-default \(enforce\) .*--security-opt apparmor=unconfined/),
    ])
  })

  it('name the hidden parts of /proc, read-only control groups of both versions, and their absence', () => {
    const hidden = [
      FREE.mountInfo,
      '602 600 0:52 /null /proc/kcore rw,nosuid - tmpfs tmpfs rw',
      '603 600 0:50 /sys /proc/sys ro,relatime - proc proc rw',
    ]
    expect(listRestrictions({ ...FREE, mountInfo: hidden.join('\n') })).toEqual([
      expect.stringMatching(/\(\/proc\/kcore, \/proc\/sys\).*systempaths=unconfined/),
    ])
    const readOnly = FREE.mountInfo.replace('cgroup rw', 'cgroup ro')
    const version1 = `${readOnly}\n602 601 0:30 /docker/x /sys/fs/cgroup/pids ro,nosuid - cgroup cgroup rw,pids`
    expect(listRestrictions({ ...FREE, mountInfo: version1 })).toEqual([
      expect.stringMatching(/read-only \(\/sys\/fs\/cgroup, \/sys\/fs\/cgroup\/pids\)/),
    ])
    const [proc = ''] = FREE.mountInfo.split('\n')
    expect(listRestrictions({ ...FREE, mountInfo: proc })).toEqual([
      expect.stringContaining('No control groups are mounted'),
    ])
  })
})

const noRestriction = process.getuid?.() === 0 ? missing('setpriv', ['--version']) : 'this user is not root'

testUnless(noRestriction)('a worker of root names missing capabilities before all else', async () => {
  const module = new URL('../../src/sandbox/open-sandbox.ts', import.meta.url).href
  // Without bwrap on the search path: the message would name its package.
  const script = `
  import { openSandbox } from '${module}'
  const logger = { info() {}, warn() {}, error() {} }
  await openSandbox({ mode: 'bubblewrap', searchPath: '/nowhere', logger }).catch((err) => console.log(err.message))`
  const kept = '-all,+chown,+dac_override,+kill,+setgid,+setuid,+sys_admin'
  const flags = ['--conditions=source', '--import', 'tsx', '--input-type=module', '-e', script]
  const argv = ['--bounding-set', kept, '--', process.execPath, ...flags]
  const { stdout } = await promisify(execFile)('setpriv', argv)
  expect(stdout).toMatch(/programs cannot be isolated completely[\s\S]*Missing capabilities: SYS_CHROOT;/)
})
