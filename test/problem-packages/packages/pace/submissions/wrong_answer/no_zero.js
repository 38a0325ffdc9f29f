const seconds = Number(require('node:fs').readFileSync(0, 'utf8'))
console.log(`${Math.floor(seconds / 60)}:${seconds % 60}`)
