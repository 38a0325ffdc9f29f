import {
  FILE_NAME,
  MAX_FILE_NAME_LENGTH,
  RESERVED_PREFIX,
  type Validation,
} from '../package/judging-options.ts'
import { PackageError } from '../package/package-files.ts'

type Program = Pick<Validation, 'files' | 'language' | 'build' | 'run'>

/** A text file of a program; its name is relative to the program's folder. */
export interface ProgramFile {
  readonly name: string
  readonly content: string
}

/** The languages of the default language file by extension. */
const LANGUAGES: Readonly<Record<string, string>> = {
  ...{ c: 'C', cc: 'C++', cpp: 'C++', cxx: 'C++', 'c++': 'C++', py: 'Python', js: 'JavaScript' },
  ...{ ts: 'TypeScript', java: 'Java', cs: 'C#', go: 'Go', rs: 'Rust', kt: 'Kotlin', rb: 'Ruby' },
  ...{ php: 'PHP', pl: 'Perl', hs: 'Haskell', lua: 'Lua', pas: 'Pascal', scala: 'Scala' },
  ...{ swift: 'Swift', r: 'R', R: 'R', ml: 'OCaml' },
}

/** A judge gives this name to a Python program. */
const PYTHON_NAME = 'main.py'

const CPP_BUILD = ['c++', '-std=gnu++17', '-O2', '-pipe', '-I', '{dir}', '-o', '{binary}']
const C_BUILD = ['cc', '-std=gnu17', '-O2', '-pipe', '-I', '{dir}', '-o', '{binary}']
const JAVA_BUILD = ['javac', '-J-XX:-UsePerfData', '-encoding', 'UTF-8', '-d', '{dir}']
const JAVA_RUN = [
  ...['java', '-XX:-UsePerfData', '-Xmx{memory_mib}m', '-Xss64m', '-XX:+UseSerialGC', '-cp', '{dir}'],
  '{main_class}',
]

/** The language of a source file by its extension; undefined for other files. */
export function languageOfFile(name: string): string | undefined {
  const extension = /\.([^./]+)$/.exec(name)?.[1] ?? ''
  return Object.hasOwn(LANGUAGES, extension) ? LANGUAGES[extension] : undefined
}

/** How a judge builds and runs a program; `files` are sorted by name. Throws `PackageError`. */
export function describeProgram(folder: string, files: readonly ProgramFile[]): Program {
  checkFileNames(folder, files)
  const scripts = files.filter(({ name }) => name === 'build' || name === 'run')
  if (scripts.length > 0) return describeScripts(files, scripts)
  const sources = files.filter(({ name }) => languageOfFile(name) !== undefined)
  const languages = new Set(sources.map(({ name }) => languageOfFile(name)))
  if (languages.size > 1 && [...languages].some((language) => language !== 'C' && language !== 'C++'))
    throw fault(folder, `the program must have one language, or a build script: ${[...languages].join(', ')}`)
  const [first] = sources
  if (first === undefined)
    throw fault(folder, 'the program must have a source file, or a build or run script')
  const language = languages.size > 1 ? 'C++' : languageOfFile(first.name)
  if (language === 'Python') return describePython(folder, files, sources)
  if (language === 'C' || language === 'C++') return describeC(language, files, sources)
  if (language === 'Java' && (sources.length > 1 || first.name !== 'Main.java'))
    return { files, build: [...JAVA_BUILD, ...pathsOf(sources)], run: JAVA_RUN }
  if (sources.length > 1)
    throw fault(folder, `a program of several ${language} files needs a build or run script`)
  return describeSource(language ?? '', files, first)
}

/** Throws `PackageError` for names of files that a judge cannot use. */
export function checkFileNames(folder: string, files: readonly ProgramFile[]): void {
  if (files.length === 0) throw fault(folder, 'the program has no files')
  for (const { name } of files) {
    const isName =
      new RegExp(FILE_NAME).test(name) && !name.split('/').some((part) => part === '.' || part === '..')
    if (!isName || name.length > MAX_FILE_NAME_LENGTH || name.startsWith(RESERVED_PREFIX))
      throw fault(
        `${folder}/${name}`,
        `the name must have letters, digits and ._-/, at most ${MAX_FILE_NAME_LENGTH}, and not begin with ${RESERVED_PREFIX}`,
      )
  }
}

