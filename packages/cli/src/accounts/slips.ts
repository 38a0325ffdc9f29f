import { createHash } from 'node:crypto'
import { makePrintable } from '../shared/text.ts'
import type { NewAccount } from './people-csv.ts'

/** The content of the slips. */
export interface Slips {
  /** Such as the title of the contest. */
  readonly title: string
  /** The address where people log in. */
  readonly url: string
  readonly accounts: readonly NewAccount[]
}

const SLIPS_PER_PAGE = 6

/**
 * A sheet is a little lower than A4: with the full height, rounding makes browsers print empty
 * pages. The margins are within the slips, so that the cut lines are in the middle of the paper.
 */
const STYLE = `
@page { size: A4 portrait; margin: 0 }
* { box-sizing: border-box; margin: 0; padding: 0 }
html { background: #fff; color: #000; font: 11pt/1.3 system-ui, sans-serif }
.sheet {
  width: 210mm; height: 296.7mm; overflow: hidden; break-after: page; break-inside: avoid;
  display: grid; grid-template: repeat(3, 98.9mm) / repeat(2, 105mm);
}
.sheet:last-child { break-after: auto }
.slip {
  overflow: hidden; padding: 9mm 10mm; display: flex; flex-direction: column; gap: 2.5mm;
  overflow-wrap: anywhere;
}
.slip:nth-child(odd) { border-right: .3mm dashed #888 }
.slip:nth-child(n + 3) { border-top: .3mm dashed #888 }
h2, .name, .team, .url { display: -webkit-box; -webkit-box-orient: vertical; overflow: hidden }
h2 { font-size: 11pt; font-weight: 600; -webkit-line-clamp: 2; flex: none }
.name { font-size: 15pt; font-weight: 600; -webkit-line-clamp: 2; flex: none }
.team { -webkit-line-clamp: 1; flex: none }
.url { -webkit-line-clamp: 2; flex: none }
dl { display: grid; gap: 1.5mm; min-height: 0 }
dt { font-size: 8pt; color: #555 }
.email { max-height: 14mm; overflow: hidden }
.email, .password { font-family: "DejaVu Sans Mono", Consolas, Menlo, monospace; unicode-bidi: isolate }
.email { font-size: 10pt }
.password { font-size: 14pt; white-space: pre-wrap }
.password.long { font-size: 9pt; line-height: 1.2 }
.password.huge { font-size: 5pt; line-height: 1.1 }
`

/** Bytes of the style, as the Content Security Policy wants them. */
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'`

/** Makes a self-contained HTML document: A4, six slips per page. Every text is escaped. */
export function formatSlips({ title, url, accounts }: Slips): string {
  const sheets = Array.from({ length: Math.ceil(accounts.length / SLIPS_PER_PAGE) }, (_, page) => {
    const shown = accounts.slice(page * SLIPS_PER_PAGE, (page + 1) * SLIPS_PER_PAGE)
    const slips = shown.map((account) => formatSlip(title, url, account)).join('\n')
    return `<div class="sheet">\n${slips}\n</div>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${sheets.join('\n')}
</body>
</html>
`
}

/** Puts another address on slips, where people log in. */
export function replaceAddress(html: string, url: string): string {
  return html.replaceAll(/<p class="url" [^<]*<\/p>/g, () => formatUrl(url))
}

const formatUrl = (url: string) => `<p class="url" dir="ltr">${escapeHtml(url)}</p>`

function formatSlip(title: string, url: string, { name, email, team, password }: NewAccount): string {
  const { length } = password
  const size = length > 250 ? ' huge' : length > 60 ? ' long' : ''
  const lines = [
    `<h2 dir="auto">${escapeHtml(title)}</h2>`,
    `<p class="name" dir="auto">${escapeHtml(name)}</p>`,
    ...(team ? [`<p class="team" dir="auto">${escapeHtml(team)}</p>`] : []),
    formatUrl(url),
    '<dl>',
    `<div><dt>E-mail</dt><dd class="email" dir="ltr">${escapeHtml(email)}</dd></div>`,
    `<div><dt>Password</dt><dd class="password${size}" dir="ltr">${escapeHtml(password)}</dd></div>`,
    '</dl>',
  ]
  return `<section class="slip">\n${lines.join('\n')}\n</section>`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** For the content of elements and for quoted attributes. */
const escapeHtml = (text: string) =>
  makePrintable(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
