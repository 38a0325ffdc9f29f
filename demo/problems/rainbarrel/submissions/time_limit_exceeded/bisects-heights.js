// Bisects the height of each surface, and adds up the tubs below it each time: O(50 n q).
function solve(text) {
  const numbers = text.trim().split(/\s+/).map(Number)
  const n = numbers[0]
  const volumeBelow = (height) => {
    let volume = 0
    for (let tub = 0, left = height; tub < n && left > 0; tub++) {
      const [area, rise] = [numbers[1 + 2 * tub], numbers[2 + 2 * tub]]
      volume += area * Math.min(left, rise)
      left -= rise
    }
    return volume
  }
  const top = numbers.slice(1, 1 + 2 * n).reduce((sum, number, i) => sum + (i % 2) * number, 0)
  return numbers.slice(2 + 2 * n).map((poured) => {
    let [low, high] = [0, top]
    for (let step = 0; step < 50; step++) {
      const middle = (low + high) / 2
      if (volumeBelow(middle) < poured) low = middle
      else high = middle
    }
    return high
  })
}

let input = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk) => {
  input += chunk
})
process.stdin.on('end', () => console.log(solve(input).join('\n')))
