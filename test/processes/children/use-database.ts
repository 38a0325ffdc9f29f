// Opens an embedded database. Mode "write": inserts rows until it is killed, and prints the number
// of each committed one. Mode "exit": exits with 7 in the middle of a statement.
import { openPglite } from '../../../src/db/pglite.ts'
import { unprepared } from '../../../src/db/statement.ts'

const [, , dataDir = '', mode] = process.argv
const database = await openPglite({ dataDir })
if (mode === 'exit') {
  await database.query(unprepared('select 1 as one'))
  void database.query(unprepared('select count(*) as count from generate_series(1, 50000000)'))
  setImmediate(() => process.exit(7))
} else {
  await database.query(unprepared('create table written (number integer primary key)'))
  console.log('ready')
  const insert = unprepared('insert into written (number) values ($1)')
  for (let number = 1; ; number += 1) {
    if (number % 2 === 0) await database.query(insert, [number])
    else await database.transaction((tx) => tx.query(insert, [number]))
    console.log(number)
  }
}
