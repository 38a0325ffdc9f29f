// Finds the first tub with its top above the surface. A full barrel has none.
function solve(text) {
  const numbers = text.trim().split(/\s+/).map(Number)
  const n = numbers[0]
  const tubs = []
  let [volume, height] = [0, 0]
  for (let tub = 0; tub < n; tub++) {
    const [base, rise] = [numbers[1 + 2 * tub], numbers[2 + 2 * tub]]
    tubs.push({ base, height, below: volume, upTo: volume + base * rise })
    volume += base * rise
    height += rise
  }
  return numbers.slice(2 + 2 * n).map((poured) => {
    let low = 0
    let high = n
    while (low < high) {
      const middle = (low + high) >> 1
      if (tubs[middle].upTo > poured) high = middle
      else low = middle + 1
    }
    const tub = tubs[low]
    return tub.height + (poured - tub.below) / tub.base
  })
}

let input = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk) => {
  input += chunk
})
process.stdin.on('end', () => console.log(solve(input).join('\n')))
