import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { SCROLL_START, scrollOn, turnOn } from './auto-scroll.ts'

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
