process.stdout.write(require('fs').readFileSync(0, 'utf8').trim().split(/ +/).join('\n'))
