// Accepts every way to use as few desks as the answer file, whose first number is their number.
// Arguments: input file, answer file, feedback folder. Exit code 42: right, 43: wrong.
const { readFileSync, writeFileSync } = require('node:fs')

const [, , inputFile, answerFile, feedbackFolder] = process.argv

function readNumbers(text) {
  const words = text.trim().split(/\s+/)
  return words.map((word) => (/^[+-]?\d{1,15}$/.test(word) ? Number(word) : Number.NaN))
}

/** What is wrong with the output; undefined if nothing is. */
function findFault(output) {
  const [n, ...times] = readNumbers(readFileSync(inputFile, 'utf8'))
  const [fewest] = readNumbers(readFileSync(answerFile, 'utf8'))
  const [count, ...desks] = readNumbers(output)
  if (count !== fewest) return `the output has ${count} desks, and ${fewest} are enough`
  if (desks.length !== n) return `the output has ${desks.length} desks for ${n} shifts`
  const shifts = desks.map((desk, i) => ({ number: i + 1, desk, from: times[2 * i], to: times[2 * i + 1] }))
  const stranger = shifts.find(({ desk }) => !(desk >= 1 && desk <= count))
  if (stranger !== undefined) return `shift ${stranger.number} is at desk ${stranger.desk} of ${count}`
  const last = new Map()
  for (const shift of shifts.sort((one, other) => one.from - other.from)) {
    const before = last.get(shift.desk)
    if (before !== undefined && before.to > shift.from)
      return `shifts ${before.number} and ${shift.number} overlap at desk ${shift.desk}`
    last.set(shift.desk, shift)
  }
  return undefined
}

let output = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk) => {
  output += chunk
})
process.stdin.on('end', () => {
  const fault = findFault(output)
  if (fault !== undefined) writeFileSync(`${feedbackFolder}judgemessage.txt`, `${fault}\n`)
  process.exitCode = fault === undefined ? 42 : 43
})
