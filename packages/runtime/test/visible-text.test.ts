import { expect, it } from 'vitest'
import { replaceHidden, tidyText } from '../src/visible-text.ts'

it('a text that is too long for a name gets no NFC, which takes quadratic time', () => {
  expect(tidyText('e\u0301'.repeat(1000))).toBe('\u00E9'.repeat(1000))
  const long = `a${'\u0316\u0315'.repeat(1000)}`
  expect(tidyText(long)).toBe(long)
})

it('line breaks with the white space around them become one space', () => {
  expect(replaceHidden(' Sum \r\n\t of\u2028two\u202E\n')).toBe('Sum of two\uFFFD')
})
