// @EXPECTED_RESULTS@: RUN-ERROR, TIMELIMIT
const words = require('fs').readFileSync(0, 'utf8').trim().split(/ +/)
if (words.length < 3) process.exit(7)
console.log(words.join('\n'))
