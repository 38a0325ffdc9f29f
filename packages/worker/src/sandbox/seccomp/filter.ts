import { CHECKED_CALLS, NEWEST_CALL, type Processor, REFUSED_CALLS } from './system-calls.ts'

export interface FilterOptions {
  readonly processor: Processor
  /** True for programs that may lock files. */
  readonly locks: boolean
}

// The `audit.h` names of the processors.
const ARCHITECTURES: Readonly<Record<Processor, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 }
const FIRST_X32_CALL = 0x40000000

// Offsets in `struct seccomp_data`. Only the low half of an argument matters to the checked calls.
const NUMBER = 0
const ARCHITECTURE = 4
const ARGUMENTS = [16, 24] as const

const LOAD = 0x20
const RETURN = 0x06
const JUMP_IF_EQUAL = 0x15
const JUMP_IF_AT_LEAST = 0x35
const JUMP_IF_ANY_BIT = 0x45

const ALLOW = 0x7fff0000
const EPERM = 1
const ENOSYS = 38
const failWith = (errno: number) => 0x00050000 | errno

// CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET.
const NEW_NAMESPACES = 0x7e020000
// AF_UNIX, AF_INET and AF_INET6.
const SOCKET_FAMILIES = [1, 2, 10]
// F_GETLK, F_SETLK, F_SETLKW, F_OFD_GETLK, F_OFD_SETLK and F_OFD_SETLKW.
const LOCK_COMMANDS = [5, 6, 7, 36, 37, 38]
// F_SETLEASE and F_NOTIFY report other programs' use of files. F_SET_RW_HINT and
// F_SET_FILE_RW_HINT mark a file; some kernels allow this to users who do not own it.
const SHARED_FILE_COMMANDS = [1024, 1026, 1036, 1038]

interface Instruction {
  readonly code: number
  readonly value: number
  /** Instructions to skip when the condition holds, and when it does not. */
  readonly skipIfTrue?: number
  readonly skipIfFalse?: number
}

/** True if `processor`, a value of `process.arch`, is supported. */
export function isKnownProcessor(processor: string): processor is Processor {
  return processor in ARCHITECTURES
}

/**
 * Makes the seccomp filter as the bytes that bubblewrap reads. `clone3` fails with ENOSYS, so that
 * the C library uses `clone`, whose flags can be checked. Other refused calls fail with EPERM.
 */
export function makeSeccompFilter({ processor, locks }: FilterOptions): Buffer {
  const { clone, clone3, socket, socketpair, fcntl, flock } = CHECKED_CALLS
  const commands = [...SHARED_FILE_COMMANDS, ...(locks ? [] : LOCK_COMMANDS)]
  const refused = Object.values(REFUSED_CALLS).concat(locks ? [] : [flock])
  return encode([
    { code: LOAD, value: ARCHITECTURE },
    { code: JUMP_IF_EQUAL, value: ARCHITECTURES[processor], skipIfTrue: 1 },
    fail(EPERM),
    { code: LOAD, value: NUMBER },
    ...(processor === 'x64' ? [skipUnless(JUMP_IF_AT_LEAST, FIRST_X32_CALL), fail(EPERM)] : []),
    skipUnless(JUMP_IF_AT_LEAST, NEWEST_CALL + 1),
    fail(ENOSYS),
    ...refused.flatMap((call) => onCall(call[processor], [fail(EPERM)])),
    ...onCall(clone3[processor], [fail(ENOSYS)]),
    ...onCall(clone[processor], [
      loadArgument(0),
      skipUnless(JUMP_IF_ANY_BIT, NEW_NAMESPACES),
      fail(EPERM),
      allow,
    ]),
    ...[socket, socketpair].flatMap((call) => onCall(call[processor], allowOnly(SOCKET_FAMILIES))),
    ...onCall(fcntl[processor], [
      loadArgument(1),
      ...commands.flatMap((command) => [skipUnless(JUMP_IF_EQUAL, command), fail(EPERM)]),
      allow,
    ]),
    allow,
  ])
}

const allow: Instruction = { code: RETURN, value: ALLOW }
const fail = (errno: number): Instruction => ({ code: RETURN, value: failWith(errno) })
const loadArgument = (index: 0 | 1): Instruction => ({ code: LOAD, value: ARGUMENTS[index] })
const skipUnless = (code: number, value: number): Instruction => ({ code, value, skipIfFalse: 1 })

/** Instructions for one call, which must end in a return. Other calls skip them. */
function onCall(number: number | undefined, instructions: readonly Instruction[]): Instruction[] {
  if (number === undefined) return []
  return [{ code: JUMP_IF_EQUAL, value: number, skipIfFalse: instructions.length }, ...instructions]
}

function allowOnly(values: readonly number[]): Instruction[] {
  const checks = values.flatMap((value) => [skipUnless(JUMP_IF_EQUAL, value), allow])
  return [loadArgument(0), ...checks, fail(EPERM)]
}

/** Writes `struct sock_filter` items; both processors are little-endian. */
function encode(instructions: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(instructions.length * 8)
  for (const [index, instruction] of instructions.entries()) {
    bytes.writeUInt16LE(instruction.code, index * 8)
    bytes.writeUInt8(instruction.skipIfTrue ?? 0, index * 8 + 2)
    bytes.writeUInt8(instruction.skipIfFalse ?? 0, index * 8 + 3)
    bytes.writeUInt32LE(instruction.value >>> 0, index * 8 + 4)
  }
  return bytes
}
