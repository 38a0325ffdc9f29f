import {
  PackageError,
  type PackageFile,
  type PackageFiles,
  readShownName,
  readText,
  type Warnings,
} from '../package/package-files.ts'
import { MOST_TIME_LIMIT_SECONDS } from '../package/times.ts'

/** A setting of a DOMjudge file. */
interface DomjudgeSetting<T> {
  readonly file: string
  readonly line: number
  readonly value: T
}

const INI_FILE = 'domjudge-problem.ini'
const TIME_LIMIT_FILE = '.timelimit'
const MOST_BYTES = 64 * 1024

/** Keys that the import uses. */
const USED = ['name', 'short-name', 'probid', 'timelimit']

/** Messages for DOMjudge's keys that the service does not have. */
const NOT_IMPORTED = new Map([
  ['allow_submit', 'make the problem public instead'],
  ['allow_judge', 'the service judges every problem'],
  ['special_run', 'the program is not in the package'],
  ['special_compare', 'the program is not in the package'],
  ['points', 'a contest has the points of its problems'],
  ['color', 'a contest has the colours of its problems'],
  ['externalid', 'the service has its own ids'],
])

/** The settings that DOMjudge keeps outside `problem.yaml`. */
export type DomjudgeSettings = Awaited<ReturnType<typeof readDomjudgeFiles>>

/**
 * Reads `.timelimit` and `domjudge-problem.ini`. `.timelimit`, in seconds, counts if both have a
 * time limit.
 */
export async function readDomjudgeFiles(files: PackageFiles, warnings: Warnings) {
  const settings = await readIni(files)
  for (const [key, { file, line }] of settings) {
    if (USED.includes(key)) continue
    const reason = NOT_IMPORTED.get(key)
    warnings.add(file, `${key}: ${reason ? `not imported, ${reason}` : 'unknown key: not imported'}`, line)
  }
  const readName = (key: string) => {
    const setting = settings.get(key)
    if (!setting?.value) return undefined
    const { file, line } = setting
    const warn = (message: string) => warnings.add(file, `${key}: ${message}`, line)
    return { ...setting, value: readShownName(setting.value, warn) }
  }
  const iniLimit = settings.get('timelimit')
  const timeLimit = (await readTimeLimitFile(files)) ?? (iniLimit && readSeconds('timelimit', iniLimit))
  const shortName = (readName('short-name') ?? readName('probid'))?.value
  return { name: readName('name'), shortName, timeLimit }
}

async function readTimeLimitFile(files: PackageFiles): Promise<DomjudgeSetting<number> | undefined> {
  const file = files.get(TIME_LIMIT_FILE)
  if (file === undefined) return undefined
  const value = (await readShortText(file)).trim()
  return readSeconds('the file', { file: TIME_LIMIT_FILE, line: 1, value })
}

function readSeconds(name: string, { file, line, value }: DomjudgeSetting<string>): DomjudgeSetting<number> {
  const seconds = /^\+?(\d+(\.\d*)?|\.\d+)$/.test(value) ? Number(value) : Number.NaN
  if (seconds > 0 && seconds <= MOST_TIME_LIMIT_SECONDS) return { file, line, value: seconds }
  const message = `${name} must be a number of seconds above 0 and at most ${MOST_TIME_LIMIT_SECONDS}`
  throw new PackageError(file, message, line)
}

/** The settings of the ini file by key. The last one of a key counts. */
async function readIni(files: PackageFiles): Promise<Map<string, DomjudgeSetting<string>>> {
  const settings = new Map<string, DomjudgeSetting<string>>()
  const file = files.get(INI_FILE)
  const lines = file ? (await readShortText(file)).split(/\r?\n/) : []
  for (let index = 0; index < lines.length; ) {
    const start = index
    const text = (lines[index] ?? '').trim()
    index += 1
    if (text === '' || /^[;#[]/.test(text)) continue
    const equals = text.indexOf('=')
    if (equals < 1) throw new PackageError(INI_FILE, 'must be `key = value`', start + 1)
    const first = text.slice(equals + 1).trim()
    const quoted = first.startsWith('"') || first.startsWith("'")
    const { value, used } = quoted ? readQuoted(first, lines, index) : { value: readPlain(first), used: 0 }
    index += used
    settings.set(text.slice(0, equals).trim(), { file: INI_FILE, line: start + 1, value })
  }
  return settings
}

/** A quoted value may continue on the next lines: `used` is their number. */
function readQuoted(first: string, lines: readonly string[], next: number) {
  const quote = first.charAt(0)
  const parts = [first.slice(1)]
  while (!parts.at(-1)?.includes(quote)) {
    const line = lines[next + parts.length - 1]
    if (line === undefined) throw new PackageError(INI_FILE, `the value must end with ${quote}`, next)
    parts.push(line)
  }
  const text = parts.join('\n')
  return { value: text.slice(0, text.indexOf(quote)).trim(), used: parts.length - 1 }
}

/** A value without quotes ends at a comment. */
const readPlain = (text: string) => text.split(';', 1)[0]?.trim() ?? ''

async function readShortText(file: PackageFile): Promise<string> {
  if (file.bytes <= MOST_BYTES) return await readText(file)
  throw new PackageError(file.path, `the file must have at most ${MOST_BYTES} bytes`)
}
