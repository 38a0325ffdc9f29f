/** One call as the kernel shows it to a filter; `audit.h` names the architectures. */
interface SystemCall {
  readonly architecture: number
  readonly number: number
  readonly args?: readonly bigint[]
}

type Outcome = 'allowed' | { errno: number }

const [LOAD, RETURN, JUMP_IF_EQUAL, JUMP_IF_AT_LEAST, JUMP_IF_ANY_BIT] = [0x20, 0x06, 0x15, 0x35, 0x45]
const [RETURN_ALLOW, RETURN_ERRNO] = [0x7fff0000, 0x0005]

/**
 * Runs a seccomp filter as the kernel does. Throws on an instruction that a filter must not have.
 */
export function runFilter(filter: Buffer, call: SystemCall): Outcome {
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

/** Writes `struct seccomp_data`. */
function writeCall({ architecture, number, args = [] }: SystemCall): Buffer {
  const data = Buffer.alloc(64)
  data.writeUInt32LE(number, 0)
  data.writeUInt32LE(architecture, 4)
  for (const [index, arg] of args.entries()) data.writeBigUInt64LE(arg, 16 + index * 8)
  return data
}
