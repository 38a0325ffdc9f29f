for (let island = Number(require('node:fs').readFileSync(0, 'utf8')); island > 1; island -= 1)
  console.log(island, island - 1)
