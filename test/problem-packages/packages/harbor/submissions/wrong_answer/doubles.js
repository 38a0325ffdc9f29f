const [arrival, hours] = require('node:fs').readFileSync(0, 'utf8').split(' ').map(Number)
console.log((arrival + hours) % 24)
