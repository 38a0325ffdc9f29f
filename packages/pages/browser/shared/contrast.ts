/** Black or white: what is easier to read on this colour, which is any colour of CSS. */
export function readableOn(color: string | undefined): 'black' | 'white' | undefined {
  const channels = color === undefined ? undefined : channelsOf(color)
  if (channels === undefined) return undefined
  const luminance = luminanceOf(channels)
  // The ratios of WCAG 2: against white, and against black.
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? 'white' : 'black'
}

/** Red, green and blue of a colour in hexadecimal notation, 0 to 255. */
export function channelsOf(color: string): readonly number[] | undefined {
  const digits = /^#(?:([\da-f]{3})[\da-f]?|([\da-f]{6})(?:[\da-f]{2})?)$/i.exec(color.trim())
  if (digits === null) return undefined
  const [, short, long = ''] = digits
  const pairs = short === undefined ? (long.match(/../g) ?? []) : [...short].map((digit) => digit + digit)
  return pairs.map((pair) => Number.parseInt(pair, 16))
}

function luminanceOf(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
