// Sorts all begins and ends; a desk that becomes free is used again: O(n log n).
function solve(text) {
  const [n, ...times] = text.trim().split(/\s+/).map(Number)
  const events = times.map((minute, i) => ({ minute, begins: i % 2 === 0, shift: i >> 1 }))
  events.sort((one, other) => one.minute - other.minute || one.begins - other.begins)
  const desks = new Array(n)
  const free = []
  let count = 0
  for (const { begins, shift } of events) {
    if (begins) desks[shift] = free.pop() ?? ++count
    else free.push(desks[shift])
  }
  return `${count}\n${desks.join(' ')}`
}

let input = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk) => {
  input += chunk
})
process.stdin.on('end', () => console.log(solve(input)))
