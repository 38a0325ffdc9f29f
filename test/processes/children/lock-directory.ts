// Locks the directories of a line (a JSON array) at once, and prints the results as a JSON array.
// The line "release" releases all locks.
import { createInterface } from 'node:readline'
import { lockDirectory } from '../../../src/db/directory-lock.ts'

const releases: (() => Promise<void>)[] = []

async function lock(directory: string): Promise<string> {
  try {
    releases.push(await lockDirectory(directory))
    return 'held'
  } catch (err) {
    return String(err)
  }
}

console.log('ready')
for await (const line of createInterface(process.stdin)) {
  if (line === 'release') {
    await Promise.all(releases.splice(0).map((release) => release()))
    console.log('released')
  } else {
    const directories: string[] = JSON.parse(line)
    console.log(JSON.stringify(await Promise.all(directories.map(lock))))
  }
}
