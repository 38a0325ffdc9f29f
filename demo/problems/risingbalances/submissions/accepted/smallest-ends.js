// Keeps the smallest last balance of the rising choices of each length: O(n log n).
function solve(text) {
  const [n, ...balances] = text.trim().split(/\s+/).map(Number)
  const ends = []
  for (let day = 0; day < n; day++) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (ends[middle] < balances[day]) low = middle + 1
      else high = middle
    }
    ends[low] = balances[day]
  }
  return ends.length
}

let input = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk) => {
  input += chunk
})
process.stdin.on('end', () => console.log(solve(input)))
