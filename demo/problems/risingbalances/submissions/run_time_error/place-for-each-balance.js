// A Fenwick tree with a place for each possible balance: no array is long enough for large balances.
function solve(text) {
  const [n, ...balances] = text.trim().split(/\s+/).map(Number)
  const lowest = balances.reduce((least, balance) => Math.min(least, balance))
  const highest = balances.reduce((most, balance) => Math.max(most, balance))
  const tree = new Array(highest - lowest + 2).fill(0)
  let answer = 0
  for (let day = 0; day < n; day++) {
    const place = balances[day] - lowest + 1
    let length = 1
    for (let i = place - 1; i > 0; i -= i & -i) length = Math.max(length, tree[i] + 1)
    for (let i = place; i < tree.length; i += i & -i) tree[i] = Math.max(tree[i], length)
    answer = Math.max(answer, length)
  }
  return answer
}

let input = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk) => {
  input += chunk
})
process.stdin.on('end', () => console.log(solve(input)))
