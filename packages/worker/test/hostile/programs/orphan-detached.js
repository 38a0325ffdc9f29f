// Leaves detached programs, one of which holds stdout.
const { spawn } = require('node:child_process')

spawn('sleep', ['1000000'], { detached: true, stdio: 'ignore' }).unref()
spawn('sleep', ['1000000'], { detached: true, stdio: ['ignore', 1, 2] }).unref()
console.log('done')
