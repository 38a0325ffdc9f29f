// Looks for the joint that halves the places best: it counts the places for each joint, O(n^2).
let places
let tested

function findBest() {
  let [best, most] = [0, 0]
  for (const joint of places) {
    const live = places.reduce((count, place) => (place >= joint ? count + 1 : count), 0)
    const removed = Math.min(live, places.length - live)
    if (removed > most) [best, most] = [joint, removed]
  }
  return best
}

function handleLine(line) {
  if (places === undefined) places = Array.from({ length: Number(line) - 1 }, (_, i) => i + 1)
  else places = places.filter((place) => place >= tested === (line === 'live'))
  if (places.length === 1) {
    console.log(`! ${places[0]}`)
    process.stdin.destroy()
    return
  }
  tested = findBest()
  console.log(`? ${tested}`)
}

let rest = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n')
  rest = lines.pop()
  lines.forEach(handleLine)
})
