// Follows the route back from the destination: without a route there is no road to it.
class Heap {
  entries = []

  push(entry) {
    let hole = this.entries.length
    while (hole > 0) {
      const parent = (hole - 1) >> 1
      if (this.entries[parent].travelled <= entry.travelled) break
      this.entries[hole] = this.entries[parent]
      hole = parent
    }
    this.entries[hole] = entry
  }

  pop() {
    const top = this.entries[0]
    const last = this.entries.pop()
    const size = this.entries.length
    if (size === 0) return top
    let hole = 0
    for (;;) {
      let child = 2 * hole + 1
      if (child >= size) break
      if (child + 1 < size && this.entries[child + 1].travelled < this.entries[child].travelled) child++
      if (this.entries[child].travelled >= last.travelled) break
      this.entries[hole] = this.entries[child]
      hole = child
    }
    this.entries[hole] = last
    return top
  }
}

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

function findRoutes({ n, roads }) {
  const routes = new Array(n + 1)
  routes[1] = { travelled: 0 }
  const heap = new Heap()
  heap.push({ travelled: 0, junction: 1 })
  while (heap.entries.length > 0) {
    const { travelled, junction } = heap.pop()
    if (travelled > routes[junction].travelled) continue
    for (const { next, length } of roads[junction]) {
      if (routes[next] !== undefined && travelled + length >= routes[next].travelled) continue
      routes[next] = { travelled: travelled + length, from: junction, length }
      heap.push({ travelled: travelled + length, junction: next })
    }
  }
  return routes
}

function solve(text) {
  const town = readRoads(text)
  const routes = findRoutes(town)
  let total = 0
  for (let junction = town.n; junction !== 1; junction = routes[junction].from) total += routes[junction].length
  return total
}

let input = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk) => {
  input += chunk
})
process.stdin.on('end', () => console.log(solve(input)))
