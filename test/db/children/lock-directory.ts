// Takes and releases the lock of a directory as its parent says.
import { createInterface } from 'node:readline'
import { lockDirectory } from '../../../src/db/directory-lock.ts'

const directory = process.argv[2] ?? ''
let release: (() => Promise<void>) | undefined
console.log('ready')
for await (const line of createInterface(process.stdin)) {
  if (line === 'lock') {
    try {
      release = await lockDirectory(directory)
      console.log('held')
    } catch (err) {
      console.log(String(err))
    }
  } else {
    await release?.()
    release = undefined
    console.log('released')
  }
}
