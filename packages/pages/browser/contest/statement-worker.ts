import { parseStatement } from './parse-statement.ts'

/** A worker: says that it is there, and parses each text that it gets. */
addEventListener('message', ({ data }: MessageEvent<string>) => postMessage(parseStatement(data)))
postMessage('ready')
