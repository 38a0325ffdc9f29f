// Replies with the request, or fails in several ways.
import { serveParent } from '../../child.ts'

serveParent(async ({ how, what }: { how: 'reply' | 'fail' | 'babble' | 'end'; what: unknown }) => {
  if (how === 'fail') throw new Error(String(what))
  if (how === 'babble') process.send?.(String(what))
  if (how === 'end') process.exit(3)
  return what
})
