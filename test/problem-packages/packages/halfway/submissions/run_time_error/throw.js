const [a, b] = require('fs').readFileSync(0, 'utf8').split(' ').map(Number)
if (a === b) throw new Error('they live in the same place')
console.log((a + b) / 2)
