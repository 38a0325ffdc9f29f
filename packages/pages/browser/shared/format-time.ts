/** A time of the day with its zone, because people may be in several: `18:38:02 UTC`. */
export function formatTime(
  instant: string,
  { withSeconds = true, zone }: { withSeconds?: boolean; zone?: string } = {},
): string {
  return new Date(instant).toLocaleTimeString([], {
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short', timeZone: zone },
    ...(withSeconds && { second: '2-digit' }),
  })
}
