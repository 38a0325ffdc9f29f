// Grows a mirror around each centre, letter by letter: correct, but O(n^2).
function solve(input) {
  const text = input.trim()
  const n = text.length
  let total = 0
  for (let centre = 0; centre < n; centre++) {
    for (const gap of [0, 1]) {
      let left = centre
      let right = centre + gap
      while (left >= 0 && right < n && text[left] === text[right]) {
        total++
        left--
        right++
      }
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
