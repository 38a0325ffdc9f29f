// Halves the joints between the last known live one and the first known dead one.
let [live, dead] = [1, undefined]
let middle

function handleLine(line) {
  if (dead === undefined) dead = Number(line)
  else if (line === 'live') live = middle
  else dead = middle
  if (dead - live === 1) {
    console.log(`! ${live}`)
    process.stdin.destroy()
    return
  }
  middle = Math.floor((live + dead) / 2)
  console.log(`? ${middle}`)
}

let rest = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n')
  rest = lines.pop()
  lines.forEach(handleLine)
})
