import { cp, readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises'

/**
 * Runs before each compilation: writes the files of the packages that are not committed. These are
 * the licence of each, and the types of the client, from `docs/openapi.json`. They get the times of
 * their sources, so only a changed source lets tests build again.
 */
const project = new URL('../', import.meta.url)
const document = new URL('docs/openapi.json', project)
const types = new URL('packages/client/src/api.ts', project)
const newest = Math.max(await readTime(document), await readTime(new URL(import.meta.url)))
if ((await readTime(types).catch(() => 0)) !== newest) await writeTypes()
const licence = new URL('LICENSE', project)
for (const found of await readdir(new URL('packages', project), { withFileTypes: true }))
  if (found.isDirectory())
    await cp(licence, new URL(`packages/${found.name}/LICENSE`, project), { preserveTimestamps: true })

/** In whole milliseconds: the system rounds the times that it is given. */
async function readTime(file) {
  return Math.round((await stat(file)).mtimeMs)
}

/** Other compilations may read the file meanwhile. */
async function writeTypes() {
  const unfinished = new URL(`api.ts.${process.pid}`, types)
  await writeFile(unfinished, await describeTypes())
  await utimes(unfinished, new Date(newest), new Date(newest))
  await rename(unfinished, types)
}

/** Without the Contest API: it is for tools that exist, and its errors have another form. */
async function describeTypes() {
  const { default: openapiTS, astToString } = await import('openapi-typescript')
  const { paths, ...parts } = JSON.parse(await readFile(document, 'utf8'))
  const own = Object.entries(paths).filter(([path]) => !path.startsWith('/v1/clics'))
  const tree = await openapiTS(JSON.stringify({ ...parts, paths: Object.fromEntries(own) }))
  return astToString(tree, { formatOptions: { removeComments: true } })
}
