const lines = require('node:readline').createInterface({ input: process.stdin })
const row = []
let n

lines.on('line', (line) => {
  if (n === undefined) n = Number(line)
  else row.push(Number(line))
  if (row.length < n) return console.log(`? ${row.length + 1} ${row.length + 1}`)
  console.log(`! ${row.join(' ')}`)
  return process.stdin.destroy()
})
