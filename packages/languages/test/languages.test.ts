import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeTemporaryFolder } from '../../../test/support/temporary-folder.ts'
import * as source from '../src/languages.ts'

const { defaultLanguagesFile, findLanguage, parseLanguages, parseNamedLanguages, readLanguages } = source

const lua = `
[[languages]]
name = "Lua"
aliases = ["lua5.4"]
extensions = ["lua"]
version = "5.4"
source = "main.lua"
run = ["lua", "{source}"]
`

describe('the default language file', async () => {
  const languages = await readLanguages(defaultLanguagesFile)

  it('has twenty languages', () => {
    expect(languages.map((language) => language.name).join(' ')).toBe(
      'C C++ Python JavaScript TypeScript Java C# Go Rust Kotlin Ruby PHP Perl Haskell Lua Pascal Scala Swift R OCaml',
    )
  })

  it.each([
    ['JavaScript', ['js', 'NODE', 'nodejs']],
    ['Python', ['python3', 'Py']],
    ['C++', ['c++', 'CPP', 'c++17', 'g++']],
    ['Java', [' java ']],
    ['C#', ['c#']],
    [undefined, ['Brainfuck']],
  ])('finds %s by %j', (expected, names) => {
    for (const name of names) expect(findLanguage(languages, name)?.name, name).toBe(expected)
  })

  it('only checks languages without compiled files', () => {
    const checked = languages.filter((language) => language.check).map((language) => language.name)
    expect(checked).toEqual(['Python', 'JavaScript', 'Ruby', 'PHP', 'Perl', 'Lua', 'R'])
  })
})

describe('a language file', () => {
  const LUA = { name: 'Lua', extensions: ['lua'], version: '5.4', sourceFile: 'main.lua' }

  it('may have every field', async () => {
    const file = join(await makeTemporaryFolder(), 'languages.toml')
    const fields = `
compile = ["luac", "-o", "{binary}", "{source}"]
environment = { LUA_PATH = "" }
locks = true
memory_overhead_mib = 8
time_multiplier = 1.5
out_of_memory = "not enough memory"
compile_cpu_seconds = 40
compile_wall_seconds = 90
compile_memory_mib = 2048`
    await writeFile(file, `${lua.replace('"{source}"]', '"{source}", "{main_class}"]')}${fields}`)
    expect(await readLanguages(file)).toEqual([
      {
        ...{ ...LUA, aliases: ['lua5.4'], run: ['lua', '{source}', '{main_class}'] },
        ...{ compile: ['luac', '-o', '{binary}', '{source}'], environment: { LUA_PATH: '' }, locks: true },
        ...{ memoryOverheadMib: 8, timeMultiplier: 1.5, outOfMemoryText: 'not enough memory' },
        compileLimits: { cpuSeconds: 40, wallSeconds: 90, memoryMib: 2048 },
      },
    ])
  })

  it('needs only the required fields', () => {
    expect(parseLanguages(lua.replace('aliases = ["lua5.4"]', ''), 'f')).toStrictEqual([
      {
        ...{ ...LUA, aliases: [], run: ['lua', '{source}'], environment: {}, locks: false },
        ...{ memoryOverheadMib: 0, timeMultiplier: 1, compileLimits: {} },
      },
    ])
  })

  it('may have a check, and one compile limit without the others', () => {
    const text = `${lua}check = ["luac", "-p", "{source}"]\ncompile_wall_seconds = 5\nlocks = false`
    const [language] = parseLanguages(text, 'f')
    expect(language).toMatchObject({ check: ['luac', '-p', '{source}'], locks: false })
    expect(language?.compileLimits).toStrictEqual({ wallSeconds: 5 })
    expect(language).not.toHaveProperty('compile')
  })

  it('is named in the error if it is missing', async () => {
    await expect(readLanguages('/nowhere/none.toml')).rejects.toThrow(/none\.toml: cannot be read/)
  })
})

describe('a language file of the service', () => {
  const [PYTHON, ADA] = [
    '[[language]]\nname = "Python"\nversion = "3.12"\nextension = "py"\n',
    '[[language]]\nname = "Ada"\nversion = "2022"\nextension = "adb"\n',
  ]
  const foreign = `${PYTHON}${ADA}`

  it('needs only names, versions and extensions, also headed [[language]], and keeps its order (D22)', () => {
    expect(parseNamedLanguages(foreign, 'f')).toStrictEqual([
      { name: 'Python', aliases: [], extensions: ['py'], version: '3.12', timeMultiplier: 1 },
      { name: 'Ada', aliases: [], extensions: ['adb'], version: '2022', timeMultiplier: 1 },
    ])
    expect(parseNamedLanguages(foreign.replaceAll('[[language]]', '[[languages]]'), 'f')).toHaveLength(2)
    const named = { name: 'Lua', aliases: ['lua5.4'], extensions: ['lua'], version: '5.4', timeMultiplier: 1 }
    expect(parseNamedLanguages(lua, 'f')).toStrictEqual([named])
  })

  it.each([
    [foreign.replace('"3.12"', '3.12'), 'f: language[0] ("Python"): version must be a text'],
    [`${foreign}run = "ada"`, 'f: language[1] ("Ada"): run must be a command as an array of words'],
    [foreign.replace('"Ada"', '"PYTHON"'), 'f: "python" means both Python and PYTHON'],
  ])('is checked as far as it goes: %j', (text, problem) => {
    expect(() => parseNamedLanguages(text, 'f')).toThrow(problem)
  })
})

