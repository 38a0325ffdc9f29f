// Answers the tests of a program. The input file holds n, the answer file f.
// Arguments: input file, answer file, feedback folder. Exit code 42: right, 43: wrong.
const { readFileSync, writeFileSync } = require('node:fs')

const MOST_TESTS = 20
const LONGEST_LINE = 100
const [, , inputFile, answerFile, feedbackFolder] = process.argv
const n = Number(readFileSync(inputFile, 'utf8'))
const f = Number(readFileSync(answerFile, 'utf8'))
let tests = 0
let rest = ''

function finish(fault) {
  const message = fault ?? `the program found the place with ${tests} tests`
  writeFileSync(`${feedbackFolder}judgemessage.txt`, `${message}\n`)
  process.exitCode = fault === undefined ? 42 : 43
  process.stdin.destroy()
}

/** Handles a line; true if it was the last one. */
function handleLine(line) {
  const [, kind, digits] = /^\s*([?!])\s+(\d{1,7})\s*$/.exec(line) ?? []
  const joint = Number(digits)
  if (kind === '!') {
    finish(joint === f ? undefined : `the program says ${joint}, but the place is ${f}`)
    return true
  }
  if (kind === undefined || joint < 1 || joint > n) {
    finish(`this line is neither a test nor an answer: ${JSON.stringify(line.slice(0, LONGEST_LINE))}`)
    return true
  }
  tests += 1
  if (tests > MOST_TESTS) {
    finish(`the program tests more than ${MOST_TESTS} joints`)
    return true
  }
  console.log(joint <= f ? 'live' : 'dead')
  return false
}

console.log(String(n))
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n')
  rest = lines.pop()
  if (!lines.some(handleLine) && rest.length > LONGEST_LINE) handleLine(rest)
})
process.stdin.on('end', () => {
  if (process.exitCode === undefined && (rest === '' || !handleLine(rest)))
    finish('the program ended without an answer')
})
