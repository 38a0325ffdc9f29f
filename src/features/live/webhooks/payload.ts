/** Notifications of a contest, each as JSON text, with its type. */
export interface ReadNotifications {
  readonly notifications: readonly string[]
  readonly types: readonly string[]
  /** Later notifications follow this position. */
  readonly position: string
}

const MOST_NOTIFICATIONS = 500
/** With the rest of the body less than 1 MiB. */
const MOST_BYTES = 1024 * 1024 - 100

/** The notifications of these types; no types: all. */
export function chooseTypes(read: ReadNotifications, types: readonly string[]): string[] {
  const { notifications } = read
  return types.length === 0
    ? [...notifications]
    : notifications.filter((_, place) => types.includes(read.types[place] ?? ''))
}

/**
 * Divides notifications, in their order, into the requests that send them: at most 500 and 1 MiB
 * each. One that is larger is alone.
 */
export function divide(notifications: readonly string[]): string[][] {
  const requests: string[][] = []
  let bytes = 0
  for (const notification of notifications) {
    const added = Buffer.byteLength(notification) + 1
    const last = requests.at(-1)
    if (last === undefined || last.length >= MOST_NOTIFICATIONS || bytes + added > MOST_BYTES) {
      requests.push([notification])
      bytes = added
    } else {
      last.push(notification)
      bytes += added
    }
  }
  return requests
}

/** The body of a request. */
export function bodyOf(eventId: number, notifications: readonly string[]): string {
  return `{"contest_id":"${eventId}","notifications":[${notifications.join(',')}]}`
}
