// Opens an embedded database and ends, in the way that its parent names, without waiting for anything.
import { statement } from '../../../src/db/database.ts'
import { openPglite } from '../../../src/db/pglite.ts'

const [, , dataDir = '', way] = process.argv
const database = await openPglite({ dataDir })
await database.query(statement('one', 'select 1 as one'))
if (way === 'close') await database.close()
else if (way === 'exit') process.exit(7)
else {
  void database.query(statement('busy', 'select count(*) as count from generate_series(1, 50000000)'))
  setImmediate(() => process.exit(7))
}
