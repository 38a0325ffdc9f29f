import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

/** The kinds of programs, by their folders in a problem package. */
const kindOfFolder = {
  accepted: 'right',
  wrong_answer: 'wrong',
  run_time_error: 'crashing',
  time_limit_exceeded: 'slow',
} as const

type ProgramFolder = keyof typeof kindOfFolder

/** A program of a package. `extension` has no dot. */
export interface DemoProgram {
  readonly kind: (typeof kindOfFolder)[ProgramFolder]
  readonly extension: string
  readonly source_code: string
}

/** A problem package in a folder. */
export interface DemoProblem {
  /** The name of the folder. */
  readonly identifier: string
  readonly folder: string
  readonly programs: readonly DemoProgram[]
}

/** Reads the programs of the packages in a folder, sorted by name. Throws if there are none. */
export function loadProblems(folder: string): DemoProblem[] {
  const identifiers = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
  if (identifiers.length === 0) throw new Error(`${folder}: must have a folder for each problem`)
  return identifiers.sort().map((identifier) => ({
    identifier,
    folder: join(folder, identifier),
    programs: loadPrograms(join(folder, identifier, 'submissions')),
  }))
}

/** The package as a zip file, inside a folder with the name of the problem. */
export async function zipPackage({ identifier, folder }: DemoProblem): Promise<Buffer> {
  const zip = new ZipFile()
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(folder, name)
    const { mode } = statSync(path)
    if (statSync(path).isFile())
      zip.addBuffer(readFileSync(path), `${identifier}/${name.replaceAll(sep, '/')}`, { mode })
  }
  zip.end()
  return buffer(zip.outputStream)
}

function loadPrograms(folder: string): DemoProgram[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      if (!isProgramFolder(name)) throw new Error(`${join(folder, name)}: the demo does not know this folder`)
      return readdirSync(join(folder, name)).map((file) => ({
        kind: kindOfFolder[name],
        extension: extname(file).slice(1),
        source_code: readFileSync(join(folder, name, file), 'utf8'),
      }))
    })
}

const isProgramFolder = (name: string): name is ProgramFolder => Object.hasOwn(kindOfFolder, name)
