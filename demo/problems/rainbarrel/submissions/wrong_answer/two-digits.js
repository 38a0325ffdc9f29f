// Bisection, but it prints only two digits after the decimal point.
function solve(text) {
  const numbers = text.trim().split(/\s+/).map(Number)
  const n = numbers[0]
  const base = []
  const volume = [0]
  const height = [0]
  for (let tub = 0; tub < n; tub++) {
    const [area, rise] = [numbers[1 + 2 * tub], numbers[2 + 2 * tub]]
    base.push(area)
    volume.push(volume[tub] + area * rise)
    height.push(height[tub] + rise)
  }
  return numbers.slice(2 + 2 * n).map((poured) => {
    let full = 0
    let end = n + 1
    while (end - full > 1) {
      const middle = (full + end) >> 1
      if (volume[middle] <= poured) full = middle
      else end = middle
    }
    return full === n ? height[n] : height[full] + (poured - volume[full]) / base[full]
  })
}

let input = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk) => {
  input += chunk
})
process.stdin.on('end', () => console.log(solve(input).map((height) => height.toFixed(2)).join('\n')))
