// Looks at all earlier days for each day: correct, but O(n^2).
function solve(text) {
  const [n, ...balances] = text.trim().split(/\s+/).map(Number)
  const longest = []
  for (let day = 0; day < n; day++) {
    let best = 0
    for (let earlier = 0; earlier < day; earlier++) {
      if (balances[earlier] < balances[day] && longest[earlier] > best) best = longest[earlier]
    }
    longest.push(best + 1)
  }
  return longest.reduce((most, length) => Math.max(most, length), 0)
}

let input = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk) => {
  input += chunk
})
process.stdin.on('end', () => console.log(solve(input)))
