import { describe, expect, it } from 'vitest'
import { Warnings } from '../src/package/package-files.ts'
import type { PackageMetadata } from '../src/package/package-problem.ts'
import { readStatements } from '../src/statements/statements.ts'
import { packageFiles } from './support/package-files.ts'

type Contents = Parameters<typeof packageFiles>[0]
type Settings = Pick<PackageMetadata, 'format' | 'names' | 'constants'>

const SETTINGS: Settings = { format: '2025-09', names: { en: 'Sums' } }

async function read(contents: Contents, settings: Partial<Settings> = {}) {
  const warnings = new Warnings()
  const statements = await readStatements(packageFiles(contents), { ...SETTINGS, ...settings }, warnings)
  const show = ({ file, line, message }: (typeof warnings.list)[number]) =>
    `${file}${line === undefined ? '' : `, line ${line}`}: ${message}`
  return { ...statements, warnings: warnings.list.map(show) }
}

const MARKDOWN = 'statement/problem.en.md'
const LATEX = 'statement/problem.en.tex'
const PDF = 'statement/problem.en.pdf'
const OLD_LATEX = 'problem_statement/problem.tex'
const OLD_MARKDOWN = 'problem_statement/problem.md'
/** Statements by language: the extension and the content. */
const inFolder = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(texts).map(([language, text]) => {
      const [extension = ''] = text.split(' ')
      return [`statement/problem.${language}.${extension}`, text.slice(extension.length + 1)]
    }),
  )
const english = { language: 'en', title: 'Sums', titles: { en: 'Sums' }, warnings: [] }

