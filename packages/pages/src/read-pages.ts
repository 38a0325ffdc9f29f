import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A file of the pages, as it is sent. */
export interface PageFile {
  readonly name: string
  /** Its `Content-Type`. */
  readonly type: string
  readonly content: Buffer
  /** The name changes with the content, so that browsers may keep the file. */
  readonly isImmutable: boolean
}

/** The folder that `npm run build` writes. */
const SITE = fileURLToPath(new URL('../site/', import.meta.url))

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
}

/** Names of Vite: `scoreboard-Df2k_8aP.js`. */
const HASHED = /-[\w-]{8}\.\w+$/

/** Reads all files of the pages. Throws if they are not built. */
export async function readPages(): Promise<readonly PageFile[]> {
  const names = await readdir(SITE).catch((cause: unknown) => {
    throw new Error(`The pages are not built: run npm run build (${SITE})`, { cause })
  })
  return Promise.all(names.sort().map(readPage))
}

async function readPage(name: string): Promise<PageFile> {
  const type = TYPES[extname(name)]
  if (type === undefined) throw new Error(`The file ${name} of the pages has no known type`)
  return { name, type, content: await readFile(`${SITE}${name}`), isImmutable: HASHED.test(name) }
}
