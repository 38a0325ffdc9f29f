import DOMPurify from 'dompurify'
import { parseInWorker } from './parse-in-worker.ts'
import { keyOf, MATH, type MathElement, type ParsedStatement } from './parsed-statement.ts'

/**
 * Turns a statement into nodes without scripts, styles and forms. Pictures have no source yet: their
 * files need the user's token. `data-file` names the file of a picture or link. A statement that
 * takes too long is shown as it was written. Rejects once the signal is aborted.
 */
export async function renderMarkdown(text: string, signal: AbortSignal): Promise<DocumentFragment> {
  const parsed = await parseInWorker(text, signal)
  return parsed === undefined ? showSource(text) : showParsed(parsed)
}

function showSource(text: string): DocumentFragment {
  const [fragment, note, source] = [
    document.createDocumentFragment(),
    document.createElement('p'),
    document.createElement('pre'),
  ]
  note.textContent = 'The browser would need too long for this statement. This is its source:'
  source.className = 'source'
  source.textContent = text
  fragment.append(note, source)
  return fragment
}

function showParsed({ html, formulas }: ParsedStatement): DocumentFragment {
  const fragment = sanitise(html)
  for (const element of fragment.querySelectorAll<HTMLElement>(`.${MATH}`)) {
    const math = formulas.get(keyOf(element.textContent ?? '', element.classList.contains('display')))
    if (math === undefined) element.classList.add('faulty')
    else element.replaceChildren(makeMath(math))
  }
  return fragment
}

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

/** MathML, node by node: nothing is parsed as HTML. */
function makeMath({ tag, attributes, styles, children }: MathElement): Element {
  const element = document.createElementNS('http://www.w3.org/1998/Math/MathML', tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  Object.assign(element.style, styles)
  element.append(...children.map((child) => (typeof child === 'string' ? child : makeMath(child))))
  return element
}
