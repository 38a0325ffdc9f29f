import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

/** Whether the content of an element is wider than the element. */
export function useOverflow(element: RefObject<HTMLElement | null>): boolean {
  const [isWide, setWide] = useState(false)
  useLayoutEffect(() => {
    const frame = element.current
    if (frame === null) return undefined
    const observer = new ResizeObserver(() => setWide(frame.scrollWidth > frame.clientWidth))
    for (const watched of [frame, ...frame.children]) observer.observe(watched)
    return () => observer.disconnect()
  }, [element])
  return isWide
}
