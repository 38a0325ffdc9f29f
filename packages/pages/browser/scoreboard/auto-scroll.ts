import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'

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

/** After somebody has scrolled by hand, the page waits before it scrolls again. */
const HANDS_OFF_MS = 15_000
const SCROLL_KEYS = ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End']
/** A frame after a pause of the browser counts as at most this. */
const MOST_FRAME_MS = 100

/** Scrolls an element down and up again while `isOn`. */
export function useAutoScroll(
  element: RefObject<HTMLElement | null>,
  rowHeight: number,
  isOn: boolean,
): void {
  useEffect(() => {
    const scrolled = element.current
    if (scrolled === null || !isOn) return undefined
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches
    let state = { ...SCROLL_START, top: scrolled.scrollTop }
    let lastMs = performance.now()
    let touchedMs = Number.NEGATIVE_INFINITY
    const touch = (event: Event) => {
      if (event instanceof KeyboardEvent && !SCROLL_KEYS.includes(event.key)) return
      touchedMs = performance.now()
    }
    const step = (nowMs: number) => {
      const passedMs = Math.min(Math.max(nowMs - lastMs, 0), MOST_FRAME_MS)
      lastMs = nowMs
      const screen = scrolled.clientHeight - 2 * rowHeight
      const mostTop = scrolled.scrollHeight - scrolled.clientHeight
      if (nowMs - touchedMs < HANDS_OFF_MS) state = { ...state, phase: 'down', top: scrolled.scrollTop }
      else {
        state = still
          ? turnOn(state, { mostTop, screen }, passedMs)
          : scrollOn(state, { mostTop, rowHeight }, passedMs)
        if (Math.abs(scrolled.scrollTop - state.top) >= 0.5) scrolled.scrollTop = state.top
      }
      frame = requestAnimationFrame(step)
    }
    let frame = requestAnimationFrame(step)
    const kinds = ['wheel', 'touchmove', 'pointerdown', 'keydown']
    for (const kind of kinds) addEventListener(kind, touch, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      for (const kind of kinds) removeEventListener(kind, touch)
    }
  }, [element, rowHeight, isOn])
}
