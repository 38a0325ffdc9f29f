const [, ...parts] = require('fs').readFileSync(0, 'utf8').trim().split(/\s+/).map(Number)
console.log(parts.reduce((sum, part) => sum + part, 0))
