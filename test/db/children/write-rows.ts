// Writes rows into an embedded database for as long as it lives, and prints the number of each once it is answered.

import { openPglite } from '../../../src/db/pglite.ts'
import { unprepared } from '../../../src/db/statement.ts'

const database = await openPglite({ dataDir: process.argv[2] ?? '' })
await database.transaction((tx) =>
  tx.execute('create table if not exists written (number integer primary key)'),
)
console.log('ready')
const insert = unprepared('insert into written (number) values ($1)')
for (let number = 1; ; number += 1) {
  if (number % 2 === 0) await database.query(insert, [number])
  else await database.transaction((tx) => tx.query(insert, [number]))
  console.log(number)
}
