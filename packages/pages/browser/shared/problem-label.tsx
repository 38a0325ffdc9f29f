import { channelsOf, readableOn } from './contrast.ts'

/** The label of a problem on its colour. */
export function ProblemLabel({
  label,
  color,
}: {
  readonly label: string
  readonly color?: string | undefined
}) {
  const known = color === undefined ? undefined : toHex(color)
  const style = known === undefined ? {} : { backgroundColor: known, color: readableOn(known) ?? '' }
  return (
    <span class="problem-label" style={style}>
      {label}
    </span>
  )
}

/** The hexadecimal notation of a colour, which may be a name; undefined for an unknown name. */
function toHex(color: string): string | undefined {
  if (channelsOf(color) !== undefined) return color
  const context = document.createElement('canvas').getContext('2d')
  if (context === null) return undefined
  // An unknown colour leaves the one before.
  const [first, second] = ['#000000', '#ffffff'].map((start) => {
    context.fillStyle = start
    context.fillStyle = color
    return String(context.fillStyle)
  })
  return first === second ? first : undefined
}
