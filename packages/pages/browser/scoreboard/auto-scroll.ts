/** Where automatic scrolling is: it waits at both ends. */
export interface ScrollState {
  readonly phase: 'at top' | 'down' | 'at bottom' | 'up'
  /** Milliseconds in this phase. */
  readonly phaseMs: number
  /** Pixels from the top, with fractions. */
  readonly top: number
}

export interface ScrollSpace {
  /** The largest `top`. */
  readonly mostTop: number
  readonly rowHeight: number
}

const WAIT_MS = 6000
/** Enough to read a row aloud. */
const MS_PER_ROW = 1100
const UP_MS = 1200

export const SCROLL_START: ScrollState = { phase: 'at top', phaseMs: 0, top: 0 }

/** The next state after some milliseconds. */
export function scrollOn(
  state: ScrollState,
  { mostTop, rowHeight }: ScrollSpace,
  passedMs: number,
): ScrollState {
  if (mostTop <= 0) return SCROLL_START
  const { phase, top } = state
  const phaseMs = state.phaseMs + passedMs
  const enter = (next: ScrollState['phase'], at: number) => ({ phase: next, phaseMs: 0, top: at })
  switch (phase) {
    case 'at top':
      return phaseMs < WAIT_MS ? { phase, phaseMs, top } : enter('down', top)
    case 'down': {
      const lower = top + (rowHeight * passedMs) / MS_PER_ROW
      return lower < mostTop ? { phase, phaseMs, top: lower } : enter('at bottom', mostTop)
    }
    case 'at bottom':
      return phaseMs < WAIT_MS ? { phase, phaseMs, top } : enter('up', top)
    case 'up': {
      const higher = top - (mostTop * passedMs) / UP_MS
      return higher > 0 ? { phase, phaseMs, top: higher } : enter('at top', 0)
    }
  }
}

/** The same without movement: a screen after the other, each for a while. */
export function turnOn(
  state: ScrollState,
  { mostTop, screen }: { readonly mostTop: number; readonly screen: number },
  passedMs: number,
): ScrollState {
  if (mostTop <= 0) return SCROLL_START
  const phaseMs = state.phaseMs + passedMs
  if (phaseMs < WAIT_MS) return { ...state, phaseMs }
  return { ...SCROLL_START, top: state.top >= mostTop ? 0 : Math.min(state.top + screen, mostTop) }
}
