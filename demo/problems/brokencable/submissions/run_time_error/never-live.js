// Remembers the last test of a live joint. If only joint 1 is live, there is no such test.
let [low, high] = [1, undefined]
let tested
let lastLive

function handleLine(line) {
  if (high === undefined) high = Number(line)
  else if (line === 'live') lastLive = { joint: tested }
  else high = tested
  low = lastLive?.joint ?? low
  if (high - low === 1) {
    console.log(`! ${lastLive.joint}`)
    process.stdin.destroy()
    return
  }
  tested = Math.floor((low + high) / 2)
  console.log(`? ${tested}`)
}

let rest = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n')
  rest = lines.pop()
  lines.forEach(handleLine)
})
