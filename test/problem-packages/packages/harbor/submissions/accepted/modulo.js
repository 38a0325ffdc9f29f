const [arrival, hours] = require('node:fs').readFileSync(0, 'utf8').split(' ').map(BigInt)
console.log(String((arrival + hours) % 24n))
