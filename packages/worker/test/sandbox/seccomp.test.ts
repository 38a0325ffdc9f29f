import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { makeSeccompFilter } from '../../src/sandbox/seccomp/filter.ts'
import * as calls from '../../src/sandbox/seccomp/system-calls.ts'
import { testUnless } from '../support/requirements.ts'

const { CHECKED_CALLS, NEWEST_CALL, REFUSED_CALLS } = calls
const EPERM = { errno: 1 }
const ENOSYS = { errno: 38 }
const I386 = 0x40000003
const ARM = 0x40000028
const ARCHITECTURES = { x64: 0xc000003e, arm64: 0xc00000b7 }
const OTHER_HALF = 1n << 32n

const headers: Record<calls.Processor, string> = {
  x64: '/usr/include/x86_64-linux-gnu/asm/unistd_64.h',
  arm64: '/usr/include/asm-generic/unistd.h',
}

describe.each(['x64', 'arm64'] as const)('the filter on %s', (processor) => {
  const filter = makeSeccompFilter({ processor, locks: false })
  const withLocks = makeSeccompFilter({ processor, locks: true })
  const architecture = ARCHITECTURES[processor]
  const call = (number: number, ...args: bigint[]) => runFilter(filter, { architecture, number, args })
  const numberOf = (name: keyof typeof CHECKED_CALLS) => CHECKED_CALLS[name][processor]

  const refused = Object.entries(REFUSED_CALLS).flatMap(([name, numbers]) => {
    const number = numbers[processor]
    return number === undefined ? [] : [{ name, number }]
  })

  it.each(refused)('refuses $name with EPERM, also for programs that may lock', ({ number }) => {
    expect(call(number)).toEqual(EPERM)
    expect(runFilter(withLocks, { architecture, number })).toEqual(EPERM)
  })

  it('allows every other known call', () => {
    const named = Object.values({ ...REFUSED_CALLS, ...CHECKED_CALLS })
    const known = new Set(named.map((numbers) => numbers[processor]))
    for (let number = 0; number <= NEWEST_CALL; number += 1)
      if (!known.has(number)) expect([number, call(number)]).toEqual([number, 'allowed'])
  })

  it('refuses calls that are newer than the tables with ENOSYS', () => {
    for (const number of [NEWEST_CALL + 1, 467, 1000, 0x3fffffff]) expect(call(number)).toEqual(ENOSYS)
  })

  it('refuses all calls of other architectures', () => {
    for (const other of [I386, ARM, ARCHITECTURES[processor === 'x64' ? 'arm64' : 'x64'], 0])
      for (const number of [0, 1, 60, 250])
        expect(runFilter(filter, { architecture: other, number })).toEqual(EPERM)
  })

  it('allows clone without new namespaces only; clone3 is ENOSYS, so that the C library uses clone', () => {
    expect(call(numberOf('clone3'))).toEqual(ENOSYS)
    const threadFlags = 0x3d0f00n
    expect(call(numberOf('clone'), threadFlags)).toBe('allowed')
    expect(call(numberOf('clone'), 17n)).toBe('allowed')
    for (const flag of [0x20000n, 0x2000000n, 0x4000000n, 0x8000000n, 0x10000000n, 0x20000000n, 0x40000000n])
      expect(call(numberOf('clone'), threadFlags | flag)).toEqual(EPERM)
  })

  it.each(['socket', 'socketpair'] as const)('allows %s for UNIX and IP only', (name) => {
    const families = Array.from({ length: 64 }, (_, family) => BigInt(family))
    expect(families.filter((family) => call(numberOf(name), family) === 'allowed')).toEqual([1n, 2n, 10n])
    // The kernel reads an int: the other half of the register changes nothing.
    expect(call(numberOf(name), 16n | OTHER_HALF)).toEqual(EPERM)
    expect(call(numberOf(name), 1n | OTHER_HALF)).toBe('allowed')
  })

  it('refuses leases, notifications and hints on files, and locks unless the language needs them', () => {
    const fcntl = (command: bigint, given = filter) =>
      runFilter(given, { architecture, number: numberOf('fcntl'), args: [3n, command] })
    expect(call(numberOf('flock'))).toEqual(EPERM)
    expect(runFilter(withLocks, { architecture, number: numberOf('flock') })).toBe('allowed')
    for (const command of [5n, 6n, 7n, 36n, 37n, 38n]) {
      expect(fcntl(command)).toEqual(EPERM)
      expect(fcntl(command | OTHER_HALF)).toEqual(EPERM)
      expect(fcntl(command, withLocks)).toBe('allowed')
    }
    for (const command of [0n, 1n, 2n, 3n, 4n, 1030n, 1031n, 1033n]) expect(fcntl(command)).toBe('allowed')
    // Leases, notifications and hints on files.
    for (const command of [1024n, 1026n, 1036n, 1038n])
      for (const given of [filter, withLocks]) expect(fcntl(command, given)).toEqual(EPERM)
  })

  const missingHeader = existsSync(headers[processor]) ? undefined : `${headers[processor]} is not installed`
  testUnless(missingHeader)('has the numbers of the kernel’s header', async () => {
    const pattern = /^#define __NR(?:3264)?_(\w+)\s+(\d+)/gm
    const text = readFileSync(headers[processor], 'utf8')
    const known = new Map([...text.matchAll(pattern)].map(([, name = '', number]) => [name, Number(number)]))
    expect(known.size).toBeGreaterThan(250)
    const all = Object.entries({ ...REFUSED_CALLS, ...CHECKED_CALLS })
    const compared = all.filter(([name]) => known.has(name))
    // Older headers lack the newest calls.
    expect(compared.length).toBeGreaterThan(50)
    for (const [name, numbers] of compared)
      expect([name, numbers[processor]]).toEqual([name, known.get(name)])
  })
})

