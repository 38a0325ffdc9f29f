import { readProjectFile } from './project-file.ts'

interface Locked {
  readonly version?: string
  readonly license?: string
  readonly link?: boolean
  readonly resolved?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

type Lock = Readonly<Record<string, Locked>>

/** Licences that allow to use a dependency in an MIT project. */
export const ALLOWED_LICENCES = [
  ...['Apache-2.0', 'BlueOak-1.0.0', 'BSD-3-Clause', 'ISC', 'MIT'],
  // We choose Apache-2.0.
  '(MPL-2.0 OR Apache-2.0)',
  // A font in the bundles of the pages.
  'OFL-1.1',
]

/** What people install, and its folder in the lock file. */
const INSTALLED = {
  Service: '',
  Worker: 'packages/worker',
  Client: 'packages/client',
  'Command line': 'packages/cli',
}

/** Its libraries are in its bundles: they are not installed with it. */
const PAGES = 'packages/pages'

/** What bundles the pages is not in the bundles. */
const BUILD_TOOLS = ['vite']

export interface Dependency {
  readonly name: string
  readonly version: string
  readonly licence: string
}

/** All packages that each installed part needs at run time, from package-lock.json. */
export async function listDependencies(): Promise<Record<string, Dependency[]>> {
  const lock: Lock = JSON.parse(await readProjectFile('package-lock.json')).packages
  const lists = Object.entries(INSTALLED).map(([title, folder]) => [title, collect(lock, folder)])
  const { devDependencies = {} } = lock[PAGES] ?? {}
  const bundled = Object.keys(devDependencies).filter((name) => !BUILD_TOOLS.includes(name))
  return { ...Object.fromEntries(lists), 'Bundles of the pages': collect(lock, PAGES, bundled) }
}

function collect(lock: Lock, folder: string, more: readonly string[] = []): Dependency[] {
  const found = new Map<string, Dependency>()
  const visited = new Set<string>()
  const visit = (place: string) => {
    if (visited.has(place)) return
    visited.add(place)
    const { dependencies, optionalDependencies, version = '', license = 'unknown' } = lock[place] ?? {}
    const name = place.split('node_modules/').at(-1) ?? place
    const dependency = { name, version, licence: license }
    if (place.includes('node_modules/')) found.set(keyOf(dependency), dependency)
    const names = Object.keys({ ...dependencies, ...optionalDependencies })
    for (const needed of place === folder ? [...names, ...more] : names) {
      const next = resolve(lock, place, needed)
      if (next !== undefined) visit(next)
    }
  }
  visit(folder)
  return [...found.values()].sort((one, other) => compare(keyOf(one), keyOf(other)))
}

const keyOf = ({ name, version }: Dependency) => `${name} ${version}`

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other))

/** The place that Node finds from `place`; the folder of the project for our own packages. */
function resolve(lock: Lock, place: string, name: string): string | undefined {
  for (let folder = place; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const candidate = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    const entry = lock[candidate]
    if (entry !== undefined) return entry.link ? entry.resolved : candidate
    if (folder === '') return undefined
  }
}

/** The letters of the parts in the document. */
const LETTERS: Readonly<Record<string, string>> = {
  Service: 'S',
  Worker: 'W',
  Client: 'L',
  'Command line': 'C',
  'Bundles of the pages': 'B',
}

/** The document of all dependencies: by licence, with the parts that need them. */
export async function describeDependencies(): Promise<string> {
  const parts = Object.entries(await listDependencies())
  const all = new Map(parts.flatMap(([, list]) => list.map((one) => [keyOf(one), one] as const)))
  const describe = (key: string) => {
    const users = parts.filter(([, list]) => list.some((one) => keyOf(one) === key))
    const letters = users.map(([part]) => LETTERS[part]).join('')
    return letters === 'S' ? key : `${key} (${letters})`
  }
  const licences = [...new Set([...all.values()].map(({ licence }) => licence))].sort(compare)
  const sections = licences.map((licence) => {
    const keys = [...all].filter(([, one]) => one.licence === licence).map(([key]) => key)
    return `## ${licence}\n\n${wrap(keys.sort(compare).map(describe).join(', '))}\n`
  })
  const counts = parts.map(
    ([part, list]) => `${LETTERS[part]} ${part.toLowerCase()} (${list.length} packages)`,
  )
  return [HEAD, `${wrap(`${counts.join(', ')}.`)}\n`, ...sections].join('\n')
}

/** Breaks a list after commas, into lines of at most 100 columns. */
const wrap = (list: string) => list.replaceAll(/(?=.{101})(.{1,99},) /g, '$1\n')

const HEAD = `# Dependencies

The packages that each part needs at run time, with the versions of \`package-lock.json\`, by licence.
Packages of this project are not listed; their licence is MIT. Packages for one system only, such as
the binaries of \`@node-rs/argon2\`, are listed for all systems. \`npm run generate\` writes this file.
A test refuses licences that are not on the list in \`scripts/generated/dependencies.ts\`.

A package without letters is needed by the service only. The letters mean:
`
