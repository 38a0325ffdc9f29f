console.log(Math.ceil(Number(require('node:fs').readFileSync(0, 'utf8')) / 4))
