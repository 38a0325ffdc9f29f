import type { languageRoutes } from '../../features/judging/languages/routes.ts'
import { cpp, python } from '../examples/example-world.ts'
import type { Operations } from '../operation-docs.ts'

const javascript = { name: 'JavaScript', extension: 'js', version: 'Node.js' }

export const languageOperations: Operations<ReturnType<typeof languageRoutes>[number]> = {
  listLanguages: {
    summary: 'List the languages in use',
    description: `Needs no token. Submissions and runs send the \`id\` as \`language_id\`. In the
order of the language file, then of addition; without retired languages. \`available\` is there while
a worker that has registered is connected.`,
    example: { response: [cpp, python].map((language) => ({ ...language, available: true })) },
  },
  createLanguage: {
    summary: 'Add a language that the judge is configured for',
    description: `For admins. \`name\` must be a name or an alias in the judge's language file, in
upper or lower case, and \`extension\` one of that language's, with or without its dot: anything
else gets 400 with the accepted values. A name and version that exist get 400 as well.`,
    example: { body: javascript, response: { id: '019bb193-9d80-723b-ac96-57695988c972', ...javascript } },
  },
  deleteLanguage: {
    summary: 'Retire a language; its submissions stay',
    description: `For admins. The language leaves the list, and new submissions and runs in it get
404; existing submissions stay and can still be judged.`,
    example: { params: { language_id: python.id } },
  },
}
