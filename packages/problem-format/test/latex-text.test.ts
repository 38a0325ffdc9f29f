import { describe, expect, it } from 'vitest'
import { readProblemName, renderLatex } from '../src/statements/latex-text.ts'

/** An environment of LaTeX with this text. */
const env = (name: string, text: string) => `\\begin{${name}}${text}\\end{${name}}`

const render = async (latex: string) => (await renderLatex(latex))?.trimEnd() ?? null

const NESTED = env('itemize', '\\item b')
const TABLE = '{|l|r|}\\hline a & $b & c$\\\\[1pt]\\hline\\multicolumn{2}{c}{d}\\\\'
const CODE = env('verbatim', '\nx\n  y\n')
const CAPTION = "\\caption{A [``cat'']}"

describe('renderLatex', () => {
  it.each<[string, string, string]>([
    ['paragraphs', 'One\nline.\n\n\nTwo.', 'One line.\n\nTwo.'],
    ['comments', 'One % two\n   three\n\n% four\nfive 50\\%', 'One three\n\nfive 50%'],
    ['a comment before an empty line', 'One % two\n\nThree', 'One\n\nThree'],
    ['the name of the problem', '\\problemname{Sums}\n\nAdd.', 'Add.'],
    ['sections', '\\section{Input}\nA\n\\subsection*{More}B', '## Input\n\nA\n\n### More\n\nB'],
    ['environments of sections', '\\begin{Input}\n A\n\\end{Input}\nB', '## Input\n\nA\n\nB'],
    ['styles', '\\textbf{a} \\emph{b} \\textit{c} \\texttt{d} \\underline{e}', '**a** *b* *c* `d` e'],
    ['switches of styles', '{\\bf a} b {\\it c}{\\tt d} \\tt{e} {\\large f}', '**a** b *c*`d` `e` f'],
    ['nested styles', '\\textbf{a \\emph{b}} \\texttt{c \\$d}', '**a *b*** `c \\$d`'],
    ['math', '$a_1$ \\(b\\) \\$5', '$a_1$ $b$ \\$5'],
    ['display math', 'a $$x$$ b \\[ y \\] c', 'a\n\n$$x$$\n\nb\n\n$$y$$\n\nc'],
    ['math with text', '$x \\text{ if $y$}$ and \\$', '$x \\text{ if $y$}$ and \\$'],
    ['environments of math', env('align*', '\na &= b % c\n'), `$$${env('align*', ' a &= b ')}$$`],
    ['an equation', env('equation', 'x'), '$$x$$'],
    ['quotes and dashes', "``a'' `b' <<c>> don't 1--2 --- ok", '“a” ‘b’ «c» don’t 1–2 — ok'],
    ['no quotes and dashes in code', "\\texttt{a--b ``c''}", "`` a--b ``c'' ``"],
    ['symbols', 'a~b\\ldots\\ \\& \\# \\_ \\{\\} \\ss{}x \\textbackslash n', 'a b… & # _ {} ßx \\n'],
    ['accents', '\\\'etat na\\"{\\i}ve \\c{c}a \\~n', 'état naïve ça ñ'],
    ['line breaks', 'a\\\\b\\\\[2pt] c', 'a\nb\nc'],
    ['lists', '\\begin{itemize}[x]\n\\item a\n\\item[b] c\n\\end{itemize}', '- a\n- **b** c'],
    ['nested lists', env('enumerate', `\\item a\n${NESTED}\\item c`), '1. a\n\n   - b\n2. c'],
    ['tables', env('tabular', TABLE), 'a | $b & c$\nd'],
    ['code', '\\begin{verbatim}\n a%b\n\n  {\n\\end{verbatim}', '```\n a%b\n\n  {\n```'],
    ['listings', '\\begin{lstlisting}[language=C]\nint a[3];\n\\end{lstlisting}', '```\nint a[3];\n```'],
    ['code in lists', env('itemize', `\\item a\n${CODE}`), '- a\n\n  ```\n  x\n    y\n  ```'],
    ['code in lines', '\\verb|a{%| \\lstinline{b} \\verb+`+', '`a{%` `b` `` ` ``'],
    ['pictures', '\\includegraphics[width=3cm]{a.png}', '![](a.png)'],
    ['illustrations', '\\illustration{0.3}{a.png}{A \\emph{cat}}\nText', '![A *cat*](a.png)\n\nText'],
    ['figures', env('figure', `[h]\\centering\\includegraphics{a}${CAPTION}`), '![A \\[“cat”\\]](a)'],
    ['addresses', '\\url{http://a.example/b%20c_d~e}', 'http://a.example/b%20c_d~e'],
    ['links', '\\href{https://a.example/%41}{the \\emph{text}}', '[the *text*](https://a.example/%41)'],
    ['no links to programs', '\\href{javascript:alert(1)}{text}', 'text'],
    ['quotations', '\\begin{quote}a\n\nb\\end{quote}', '> a\n>\n> b'],
    ['epigraphs and footnotes', '\\epigraph{a}{b} c\\footnote{d}', '> a\n> — b\n\nc (d)'],
    ['only the body of a whole document', '\\documentclass{a}x\\begin{document}b\\end{document}', 'b'],
    ['no definitions', 'a\\newcommand{\\x}[1]{b#1}\\def\\y#1{c}\\renewcommand\\z{d} \\x{e}', 'a e'],
    ['the last argument of unknown commands', '\\foo[a]{b}{c} \\constructor{d} \\toString', 'c d'],
    ['no samples', 'a\\nextsample\n\\remainingsamples b', 'a b'],
    ['unknown environments as their text', '\\begin{foo}a\\end{foo}', 'a'],
    ['a text with Windows line ends', 'a\r\n\r\nb', 'a\n\nb'],
  ])('writes %s', async (_, latex, text) => {
    expect(await render(latex)).toBe(text)
  })

  it.each([
    '\\input{/etc/passwd}',
    '\\input /etc/passwd',
    '\\include{x}',
    '\\lstinputlisting[language=C]{x}',
    '\\verbatiminput{x}',
    '\\write18{cat x}',
    '\\immediate\\write18{cat x}',
    '\\openin5=x',
    '\\inputminted{c}{x}',
    '\\includepdf[pages=1]{x}',
    '\\directlua{x}',
  ])('drops %s', async (command) => {
    expect(await render(`a ${command} b`)).toBe('a b')
  })

  it.each([
    ['nothing', ''],
    ['only a comment', '% text'],
    ['an open brace', 'a {b'],
    ['a brace too many', 'a} b'],
    ['open math', 'a $b'],
    ['an open environment', '\\begin{a} b'],
    ['another end', '\\begin{a} b \\end{c}'],
    ['crossed braces', '{\\begin{a} } \\end{a}'],
    ['open code', '\\begin{verbatim} a'],
    ['a text that is too long', 'a '.repeat(40_000)],
    ['65 levels', `${'{'.repeat(65)}a${'}'.repeat(65)}`],
  ])('is null for %s', async (_, latex) => {
    expect(await render(latex)).toBeNull()
  })

  const lists = (levels: number, text: string) =>
    `${'\\begin{itemize}\\item '.repeat(levels)}${text}${'\\end{itemize}'.repeat(levels)}`
  it('writes 64 levels', async () => {
    expect(await render(`${'{'.repeat(64)}a${'}'.repeat(64)}`)).toBe('a')
    expect(await render(lists(64, 'a'))).toContain('- a')
  })

  const many = (part: string) => part.repeat(Math.floor(8_000 / part.length))
  it.each([
    ['open braces', '{'.repeat(100_000)],
    ['60,000 open braces', '{'.repeat(60_000)],
    ['dollars', '$'.repeat(60_001)],
    ['open environments', many('\\begin{itemize}')],
    ['open code', many('\\begin{verbatim}')],
    ['code', many('\\begin{lstlisting}[\\end{lstlisting}')],
    ['open brackets', many('\\foo[')],
    ['items with open brackets', `\\begin{itemize}${many('\\item[')}\\end{itemize}`],
    ['open commands for code', many('\\verb|')],
    ['addresses', many('\\url{')],
    ['spaces', `\\begin${' '.repeat(63_000)}x`],
    ['spaces in code', `\\begin{verbatim}${' '.repeat(63_000)}x\\end{verbatim}`],
    ['levels', ('{'.repeat(63) + '}'.repeat(63)).repeat(60)],
    ['long lists in lists', lists(64, '\\item a '.repeat(500))],
    ['a table', `\\begin{tabular}{l}${many('a & b \\\\ ')}\\end{tabular}`],
    ['captions', env('figure', `\\caption{${'a'.repeat(30_000)}}${'\\includegraphics{a}'.repeat(500)}`)],
  ])('ends for %s', async (_, latex) => {
    expect(((await renderLatex(latex)) ?? '').length).toBeLessThan(1_000_000)
  })
})

it('reads a text with 5,000 switches in one group', async () => {
  expect((await renderLatex('\\bf a '.repeat(5000)))?.replaceAll('*', '').split(' ')).toHaveLength(5000)
})

describe('readProblemName', () => {
  it.each<[string, string, string | undefined]>([
    ['the command', '\\problemname{Sums and \\emph{more} \\& $x_1$}\nText', 'Sums and more & $x_1$'],
    ['mathematics with its commands', '\\problemname{$n \\leq \\pi$ for \\$2}', '$n \\leq \\pi$ for $2'],
    ['typographic signs', "\\problemname{A --- ``b''~c}", 'A — “b” c'],
    ['the comment first', '\\problemname{$x^2$}\n%% plainproblemname: x^2\n', 'x^2'],
    ['no comments', '% \\problemname{A}\n\\problemname {B}', 'B'],
    ['nothing without a name', 'Text', undefined],
    ['nothing in an empty name', '\\problemname{}', undefined],
    ['nothing in an open brace', '\\problemname{A', undefined],
  ])('reads %s', (_, latex, name) => {
    expect(readProblemName(latex)).toBe(name)
  })
})