function describeScripts(files: readonly ProgramFile[], scripts: readonly ProgramFile[]): Program {
  const [build, run] = ['build', 'run'].map((name) => scripts.find((script) => script.name === name))
  const started = run ? startScript(run) : ['{dir}/run']
  return { files, ...(build && { build: startScript(build) }), run: started }
}

/** Without a line that names its interpreter, only a shell can start a script. */
const startScript = ({ name, content }: ProgramFile) =>
  content.startsWith('#!') ? [`{dir}/${name}`] : ['sh', `{dir}/${name}`]

function describePython(
  folder: string,
  files: readonly ProgramFile[],
  sources: readonly ProgramFile[],
): Program {
  const entry = sources.length === 1 ? sources[0] : sources.find(({ name }) => name === '__main__.py')
  if (entry === undefined) throw fault(folder, 'a program of several Python files must have __main__.py')
  return describeSource('Python', files, entry)
}

function describeC(
  language: string,
  files: readonly ProgramFile[],
  sources: readonly ProgramFile[],
): Program {
  const [first] = sources
  // A judge moves the only source: it would not find files by paths from a folder of its own.
  if (first && sources.length === 1 && !first.name.includes('/'))
    return describeSource(language, files, first)
  const build =
    language === 'C' ? [...C_BUILD, ...pathsOf(sources), '-lm'] : [...CPP_BUILD, ...pathsOf(sources)]
  return { files, build, run: ['{binary}'] }
}

/** A program of one file; the others lie beside it. */
function describeSource(language: string, files: readonly ProgramFile[], entry: ProgramFile): Program {
  const others = files.filter((file) => file !== entry)
  const isTaken = others.some(({ name }) => name === PYTHON_NAME || name.startsWith(`${PYTHON_NAME}/`))
  if (language === 'Python' && (isTaken || entry.name.includes('/')))
    return { files, run: ['python3', `{dir}/${entry.name}`] }
  return { files: [entry, ...others], language }
}

const pathsOf = (files: readonly ProgramFile[]) => files.map(({ name }) => `{dir}/${name}`)

const fault = (place: string, message: string) => new PackageError(place, message)

/** Decimal digits with an optional point and exponent, as the package format writes numbers. */
const TOLERANCE = /^\+?(?:\d+\.?\d*|\.\d+)(?:[Ee][+-]?\d+)?$/
const SWITCHES = ['case_sensitive', 'space_change_sensitive']
const TOLERANCES = ['float_relative_tolerance', 'float_absolute_tolerance', 'float_tolerance']

/** The fault of the default validator's arguments (2025-09); undefined if there is none. */
export function explainDefaultFlags(flags: string): string | undefined {
  const words = flags.split(/[ \f\n\r\t\v]+/).filter((word) => word !== '')
  const tolerances: string[] = []
  for (let i = 0; i < words.length; i += 1) {
    const flag = words[i] ?? ''
    if (SWITCHES.includes(flag)) continue
    if (!TOLERANCES.includes(flag)) {
      const known = [...SWITCHES, ...TOLERANCES.map((name) => `${name} E`)].join(', ')
      return `must not have ${flag.slice(0, 100)}: use ${known}`
    }
    i += 1
    const value = words[i] ?? ''
    if (!TOLERANCE.test(value) || !Number.isFinite(Number(value)))
      return `must have a number, 0 or more, after ${flag}`
    tolerances.push(flag)
  }
  if (new Set(tolerances).size < tolerances.length) return 'must not have a tolerance twice'
  if (tolerances.length > 1 && tolerances.includes('float_tolerance'))
    return 'must not have float_tolerance with another tolerance'
  return undefined
}
