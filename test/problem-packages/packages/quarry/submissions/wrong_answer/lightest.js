const [, chosen, ...weights] = require('node:fs').readFileSync(0, 'utf8').trim().split(/\s+/).map(Number)
weights.sort((a, b) => a - b)
console.log(weights.slice(0, chosen).reduce((sum, weight) => sum + weight, 0))