const at = (problem: string) => `f: languages[0] ("Lua"): ${problem}`
const command = 'must be a command as an array of words'
const environment = 'environment must be a table of texts'
const EITHER = 'f: [[languages]] and [[language]] exclude each other; use one of them'
const CHECKED = at('compile and check exclude each other; remove one of them')
const NO_COMMANDS = 'f: languages[0] ("Lua") has no commands; a judge worker needs at least source and run'
const EXTENSIONS = at('extensions must be an array of at least one extension, without dots')

it.each([
  ['', 'f: languages is missing; it must be a list of tables, each headed [[languages]]'],
  ['languages = []', 'f: there must be at least one [[languages]] table'],
  ['languages = [1]', 'f: languages[0] must be a table'],
  ['[[tongue]]', 'f: tongue is an unknown field; use languages, language'],
  ['language = []', 'f: there must be at least one [[language]] table'],
  [`${lua}${lua.replace('languages', 'language')}`, EITHER],
  [lua.replace('extensions =', '# extensions ='), at('extensions is missing; it must be an array')],
  [`${lua}extension = "lua"`, at('extension and extensions exclude each other; remove one of them')],
  [lua.replace('extensions = ["lua"]', 'extension = ".lua"'), at('extension must be an extension without')],
  [lua.replace('source =', '# source =').replace('run =', '# run ='), NO_COMMANDS],
  [lua.replace('run =', '# run ='), at('run is missing')],
  [lua.replace('["lua", "{source}"]', '"lua {source}"'), at(`run ${command}`)],
  [lua.replace('["lua", "{source}"]', '[]'), at(`run ${command}`)],
  [lua.replace('{source}', '{file}'), 'no placeholders but {dir} {source}'],
  [lua.replace('name = "Lua"', 'name = " "'), 'f: languages[0]: name must be a text that is not blank'],
  [lua.replace('["lua"]', '[".lua"]'), EXTENSIONS],
  [lua.replace('["lua"]', '[]'), 'extensions must be an array of at least one extension'],
  [lua.replace('main.lua', '../main.lua'), at('source must be a plain file name')],
  [`${lua}memory_overhead_mib = -1`, 'memory_overhead_mib must be a whole number, 0 or more'],
  [`${lua}time_multiplier = 0`, 'time_multiplier must be a number above 0, at most 1000'],
  [`${lua}time_multiplier = inf`, 'time_multiplier must be a number above 0, at most 1000'],
  [`${lua}time_multiplier = "2"`, 'time_multiplier must be a number above 0, at most 1000'],
  [`${lua}check = "luac -p"`, at(`check ${command}`)],
  [`${lua}check = ["luac", "{file}"]`, `check ${command}, with no placeholders`],
  [`${lua}check = ["luac"]\ncompile = ["luac"]`, CHECKED],
  [`${lua}locks = "true"`, at('locks must be true or false')],
  [`${lua}compile_cpu_seconds = 0`, 'compile_cpu_seconds must be a whole number, 1 or more'],
  [`${lua}compile_wall_seconds = 1.5`, 'compile_wall_seconds must be a whole number, 1 or more'],
  [`${lua}compile_memory_mib = "1024"`, 'compile_memory_mib must be a whole number, 1 or more'],
  [`${lua}compile = ["luac", "{main_class}"]`, `compile ${command}`],
  [`${lua}check = ["luac", "{main_class}"]`, `check ${command}`],
  [lua.replace('{source}', '{main_class}'), `run ${command}`],
  [`${lua}environment = { A = 1 }`, environment],
  [`${lua}environment = { "A\\nB" = 1 }`, environment],
  [`${lua}environment = 2026-01-01`, environment],
  [lua.replace('"5.4"', '2026-01-01'), 'version must be a text that is not blank'],
  [`${lua}colour = "blue"`, at('colour is an unknown field; use name, aliases')],
  [`${lua}${lua}`, 'f: "lua" means both Lua and Lua; names and aliases must be unique'],
  [`${lua}${lua.replace('"Lua"', '"Luau"')}`, 'f: "lua5.4" means both Lua and Luau'],
  ['a = \n[[languages]]', 'f:1:5: Invalid TOML document'],
])('an invalid language file is refused with the place and the correction (%#)', (text, message) => {
  expect(() => parseLanguages(text, 'f')).toThrow(message)
})