describe('readStatements', () => {
  const otherNames = ['problem.tex.bak', 'problem.en.html', 'old/problem.sv.md', 'a.png']
  const otherFiles = Object.fromEntries(otherNames.map((name) => [`statement/${name}`, 'O']))
  it.each<[string, Contents, string | null, string]>([
    ['Markdown', { [MARKDOWN]: 'Add *a* and $b$.\n' }, 'Add *a* and $b$.\n', MARKDOWN],
    ['LaTeX', { [OLD_LATEX]: '\\problemname{Other}\nAdd \\textbf{it}.' }, 'Add **it**.\n', OLD_LATEX],
    ['only a PDF', { [PDF]: Buffer.from([0xff, 0]) }, null, PDF],
    ['Markdown before LaTeX and PDF', { [MARKDOWN]: 'M', [PDF]: 'P', [LATEX]: 'T' }, 'M', MARKDOWN],
    ['LaTeX before PDF', { [LATEX]: 'T', [PDF]: 'P' }, 'T\n', LATEX],
    ['a file without a language', { 'statement/problem.md': 'M' }, 'M', 'statement/problem.md'],
    ['a statement in the root', { 'problem.pdf': 'P' }, null, 'problem.pdf'],
    ['the folder before the root', { 'problem.md': 'R', [OLD_MARKDOWN]: 'F' }, 'F', OLD_MARKDOWN],
    ['no other files', { [MARKDOWN]: 'M', ...otherFiles }, 'M', MARKDOWN],
  ])('reads %s', async (_, contents, prompt, file) => {
    expect(await read(contents)).toEqual({ ...english, prompt, file })
  })

  it('prefers English, and returns the names of all languages', async () => {
    const contents = inFolder({ da: 'md D', en: 'md E', 'pt-BR': 'tex \\problemname{Somas}P', sv: 'pdf S' })
    expect(await read(contents, { names: { en: 'Sums', da: 'Summer' } })).toEqual({
      ...{ ...english, prompt: 'E', file: MARKDOWN },
      titles: { da: 'Summer', en: 'Sums', 'pt-BR': 'Somas', sv: '' },
      warnings: ['problem.yaml: name is missing for the statement in pt-BR, sv'],
    })
  })

  it('takes the first language by its code where there is no English', async () => {
    const contents = inFolder({ sv: 'md S', da: 'md D' })
    const statements = await read(contents, { names: { da: 'Summer', sv: 'Summor' } })
    expect(statements).toMatchObject({ prompt: 'D', language: 'da', title: 'Summer', warnings: [] })
  })

  it('prefers a text in any language to a PDF', async () => {
    const pdfs = inFolder({ da: 'pdf D', en: 'pdf E' })
    const texts = inFolder({ sv: 'md S', fi: 'tex F' })
    expect(await read({ ...pdfs, ...texts })).toMatchObject({ prompt: 'F\n', language: 'fi' })
    expect(await read(pdfs)).toMatchObject({ prompt: null, file: 'statement/problem.en.pdf', language: 'en' })
  })

  it.each<[string, string, Settings['names'], string | undefined]>([
    ['problem.yaml', '\\problemname{A}', { en: 'B' }, 'B'],
    ['the comment', '\\problemname{$a$}\n%% plainproblemname: a', {}, 'a'],
    ['the command', '\\problemname{A \\& B}', {}, 'A & B'],
    ['another language', 'x', { sv: 'S' }, 'S'],
    ['nowhere', 'x', {}, undefined],
  ])('takes the title from %s', async (_, latex, names, title) => {
    const contents = { 'problem_statement/problem.tex': `${latex}\ntext` }
    expect((await read(contents, { format: 'legacy', names })).title).toBe(title)
  })

  it('replaces constants in Markdown and LaTeX', async () => {
    const constants = { n: { value: 5, tex: '10^5' } }
    const promptOf = async (contents: Contents) => (await read(contents, { constants })).prompt
    expect(await promptOf({ [MARKDOWN]: '{{n}} {{n.tex}} {{m}}' })).toBe('5 10^5 {{m}}')
    expect(await promptOf({ [LATEX]: '\\constant{n} $\\constant{n.tex}$' })).toBe('5 $10^5$\n')
  })

  it('drops the commands that place samples, with a warning for each', async () => {
    const markdown = 'First:\n\n{{nextsample}}\n\nThen {{nextsample}}\n{{remainingsamples}}.\n'
    const dropped = 'is dropped: samples are shown after the statement'
    expect(await read({ [MARKDOWN]: markdown })).toMatchObject({
      prompt: 'First:\n\n\n\nThen \n.\n',
      warnings: [
        `${MARKDOWN}, line 3: {{nextsample}} ${dropped}`,
        `${MARKDOWN}, line 6: {{remainingsamples}} ${dropped}`,
      ],
    })
    const latex =
      '% \\nextsample\nFirst:\n\\nextsample\nThen \\nextsample{} \\remainingsamples and \\nextsamples{x}'
    expect(await read({ [LATEX]: latex })).toMatchObject({
      prompt: 'First: Then and x\n',
      warnings: [
        `${LATEX}, line 3: \\nextsample ${dropped}`,
        `${LATEX}, line 4: \\remainingsamples ${dropped}`,
      ],
    })
  })

  it('refuses a text that constants make very long', async () => {
    const constants = { n: { value: 'x'.repeat(100_000) } }
    await expect(read({ [MARKDOWN]: '\n{{n}}'.repeat(1000) }, { constants })).rejects.toThrow(
      'statement/problem.en.md, line 43: the file is too long with its constants: {{n}}',
    )
  })

  it('links to the PDF if the LaTeX text cannot be shown', async () => {
    expect(await read({ [LATEX]: 'a {b', [PDF]: 'P' })).toMatchObject({
      ...{ prompt: null, file: PDF },
      warnings: ['statement/problem.en.tex: the statement has no text that can be shown: add it as Markdown'],
    })
  })

  it('tries the LaTeX texts of two languages', async () => {
    const contents = inFolder({ de: 'tex {', en: 'tex }', sv: 'tex Skriv.' })
    const shown = 'the statement has no text that can be shown: add it as Markdown'
    const third = 'statement/problem.sv.tex: only 2 LaTeX texts are tried as the prompt: not this one'
    expect(await read(contents, { names: { de: 'D', en: 'E', sv: 'S' } })).toMatchObject({
      ...{ prompt: null, file: LATEX },
      warnings: [`${LATEX}: ${shown}`, `statement/problem.de.tex: ${shown}`, third],
    })
  })

  it('warns of commands that the author defines', async () => {
    const latex = '% \\def\\a{b}\n\\newcommand{\\most}{10}\\def\\x{1}\nAt most \\most{} \\default lines.'
    expect((await read({ 'statement/problem.en.tex': latex })).warnings).toEqual([
      'statement/problem.en.tex, line 2: \\newcommand, \\def are dropped: commands of the author are not expanded',
    ])
  })

  it('warns of all commands and pictures that are dropped, with the line of the first', async () => {
    const latex =
      'a\n% \\input{c}\n\\epsfig{file=x}\\pgfimage[width=3 cm]{p}\\@@input{q}\\epsfig{file=y}\n' +
      '\\includegraphics[width=1cm]{../b.png}\\includegraphics{/b.png}\\includegraphics{b.png}'
    expect(await read({ [LATEX]: latex })).toMatchObject({
      prompt: 'a\n\n![](b.png)\n',
      warnings: [
        `${LATEX}, line 3: \\epsfig, \\pgfimage, \\@@input are dropped: a statement cannot use other files`,
        `${LATEX}, line 4: \\includegraphics[width=1cm]{../b.png}, \\includegraphics{/b.png} are dropped: pictures must be in the folder of the statement`,
      ],
    })
  })

  it('warns of a package without a statement', async () => {
    expect(await read({ 'statement/readme.txt': '' })).toEqual({
      ...{ prompt: null, language: 'en', file: '', title: 'Sums', titles: {} },
      warnings: ['statement: the package has no statement: add statement/problem.en.md'],
    })
  })

  it('warns of names without a statement', async () => {
    const { warnings } = await read({ [MARKDOWN]: 'E' }, { names: { en: 'Sums', sv: 'S' } })
    expect(warnings).toEqual(['problem.yaml: name has sv, but there is no such statement'])
  })

  it('refuses a text that is too long', async () => {
    await expect(read({ [MARKDOWN]: 'a'.repeat(1024 * 1024 + 1) })).rejects.toThrow(
      `${MARKDOWN}: a statement must have at most 1048576 bytes`,
    )
  })
})
