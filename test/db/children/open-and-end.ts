// Opens an embedded database and ends, in the way that its parent names, without waiting for anything.

import { openPglite } from '../../../src/db/pglite.ts'
import { unprepared } from '../../../src/db/statement.ts'

const [, , dataDir = '', way] = process.argv
const database = await openPglite({ dataDir })
await database.query(unprepared('select 1 as one'))
if (way === 'close') await database.close()
else if (way === 'exit') process.exit(7)
else {
  void database.query(unprepared('select count(*) as count from generate_series(1, 50000000)'))
  setImmediate(() => process.exit(7))
}
