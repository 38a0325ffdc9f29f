const length = Number(require('node:fs').readFileSync(0, 'utf8'))
if (length === 1000) null.lanterns()
console.log(Math.ceil(length / 4))
