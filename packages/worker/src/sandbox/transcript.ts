/** The first character of a line: `>` for a program's output, `<` for a validator's. */
type Mark = '>' | '<'

const NEW_LINE = 10

/**
 * What two programs wrote to each other, up to a size limit. Each line begins with its mark. A line
 * is divided where the other side wrote in its middle.
 */
export function createTranscript(limitBytes: number) {
  const parts: Buffer[] = []
  let room = limitBytes
  let isCut = false
  /** The mark of the last line unless it is complete. */
  let open: Mark | undefined
  const keep = (bytes: Buffer) => {
    isCut ||= bytes.length > room
    // A copy: a part of a chunk would keep the whole chunk in memory.
    if (room > 0) parts.push(Buffer.from(bytes.subarray(0, room)))
    room = Math.max(0, room - bytes.length)
  }
  return {
    add(mark: Mark, bytes: Buffer): void {
      if (open !== undefined && open !== mark) {
        keep(Buffer.from('\n'))
        open = undefined
      }
      for (let start = 0; start < bytes.length && !isCut; ) {
        const found = bytes.indexOf(NEW_LINE, start)
        const end = found === -1 ? bytes.length : found + 1
        if (open === undefined) keep(Buffer.from(mark))
        keep(bytes.subarray(start, end))
        open = found === -1 ? mark : undefined
        start = end
      }
    },
    read: () => Buffer.concat(parts),
    isCut: () => isCut,
  }
}
