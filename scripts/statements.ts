import { describeStatements } from './read-statements.ts'

/** npm run statements [-- NAME]: prints the statements of that name or folder of src, or all. */
const [name] = process.argv.slice(2)
const text = await describeStatements(name)
if (text === undefined) {
  console.error(`There is no statement or folder ${name}.`)
  process.exitCode = 1
} else process.stdout.write(text)
