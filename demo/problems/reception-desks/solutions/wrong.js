// Gives the shifts the first desk without an overlap in the order of the input, not by their begins.
function solve(text) {
  const [n, ...times] = text.trim().split(/\s+/).map(Number)
  const desks = []
  const numbers = []
  for (let shift = 0; shift < n; shift++) {
    const [from, to] = [times[2 * shift], times[2 * shift + 1]]
    const overlaps = (other) => times[2 * other] < to && times[2 * other + 1] > from
    let number = desks.findIndex((shifts) => !shifts.some(overlaps))
    if (number === -1) number = desks.push([]) - 1
    desks[number].push(shift)
    numbers.push(number + 1)
  }
  return `${desks.length}\n${numbers.join(' ')}`
}

let input = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk) => {
  input += chunk
})
process.stdin.on('end', () => console.log(solve(input)))
