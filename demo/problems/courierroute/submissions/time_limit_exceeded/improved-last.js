// Always continues from the junction improved last: correct, but exponential at worst.
function readRoads(text) {
  const numbers = text.trim().split(/\s+/).map(Number)
  const [n, m] = numbers
  const roads = Array.from({ length: n + 1 }, () => [])
  for (let i = 2; i < 2 + 3 * m; i += 3) {
    const [a, b, length] = [numbers[i], numbers[i + 1], numbers[i + 2]]
    roads[a].push({ next: b, length })
    roads[b].push({ next: a, length })
  }
  return { n, roads }
}

function solve(text) {
  const { n, roads } = readRoads(text)
  const distance = new Array(n + 1).fill(Infinity)
  distance[1] = 0
  const waiting = new Array(n + 1).fill(false)
  const stack = [1]
  while (stack.length > 0) {
    const junction = stack.pop()
    waiting[junction] = false
    for (const { next, length } of roads[junction]) {
      if (distance[junction] + length >= distance[next]) continue
      distance[next] = distance[junction] + length
      if (!waiting[next]) stack.push(next)
      waiting[next] = true
    }
  }
  return distance[n] === Infinity ? -1 : distance[n]
}

let input = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk) => {
  input += chunk
})
process.stdin.on('end', () => console.log(solve(input)))
