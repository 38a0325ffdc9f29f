/** The password of every user. */
export const PASSWORD = 'correct horse battery staple'

/** The e-mail address of the n-th user. */
export const emailOf = (n: number) => `user-${n}@example.org`

/** A program of 1.2 kB. */
export const SOURCE_CODE = `# A solution in so many lines.\n${'total = (total * 31 + values[i]) % 1000000007\n'.repeat(25)}`

/** SQL for the language of the n-th submission. */
export const languageSql = (n: string) =>
  `(array(select languages.id from languages order by languages.name, languages.id limit 20))[(${n}) % 20 + 1]`

const VERDICTS = `(array['ACCEPTED', 'WRONG_ANSWER', 'WRONG_ANSWER', 'TIME_LIMIT_EXCEEDED', 'WRONG_ANSWER',
    'ACCEPTED', 'RUNTIME_ERROR', 'WRONG_ANSWER', 'COMPILE_TIME_ERROR', 'WRONG_ANSWER'])`

/** SQL for the status of the n-th submission: a fifth is accepted. */
export const statusSql = (n: string) => `${VERDICTS}[((${n})::bigint * 7919 / 13) % 10 + 1]`

/** SQL for the test results of the n-th submission, from `result_templates`. */
export const resultsSql = (n: string) =>
  `replace(result_templates.results, '#', (100000000000 + (${n})::bigint)::text)::json`