it('the filter on x86-64 refuses x32 calls', () => {
  const filter = makeSeccompFilter({ processor: 'x64', locks: true })
  for (const number of [0x40000000, 0x40000001, 0x40000200, 0xffffffff])
    expect(runFilter(filter, { architecture: ARCHITECTURES.x64, number })).toEqual(EPERM)
})

/** One call as the kernel shows it to a filter; `audit.h` names the architectures. */
interface SystemCall {
  readonly architecture: number
  readonly number: number
  readonly args?: readonly bigint[]
}

type Outcome = 'allowed' | { errno: number }

const [LOAD, RETURN, JUMP_IF_EQUAL, JUMP_IF_AT_LEAST, JUMP_IF_ANY_BIT] = [0x20, 0x06, 0x15, 0x35, 0x45]
const [RETURN_ALLOW, RETURN_ERRNO] = [0x7fff0000, 0x0005]

/** Runs a seccomp filter as the kernel does. Throws on instructions that it must not have. */
function runFilter(filter: Buffer, call: SystemCall): Outcome {
  const data = writeCall(call)
  let accumulator = 0
  for (let index = 0; index * 8 < filter.length; index += 1) {
    const code = filter.readUInt16LE(index * 8)
    const value = filter.readUInt32LE(index * 8 + 4)
    if (code === RETURN) return readOutcome(value)
    if (code === LOAD) accumulator = data.readUInt32LE(value)
    else index += filter.readUInt8(index * 8 + (holds(code, accumulator, value) ? 2 : 3))
  }
  throw new Error('the filter ends without a return')
}

function holds(code: number, accumulator: number, value: number): boolean {
  if (code === JUMP_IF_EQUAL) return accumulator === value
  if (code === JUMP_IF_AT_LEAST) return accumulator >= value
  if (code === JUMP_IF_ANY_BIT) return (accumulator & value) !== 0
  throw new Error(`the filter has the instruction ${code}`)
}

function readOutcome(value: number): Outcome {
  if (value === RETURN_ALLOW) return 'allowed'
  if (value >>> 16 === RETURN_ERRNO) return { errno: value & 0xffff }
  throw new Error(`the filter returns ${value}`)
}

function writeCall({ architecture, number, args = [] }: SystemCall): Buffer {
  const data = Buffer.alloc(64)
  data.writeUInt32LE(number, 0)
  data.writeUInt32LE(architecture, 4)
  for (const [index, arg] of args.entries()) data.writeBigUInt64LE(arg, 16 + index * 8)
  return data
}
