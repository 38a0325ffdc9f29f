import DOMPurify from 'dompurify'
import { Marked, type TokenizerAndRendererExtension } from 'marked'
import temml from 'temml'

/** Elements of a statement that the page completes. */
const MATH = 'statement-math'

/**
 * Turns a statement into nodes without scripts, styles and forms. Pictures have no source yet: their
 * files need the user's token. `data-file` names the file of a picture or link.
 */
export function renderMarkdown(text: string): DocumentFragment {
  const html = new Marked({ gfm: true, extensions: [blockMath, inlineMath] }).parse(text, { async: false })
  const fragment = sanitise(html)
  for (const element of fragment.querySelectorAll<HTMLElement>(`.${MATH}`)) renderMath(element)
  return fragment
}

/** `$$…$$` in lines of their own, or in a text. */
const blockMath: TokenizerAndRendererExtension = {
  name: 'blockMath',
  level: 'block',
  start: (text) => text.indexOf('$$'),
  tokenizer(text) {
    const [raw, formula] = /^\$\$([^$]+?)\$\$[ \t]*(?:\n|$)/.exec(text) ?? []
    return raw === undefined ? undefined : { type: 'blockMath', raw, formula }
  },
  renderer: ({ formula }) => `<div class="${MATH} display">${escapeHtml(String(formula).trim())}</div>\n`,
}

/** `$…$` without a space inside the signs, so that `$5 and $6` stays as it is. */
const inlineMath: TokenizerAndRendererExtension = {
  name: 'inlineMath',
  level: 'inline',
  start: (text) => text.indexOf('$'),
  tokenizer(text) {
    const display = /^\$\$([^$]+?)\$\$/.exec(text)
    if (display !== null) return { type: 'inlineMath', raw: display[0], formula: display[1], isDisplay: true }
    const [raw, formula] = /^\$(?!\s)((?:\\[\s\S]|[^$\\])+?)(?<!\s)\$(?!\d)/.exec(text) ?? []
    return raw === undefined ? undefined : { type: 'inlineMath', raw, formula }
  },
  renderer: ({ formula, isDisplay }) =>
    `<span class="${MATH}${isDisplay ? ' display' : ''}">${escapeHtml(String(formula))}</span>`,
}

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Elements that a statement may not put into a page of this service. */
const FORBIDDEN = [
  ...['style', 'form', 'input', 'button', 'select', 'textarea', 'dialog'],
  ...['video', 'audio', 'picture'],
]

/** Not an instance of its own: each one would ask for the trusted types policy of the page again. */
function sanitise(html: string): DocumentFragment {
  DOMPurify.addHook('afterSanitizeAttributes', tidyReference)
  try {
    return DOMPurify.sanitize(html, {
      USE_PROFILES: { html: true },
      FORBID_TAGS: FORBIDDEN,
      FORBID_ATTR: ['style', 'id', 'name', 'srcset', 'background'],
      ALLOW_DATA_ATTR: false,
      RETURN_DOM_FRAGMENT: true,
    })
  } finally {
    DOMPurify.removeHook('afterSanitizeAttributes')
  }
}

/** Only files of the problem are loaded; links lead out of the page or to a file. */
function tidyReference(element: Element): void {
  if (element.tagName === 'IMG') {
    element.setAttribute('data-file', element.getAttribute('src') ?? '')
    element.removeAttribute('src')
  }
  if (element.tagName !== 'A') return
  const href = element.getAttribute('href') ?? ''
  if (/^https?:/i.test(href)) {
    element.setAttribute('target', '_blank')
    element.setAttribute('rel', 'noopener noreferrer')
  } else {
    element.setAttribute('data-file', href)
    element.removeAttribute('href')
  }
}

/** Writes MathML, node by node: nothing is parsed as HTML. A faulty formula stays as text. */
function renderMath(element: HTMLElement): void {
  const formula = element.textContent ?? ''
  const displayMode = element.classList.contains('display')
  try {
    temml.render(formula, element, { displayMode, trust: false, throwOnError: true, maxExpand: 200 })
  } catch {
    element.textContent = formula
    element.classList.add('faulty')
  }
}
