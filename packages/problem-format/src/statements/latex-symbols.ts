/** Commands that stand for characters. */
export const SYMBOLS: Readonly<Record<string, string>> = {
  ...{ '%': '%', '&': '&', '#': '#', _: '_', '{': '{', '}': '}', $: '\\$' },
  ...{ ' ': ' ', '\n': ' ', ',': ' ', ';': ' ', ':': ' ', '!': '', '/': '', '-': '', '@': '' },
  ...{ quad: ' ', qquad: '  ', space: ' ', enspace: ' ', thinspace: ' ', par: '\n\n', newline: '\n' },
  ...{ ldots: '…', dots: '…', textellipsis: '…', textendash: '–', textemdash: '—' },
  ...{ textquoteleft: '‘', textquoteright: '’', textquotedblleft: '“', textquotedblright: '”' },
  ...{ guillemotleft: '«', guillemotright: '»', textbullet: '•', textbar: '|', textunderscore: '_' },
  ...{ textdegree: '°', texteuro: '€', euro: '€', pounds: '£', S: '§', P: '¶', copyright: '©' },
  ...{ dag: '†', ddag: '‡', textasteriskcentered: '*', textdollar: '\\$', textmu: 'µ', texttimes: '×' },
  ...{ TeX: 'TeX', LaTeX: 'LaTeX' },
  ...{ ss: 'ß', ae: 'æ', AE: 'Æ', oe: 'œ', OE: 'Œ', o: 'ø', O: 'Ø', aa: 'å', AA: 'Å', l: 'ł', L: 'Ł' },
  ...{ i: 'ı', j: 'ȷ', dh: 'ð', DH: 'Ð', th: 'þ', TH: 'Þ', dj: 'đ', DJ: 'Đ' },
}

/** Commands that stand for characters which LaTeX would otherwise read as quotes or spaces. */
export const EXACT_SYMBOLS: Readonly<Record<string, string>> = {
  ...{ textasciitilde: '~', textbackslash: '\\', textasciicircum: '^', textquotesingle: "'" },
  ...{ textless: '<', textgreater: '>', textasciigrave: '`', textquotedbl: '"' },
}

/** Accents as combining characters, which follow their letter. */
export const ACCENTS: Readonly<Record<string, string>> = {
  ...{ '`': '\u0300', "'": '\u0301', '^': '\u0302', '~': '\u0303', '=': '\u0304', u: '\u0306' },
  ...{ '.': '\u0307', '"': '\u0308', r: '\u030A', H: '\u030B', v: '\u030C', d: '\u0323' },
  ...{ c: '\u0327', k: '\u0328', b: '\u0331' },
}

/** Commands with a text that is marked, by their mark. */
export const STYLES: Readonly<Record<string, '*' | '**' | '`'>> = {
  ...{ textbf: '**', emph: '*', textit: '*', textsl: '*', texttt: '`', t: '`' },
}

/** Commands that change the style up to the end of their group. */
export const SWITCHES: Readonly<Record<string, '*' | '**' | '`'>> = {
  ...{ bf: '**', bfseries: '**', it: '*', itshape: '*', em: '*', sl: '*', slshape: '*' },
  ...{ tt: '`', ttfamily: '`' },
}

/** Commands that are headings, by their level. */
export const HEADINGS: Readonly<Record<string, number>> = {
  ...{ chapter: 2, section: 2, subsection: 3, subsubsection: 4, paragraph: 5 },
}

/** Environments that are sections. */
export const SECTIONS: readonly string[] = ['Input', 'Output', 'Interaction']

/** Commands that are dropped with so many arguments. */
export const DROPPED: Readonly<Record<string, number>> = {
  ...{ problemname: 1, label: 1, vspace: 1, hspace: 1, cline: 1, cmidrule: 1, pagestyle: 1, rule: 2 },
  ...{ thispagestyle: 1, setlength: 2, addtolength: 2, setcounter: 2, usepackage: 1, documentclass: 1 },
  ...{ newcommand: 2, renewcommand: 2, providecommand: 2, DeclareMathOperator: 2, newenvironment: 3 },
  ...{ renewenvironment: 3, newtheorem: 2, definecolor: 3, color: 1, lstset: 1, hypersetup: 1 },
  ...{ graphicspath: 1, bibliographystyle: 1, selectlanguage: 1, title: 1, author: 1 },
  ...{ fontsize: 2, hypertarget: 1, phantom: 1, vphantom: 1, hphantom: 1, addcontentsline: 3 },
}

/** Commands that would open a file or start a program. They are dropped with what they name. */
export const FILE_COMMANDS: readonly string[] = [
  ...['input', 'include', 'includeonly', 'subfile', 'InputIfFileExists', 'IfFileExists', 'import'],
  ...['subimport', 'lstinputlisting', 'inputminted', 'VerbatimInput', 'includepdf', 'includesvg'],
  ...['openin', 'openout', 'read', 'readline', 'write', 'closein', 'closeout', 'immediate', 'special'],
  ...['directlua', 'ShellEscape', 'pdfximage', 'pdffiledump', 'file_input:n', 'loadfile', 'bibinput'],
  ...['BVerbatimInput', 'LVerbatimInput', 'verbatiminput', 'csvreader', 'bibliography', 'pgfimage', 'epsfig'],
  ...['epsfbox', 'listinginput', 'includestandalone', '@@input', 'inputfrom', 'luadirect'],
]

/** The arguments in braces at the beginning of environments; those in brackets are dropped too. */
export const ENVIRONMENT_ARGUMENTS: Readonly<Record<string, number>> = {
  ...{ tabular: 1, 'tabular*': 2, tabularx: 2, longtable: 1, array: 1, wrapfigure: 2, wraptable: 2 },
  ...{ minipage: 1, multicols: 1, subfigure: 1, adjustbox: 1, adjustwidth: 2, thebibliography: 1 },
}

export const TABLES: readonly string[] = ['tabular', 'tabular*', 'tabularx', 'longtable', 'array']
export const FIGURES: readonly string[] = ['figure', 'figure*', 'wrapfigure', 'subfigure']

/** True for the path of a picture outside the statement's folder. */
export const isOutside = (path: string) => path.startsWith('/') || path.split('/').includes('..')
