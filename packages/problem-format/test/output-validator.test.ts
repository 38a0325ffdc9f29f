import { assert, asyncProperty, constantFrom, uniqueArray } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Validation } from '../src/package/judging-options.ts'
import { Warnings } from '../src/package/package-files.ts'
import type { PackageMetadata } from '../src/package/package-problem.ts'
import {
  readOutputValidator,
  readValidatorFiles,
  writeOutputValidator,
} from '../src/validators/output-validator.ts'
import { packageFiles } from './support/package-files.ts'

type Contents = Parameters<typeof packageFiles>[0]
type Settings = Pick<PackageMetadata, 'format' | 'type' | 'has_custom_validator' | 'constants'>

const NEW: Settings = { format: '2025-09', type: ['pass-fail'] }
const LEGACY: Settings = { format: 'legacy', type: ['pass-fail'], has_custom_validator: true }

async function read(contents: Contents, settings = NEW, flags = '') {
  const warnings = new Warnings()
  const place = { file: 'data/secret/test_group.yaml', line: 3, key: 'output_validator_args' }
  const given = { text: flags, place, others: [] }
  const validation = await readOutputValidator(packageFiles(contents), settings, given, warnings)
  return { validation, warnings: warnings.list.map(({ file, message }) => `${file}: ${message}`) }
}

/** Files whose content is their name, in an order. */
const named = (...names: string[]) => names.map((name) => ({ name, content: `text of ${name}` }))
const inFolder = (folder: string, ...names: string[]) =>
  Object.fromEntries(names.map((name) => [`${folder}/${name}`, `text of ${name}`]))

const CPP = ['c++', '-std=gnu++17', '-O2', '-pipe', '-I', '{dir}', '-o', '{binary}']
const JAVA = ['javac', '-J-XX:-UsePerfData', '-encoding', 'UTF-8', '-d', '{dir}']
const RUN_JAVA = [
  ...['java', '-XX:-UsePerfData', '-Xmx{memory_mib}m', '-Xss64m', '-XX:+UseSerialGC', '-cp', '{dir}'],
  '{main_class}',
]

const RUN = { run: ['{binary}'] }
const SHARED_C = ['cc', '-std=gnu17', ...CPP.slice(2)]
type Program = Omit<Validation, 'type' | 'files'>

/** Programs by the names of their files, in the order in which they are read. */
const BY_NAMES: Readonly<Record<string, Program>> = {
  'validate.py': { language: 'Python' },
  '__main__.py __init__.py helper.py': { language: 'Python' },
  // One has the name of programs.
  '__main__.py main.py': { run: ['python3', '{dir}/__main__.py'] },
  'validate.cpp testlib.h': { language: 'C++' },
  'validate.cc': { language: 'C++' },
  'a.cpp a.h b.cpp': { build: [...CPP, '{dir}/a.cpp', '{dir}/b.cpp'], ...RUN },
  'lib.h src/a.cpp': { build: [...CPP, '{dir}/src/a.cpp'], ...RUN },
  'validate.c': { language: 'C' },
  'a.c b.c': { build: [...SHARED_C, '{dir}/a.c', '{dir}/b.c', '-lm'], ...RUN },
  'Main.java': { language: 'Java' },
  'Validate.java': { build: [...JAVA, '{dir}/Validate.java'], run: RUN_JAVA },
  'validate.js': { language: 'JavaScript' },
  'a.py b.cpp build run': { build: ['sh', '{dir}/build'], run: ['sh', '{dir}/run'] },
  'a.rs build': { build: ['sh', '{dir}/build'], run: ['{dir}/run'] },
}
const PROGRAMS = Object.entries(BY_NAMES).map(([text, program]) => {
  const names = text.split(' ')
  return [text, names.toSorted(), { files: named(...names), ...program }] as const
})

