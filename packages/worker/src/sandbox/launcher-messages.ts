/**
 * Makes a message to the launcher. Like those that it sends, it is a text with its length before
 * it, in which each field has its length before it. Throws for NUL: it would cut a word short.
 */
export function encodeMessage(fields: readonly string[]): Buffer {
  if (fields.some((field) => field.includes('\0'))) throw new Error('a command or its environment has a NUL')
  return addLength(Buffer.concat(fields.map((field) => addLength(Buffer.from(field)))))
}

/** Calls `take` with the fields of each complete message in the bytes that it gets. */
export function createMessageReader(take: (fields: readonly string[]) => void): (bytes: Buffer) => void {
  let received: Buffer = Buffer.alloc(0)
  return (bytes) => {
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes])
    while (received.length >= 4 && received.length >= 4 + received.readUInt32BE(0)) {
      const end = 4 + received.readUInt32BE(0)
      const message = received.subarray(4, end)
      received = received.subarray(end)
      take(listFields(message))
    }
  }
}

function addLength(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

function listFields(message: Buffer): string[] {
  const fields: string[] = []
  for (let start = 0; start < message.length; ) {
    const end = start + 4 + message.readUInt32BE(start)
    fields.push(message.toString('utf8', start + 4, end))
    start = end
  }
  return fields
}
