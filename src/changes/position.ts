/** A place in the change log, as a token for clients: a snapshot of a database at a time (P25). */
export interface Position {
  /** The running server and database that the snapshot belongs to; elsewhere it means nothing. */
  readonly database: string
  readonly atSeconds: number
  /** `pg_snapshot` as text: `xmin:xmax:xip,…`. */
  readonly snapshot: string
}

const TOKEN = /^([0-9a-f]{1,32})\.(\d{1,12})\.(\d{1,20}:\d{1,20}:(?:\d{1,20}(?:,\d{1,20})*)?)$/

/** A longer token names more open transactions than a database has connections. */
const LONGEST_TOKEN = 8192

/** Writes a position as a token. */
export function writePosition({ database, atSeconds, snapshot }: Position): string {
  return `${database}.${Math.floor(atSeconds)}.${snapshot}`
}

/** Reads a token; undefined if it is none. */
export function readPosition(token: string): Position | undefined {
  const [, database, atSeconds, snapshot] = (token.length <= LONGEST_TOKEN && TOKEN.exec(token)) || []
  if (database === undefined || snapshot === undefined || !isSnapshot(snapshot)) return undefined
  return { database, atSeconds: Number(atSeconds), snapshot }
}

const LARGEST_XID = 2n ** 63n

/** What PostgreSQL accepts: xmin <= xmax, and ascending transactions between them. */
function isSnapshot(snapshot: string): boolean {
  const [xmin = 0n, xmax = 0n, ...open] = snapshot.split(/[:,]/).filter(Boolean).map(BigInt)
  const inOrder = [xmin, ...open, xmax]
  const isAscending = inOrder.every((xid, place) => place === 0 || (inOrder[place - 1] ?? 0n) <= xid)
  return xmin > 0n && xmax < LARGEST_XID && isAscending && open.every((xid) => xid < xmax)
}