describe('readOutputValidator', () => {
  it.each(PROGRAMS)('reads %s', async (_, names, program) => {
    const expected = { validation: { type: 'custom', ...program }, warnings: [] }
    expect(await read(inFolder('output_validator', ...names))).toEqual(expected)
    expect(await read(inFolder('output_validators/check', ...names), LEGACY)).toEqual(expected)
  })

  it('reads the default validator with its flags', async () => {
    const flags = 'float_tolerance 1e-6'
    expect((await read({}, NEW, flags)).validation).toEqual({ type: 'default', flags })
    expect((await read({})).validation).toEqual({ type: 'default', flags: '' })
  })

  it('starts a script that names its interpreter without a shell', async () => {
    const { validation } = await read({ 'output_validator/run': '#!/usr/bin/env python3\n' })
    expect(validation).toMatchObject({ run: ['{dir}/run'] })
    expect(validation).not.toHaveProperty('build')
  })

  it('reads an interactive validator', async () => {
    const settings: Settings = { ...NEW, type: ['scoring', 'interactive'] }
    expect((await read({ 'output_validator/a.py': '' }, settings)).validation.type).toBe('interactive')
  })

  it('reads a file of a legacy package with the headers beside it', async () => {
    const { validation } = await read(inFolder('output_validators', 'a.cc', 'validate.h'), LEGACY)
    expect(validation).toEqual({ type: 'custom', files: named('a.cc', 'validate.h'), language: 'C++' })
  })

  it('reads the only folder of a 2025-09 package', async () => {
    const { validation } = await read(inFolder('output_validator/check', 'a.py'))
    expect(validation.files).toEqual(named('a.py'))
  })

  it.each<[string, string, Settings]>([
    ['a 2025-09', 'output_validators', NEW],
    ['a legacy', 'output_validator', LEGACY],
  ])('reads the folder of the other version in %s package', async (_, folder, settings) => {
    expect((await read({ [`${folder}/a.py`]: '' }, settings)).validation.type).toBe('custom')
  })

  it('ignores auxiliary files', async () => {
    const names = ['.gitignore', '-x.cpp', '__pycache__/a.pyc', 'a.py']
    const { validation } = await read(inFolder('output_validator', ...names))
    expect(validation.files).toEqual(named('a.py'))
  })

  it('replaces constants', async () => {
    const constants = { n: { value: 5 } }
    const { validation } = await read({ 'output_validator/a.py': 'n = {{n}} {{m}}' }, { ...NEW, constants })
    expect(validation.files).toEqual([{ name: 'a.py', content: 'n = 5 {{m}}' }])
  })

  const NOT_USED = 'output_validators: the validator is not used'
  const PYTHON_2 = 'output_validator/a.py: the program is for Python 2, but runs with Python 3'
  const two = { 'output_validator/a.py': '', 'output_validators/b.py': '' }
  const notCustom: Settings = { format: 'legacy', type: ['pass-fail'] }
  it.each<[string, Contents, Settings]>([
    [`${NOT_USED}: validation in problem.yaml is not custom`, { 'output_validators/a.py': '' }, notCustom],
    [`${NOT_USED}: output_validator is used`, two, NEW],
    [PYTHON_2, { 'output_validator/a.py': '#!/usr/bin/python2\n' }, NEW],
  ])('warns: %s', async (warning, contents, settings) => {
    expect((await read(contents, settings)).warnings).toEqual([warning])
  })

  it('refuses several programs', async () => {
    const found = ['a.py', 'b.cpp', 'c'].map((name) => `output_validators/${name}`).join(', ')
    await expect(read(inFolder('output_validators', 'a.py', 'b.cpp', 'c/d.py'), LEGACY)).rejects.toThrow(
      `output_validators: only one output validator is supported: ${found}`,
    )
  })

  const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${i}`, '']))
  it.each<[string, Record<string, string | Buffer>]>([
    [': the program must have a', { README: '' }],
    [': the program must have one language, or a build script: Python, C++', { 'a.py': '', 'b.cpp': '' }],
    [': a program of several Python files must have __main__.py', { 'a.py': '', 'b.py': '' }],
    [': a program of several Go files needs a build or run script', { 'a.go': '', 'b.go': '' }],
    ['/b c: the name must have letters, digits', { 'a.py': '', 'b c': '' }],
    ['/a.py, line 2: ', { 'a.py': '\n\0' }],
    [': a program must have at most 100 files', { 'a.py': '', ...many }],
    [': a program must have at most 4194304 bytes together', { 'a.py': '', b: ' '.repeat(4194304 + 1) }],
  ])('refuses output_validator%s', async (message, files) => {
    const paths = Object.entries(files).map(([name, content]) => [`output_validator/${name}`, content])
    await expect(read(Object.fromEntries(paths))).rejects.toThrow(`output_validator${message}`)
  })
})

describe('writeOutputValidator', () => {
  const write = (validation: Validation) => {
    const { files, isExact } = writeOutputValidator(validation)
    return { contents: Object.fromEntries(files.map(({ path, content }) => [path, content])), isExact }
  }

  it.each(PROGRAMS)('writes %s so that it is read again', async (_, __, program) => {
    const validation: Validation = { type: 'custom', ...program }
    const { contents, isExact } = write(validation)
    expect(isExact).toBe(true)
    expect((await read(contents)).validation).toEqual(validation)
  })

  it('writes nothing for the default validator', () => {
    expect(write({ type: 'default', flags: 'case_sensitive' })).toEqual({ contents: {}, isExact: true })
  })

  it.each<[string, Partial<Validation>]>([
    ['the protocol of testlib', { files: named('a.cpp', 'testlib.h'), language: 'C++', protocol: 'testlib' }],
    ['an alias of a language', { files: named('a.py'), language: 'python3' }],
    ['its own commands', { files: named('a.py'), run: ['python3', '-O', '{dir}/a.py'] }],
    ['a lone surrogate', { files: [{ name: 'a.py', content: '\uD800' }], language: 'Python' }],
    ['an unknown extension', { files: named('a.xyz'), language: 'Python' }],
  ])('says that a package cannot express %s', (_, program) => {
    const { contents, isExact } = write({ type: 'custom', ...program })
    expect(isExact).toBe(false)
    expect(Object.keys(contents)).toHaveLength(program.files?.length ?? 0)
  })

  it('keeps byte-order marks', async () => {
    const files = [{ name: 'a.py', content: '\uFEFFx' }]
    const { contents, isExact } = write({ type: 'custom', files, language: 'Python' })
    expect(isExact).toBe(true)
    expect((await read(contents)).validation.files).toEqual(files)
  })

  it('refuses to read a file that is missing', async () => {
    await expect(readValidatorFiles(packageFiles({}), ['a.py'])).rejects.toThrow(
      'output_validator/a.py: the output validator has no such file',
    )
  })

  it('writes every validator either exactly or says that it is not exact', async () => {
    const names = constantFrom(...'a.py __main__.py main.py a.cpp b.cpp x/a.py run h.h .x'.split(' '))
    const validators = uniqueArray(names, { minLength: 1, maxLength: 4 })
    const texts = constantFrom('', 'x\n', '#!/bin/sh\n', '\uFEFFx', '\uFEFF\uFEFF', '{{n}}')
    const options = constantFrom({ language: 'Python' }, { language: 'C++' }, { run: ['sh', '{dir}/run'] })
    await assert(
      asyncProperty(validators, options, texts, async (chosen, option, content) => {
        const files = chosen.map((name) => ({ name, content }))
        const validation: Validation = { type: 'custom', files, ...option }
        const { contents, isExact } = write(validation)
        expect(await readValidatorFiles(packageFiles(contents), chosen)).toEqual(files)
        const again = await read(contents).catch(() => undefined)
        if (isExact) expect(again?.validation).toEqual(validation)
        else expect(again?.validation).not.toEqual(validation)
      }),
      { numRuns: 100 },
    )
  })
})
