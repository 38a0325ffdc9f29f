// Grows a mirror around each centre, but gives up after 50 letters to each side.
const FARTHEST = 50

function solve(input) {
  const text = input.trim()
  let total = 0
  for (let centre = 0; centre < text.length; centre++) {
    for (const gap of [0, 1]) {
      let size = 0
      while (
        size < FARTHEST &&
        centre - size >= 0 &&
        centre + gap + size < text.length &&
        text[centre - size] === text[centre + gap + size]
      )
        size++
      total += size
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
