// Answers with what it is asked, or fails with it, or says what no parent expects.
import { serveParent } from '../../child.ts'

serveParent(async ({ how, what }: { how: 'answer' | 'fail' | 'babble' | 'end'; what: unknown }) => {
  if (how === 'fail') throw new Error(String(what))
  if (how === 'babble') process.send?.(String(what))
  if (how === 'end') process.exit(3)
  return what
})
