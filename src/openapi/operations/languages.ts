import { cpp, python } from '../examples/example-world.ts'
import type { RouteDocs } from '../route-docs.ts'

const javascript = { name: 'JavaScript', extension: 'js', version: 'Node.js' }

/** Words and examples for the OpenAPI document. */
export const languageDocs = {
  listLanguages: {
    description:
      'Needs no token. The `id` is what a submission or a run names as `language_id`. Sorted by name; languages that were retired are not there.',
    example: { answer: [cpp, python] },
  },
  createLanguage: {
    description: `For admins. \`name\` must be a name or an alias out of the judge's language file, whatever the case, and \`extension\` one of that language's, with
or without its dot: else 400, with those that would do. The same name and version twice is 400 as well.`,
    example: { body: javascript, answer: { id: '019bb193-9d80-723b-ac96-57695988c972', ...javascript } },
  },
  deleteLanguage: {
    description:
      'For admins. The language leaves the list, and new submissions and runs in it are 404; what was submitted in it stays as it is and can still be judged.',
    example: { params: { language_id: python.id } },
  },
} satisfies Record<string, RouteDocs>
