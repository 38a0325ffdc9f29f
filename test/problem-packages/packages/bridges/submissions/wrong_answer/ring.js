const islands = Number(require('node:fs').readFileSync(0, 'utf8'))
for (let island = 1; island <= islands; island += 1) console.log(island, (island % islands) + 1)
