import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** A place in the change log: a snapshot of a database at a time (P25). */
export interface Position {
  /** The running server and database that the snapshot belongs to; elsewhere it means nothing. */
  readonly database: string
  readonly atSeconds: number
  /** `pg_snapshot` as text: `xmin:xmax:xip,…`. */
  readonly snapshot: string
}

export type PositionTokens = ReturnType<typeof createPositionTokens>

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Texts are filled up to a multiple of this: some twenty open transactions do not show. */
const BLOCK_BYTES = 256

/** A longer token names more open transactions than a database has connections. */
const LONGEST_TOKEN = 8192

/** Positions as encrypted tokens: a readable one would show how much is written (P25). */
export function createPositionTokens(secret: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'positions of the change log', KEY_BYTES))
  return {
    /** Writes a position. Each call writes another token, also for the same position. */
    write({ database, atSeconds, snapshot }: Position): string {
      const text = `${database} ${Math.floor(atSeconds)} ${snapshot}`
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce)
      const padded = text.padEnd(Math.ceil(text.length / BLOCK_BYTES) * BLOCK_BYTES)
      const encrypted = Buffer.concat([cipher.update(padded, 'latin1'), cipher.final()])
      return Buffer.concat([nonce, encrypted, cipher.getAuthTag()]).toString('base64url')
    },
    /** Reads a token; undefined if `write` has not written it with the same secret. */
    read(token: string): Position | undefined {
      const [database, atSeconds, snapshot] = decrypt(token, key)?.split(' ') ?? []
      if (database === undefined || snapshot === undefined) return undefined
      return { database, atSeconds: Number(atSeconds), snapshot }
    },
  }
}

function decrypt(token: string, key: Buffer): string | undefined {
  const bytes = Buffer.from(token.length <= LONGEST_TOKEN ? token : '', 'base64url')
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    return (
      decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'latin1') + decipher.final('latin1')
    )
  } catch {
    return undefined
  }
}
