import { useEffect, useRef } from 'preact/hooks'

/** Calls the action of a key that is pressed outside of dialogs and fields. */
export function useKeys(actions: Readonly<Record<string, () => void>>): void {
  const present = useRef(actions)
  present.current = actions
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return
      if (document.querySelector('dialog[open]') !== null) return
      // A space on a button presses the button.
      if (event.target instanceof HTMLElement && event.target.closest('input, textarea, button')) return
      const action = Object.hasOwn(present.current, event.key) ? present.current[event.key] : undefined
      if (action === undefined) return
      event.preventDefault()
      action()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
