const lines = require('node:readline').createInterface({ input: process.stdin })
let door = 0
lines.on('line', (line) => {
  if (line === 'open') {
    lines.close()
    process.stdin.destroy()
    return
  }
  if (door === 40) throw new RangeError('too many doors')
  door += 1
  console.log(door)
})
