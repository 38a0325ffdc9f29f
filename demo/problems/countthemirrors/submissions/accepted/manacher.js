// Manacher's algorithm, once for odd and once for even lengths: O(n).

// Counts the mirrors centred on a letter (gap 0) or just before one (gap 1).
function countMirrors(text, gap) {
  const n = text.length
  const reach = new Int32Array(n)
  let total = 0
  let left = 0
  let right = -1
  for (let centre = 0; centre < n; centre++) {
    let size = 1 - gap
    if (centre <= right) size = Math.min(reach[left + right - centre + gap], right - centre + 1)
    while (centre + size < n && centre - size - gap >= 0 && text[centre + size] === text[centre - size - gap]) size++
    reach[centre] = size
    total += size
    if (centre + size - 1 > right) {
      left = centre - size + 1 - gap
      right = centre + size - 1
    }
  }
  return total
}

function solve(input) {
  const text = input.trim()
  return countMirrors(text, 0) + countMirrors(text, 1)
}

let input = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk) => {
  input += chunk
})
process.stdin.on('end', () => console.log(solve(input)))
