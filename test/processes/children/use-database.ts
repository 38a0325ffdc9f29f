// Opens an embedded database, inserts rows until it is killed, and prints the number of each
// committed one.
import { openPglite } from '../../../src/db/pglite.ts'
import { unprepared } from '../../../src/db/statement.ts'

const database = await openPglite({ dataDir: process.argv[2] ?? '' })
await database.query(unprepared('create table written (number integer primary key)'))
console.log('ready')
const insert = unprepared('insert into written (number) values ($1)')
for (let number = 1; ; number += 1) {
  if (number % 2 === 0) await database.query(insert, [number])
  else await database.transaction((tx) => tx.query(insert, [number]))
  console.log(number)
}
