// Gives each shift, by its begin, the first desk without an overlap: it looks at all shifts, O(n^2).
function solve(text) {
  const [n, ...times] = text.trim().split(/\s+/).map(Number)
  const order = Array.from({ length: n }, (_, shift) => shift)
  order.sort((one, other) => times[2 * one] - times[2 * other])
  const desks = new Array(n)
  let count = 0
  order.forEach((shift, place) => {
    const used = new Uint8Array(count + 2)
    for (const earlier of order.slice(0, place))
      if (times[2 * earlier + 1] > times[2 * shift]) used[desks[earlier]] = 1
    desks[shift] = used.indexOf(0, 1)
    count = Math.max(count, desks[shift])
  })
  return `${count}\n${desks.join('\n')}`
}

let input = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk) => {
  input += chunk
})
process.stdin.on('end', () => console.log(solve(input)))
