// A table of all pieces: for a long word it has more entries than an array can have.
function solve(input) {
  const text = input.trim()
  const n = text.length
  const isMirror = new Array(n * n)
  let total = 0
  for (let first = n - 1; first >= 0; first--) {
    for (let last = first; last < n; last++) {
      const isInnerMirror = last - first < 2 || isMirror[(first + 1) * n + last - 1]
      isMirror[first * n + last] = isInnerMirror && text[first] === text[last]
      if (isMirror[first * n + last]) total++
    }
  }
  return total
}

let input = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk) => {
  input += chunk
})
process.stdin.on('end', () => console.log(solve(input)))
