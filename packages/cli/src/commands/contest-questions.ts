import type { Schemas } from '@judge-data-layer/client'
import { JudgeApiError, orThrow } from '@judge-data-layer/client/errors'
import { type Command, Option } from 'commander'
import { locateContest, splitArguments, takeArguments, takeContest } from '../contest/find-contest.ts'
import { formatTime } from '../contest/times.ts'
import { listQuestions } from '../lookup/problems-and-contests.ts'
import type { Cli, Context, Outcome } from '../shared/cli.ts'
import { CliError, EXIT, takeOnly, usageError } from '../shared/errors.ts'
import { readStdin } from '../shared/prompts.ts'
import { inOneLine } from '../shared/text.ts'

type Question = Schemas['Question']

interface AnswerOptions {
  readonly public?: true
  readonly private?: true
  readonly replace?: true
}

/** Adds `contest announce`, `contest questions` and `contest answer`. */
export function addQuestionCommands(parent: Command, cli: Cli): void {
  takeArguments(parent.command('announce'), 'text')
    .description('Tell all participants something.')
    .addHelpText('after', ANNOUNCE_EXAMPLES)
    .action(cli.action(announce))
  takeContest(parent.command('questions'))
    .description('List the questions of participants, the newest first.')
    .option('--open', 'only those without an answer')
    .addHelpText('after', QUESTIONS_EXAMPLES)
    .action(cli.action(showQuestions))
  takeArguments(parent.command('answer'), 'question', 'text')
    .description('Answer a question.')
    .addOption(new Option('--public', 'show the question and the answer to everybody').conflicts('private'))
    .option('--private', 'show them to the author only, also after a public answer')
    .option('--replace', 'replace the answer of a question that is answered already')
    .addHelpText('after', ANSWER_EXAMPLES)
    .action(cli.action(answer))
}

const ANNOUNCE_EXAMPLES = `
Examples:
  $ judge contest announce exam "Lunch is at one."
  $ judge contest announce exam - < announcement.txt`

const QUESTIONS_EXAMPLES = `
Examples:
  $ judge contest questions exam --open
  $ judge contest questions 7 --json`

const ANSWER_EXAMPLES = `
Examples:
  $ judge contest answer exam 4c1d "No."
  $ judge contest answer exam 4c1d "The limit is 100." --public
  $ judge contest answer exam 4c1d "The limit is 1000." --replace
  $ judge contest answer exam 4c1d - < answer.txt

A question is named by its id, or by the end of it that "judge contest questions" shows.
Without --public and --private, a new question is answered for its author only, and a public
one stays public.`

async function announce(ctx: Context, args: readonly string[]): Promise<Outcome> {
  const { contest, others } = splitArguments(args, 'text')
  const { id } = await locateContest(contest, ctx.url)
  const body = { announcement: await readText(ctx, others[0]) }
  const params = { path: { event_id: id } }
  const announced = await orThrow(ctx.client.POST('/v1/events/{event_id}/announcements', { params, body }))
  return { json: announced, text: `Announced in contest ${id}.` }
}

/** The text of an argument, or of stdin for `-`. */
async function readText({ io }: Context, argument = ''): Promise<string> {
  const text = argument === '-' ? await readStdin(io) : argument
  if (text.trim() === '') throw usageError('The text is empty.')
  return text
}

async function showQuestions(
  ctx: Context,
  name: string | undefined,
  { open }: { readonly open?: true },
): Promise<Outcome> {
  const { id, timeZone } = await locateContest(name, ctx.url)
  const all = await listQuestions(ctx.client, id)
  const asked = all.filter(({ is_announcement }) => is_announcement !== true)
  const shown = asked.filter((one) => !open || !one.is_answered)
  const none = open ? 'No open questions.' : 'No questions.'
  const blocks = shown.map((one) => describeQuestion(ctx, one, timeZone))
  return { json: shown, text: shown.length === 0 ? none : blocks.join('\n\n') }
}

const SHOWN_CHARACTERS = 8

function describeQuestion({ writer }: Context, question: Question, timeZone: string): string {
  const { id, created_at, user, problem, is_answered, answer = '', is_public, answerer } = question
  const about = problem === undefined ? '' : `, ${problem.title}`
  const head = `${formatTime(created_at, timeZone)}  ${inOneLine(`${user.name}${about}`)}`
  const state = writer.paint(is_answered ? 'answered' : { text: 'open', colour: 'yellow' })
  const name = writer.paint({ text: id.slice(-SHOWN_CHARACTERS), colour: 'bold' })
  // Where everybody answers, the name tells who says so.
  const by = is_public === undefined && answerer !== undefined ? `${inOneLine(answerer.name)}: ` : ''
  const answers = is_answered ? [indent(`${is_public ? '(public) ' : by}${answer}`, '  > ')] : []
  const texts = [...(question.question === '' ? [] : [indent(question.question, '  ')]), ...answers]
  return [`${name}  ${writer.paint(head)}  ${state}`, ...texts.map(writer.paint)].join('\n')
}

const indent = (text: string, prefix: string) =>
  text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => prefix + line)
    .join('\n')

const STAYS_PUBLIC = 'It was public, and stays public. With --private only its author sees it.'
const ALREADY_ANSWERED =
  'The question is answered already. See the answer with: judge contest questions. Replace it with --replace.'
const NO_LONGER_PUBLIC = 'It was public. Now only its author and the staff see it.'

async function answer(ctx: Context, args: readonly string[], options: AnswerOptions): Promise<Outcome> {
  const { contest, others } = splitArguments(args, 'question', 'text')
  const [name = '', argument] = others
  const { id } = await locateContest(contest, ctx.url)
  const text = await readText(ctx, argument)
  const question = chooseQuestion(await listQuestions(ctx.client, id), name)
  const wasPublic = question.is_public === true
  const isPublic = options.public ?? (options.private ? false : wasPublic)
  const query = options.replace ? { replace: true } : {}
  const params = { path: { event_id: id, question_id: question.id }, query }
  const body = { answer: text, public: isPublic }
  const call = ctx.client.PUT('/v1/events/{event_id}/questions/{question_id}/answer', { params, body })
  await orThrow(call).catch((err: unknown) => {
    const isAnswered = err instanceof JudgeApiError && err.code === 'ALREADY_ANSWERED'
    throw isAnswered ? new CliError(ALREADY_ANSWERED, EXIT.rejected, err.code) : err
  })
  const notes = wasPublic ? [isPublic ? STAYS_PUBLIC : NO_LONGER_PUBLIC] : []
  const json = { contest_id: id, question_id: question.id, answer: text, public: isPublic }
  const answered = `Answered: ${ctx.writer.paint(inOneLine(question.question))}`
  return { json, text: [answered, ...notes].join('\n') }
}

function chooseQuestion(questions: readonly Question[], name: string): Question {
  const wanted = name.toLowerCase()
  const found = questions.filter(({ id }) => wanted.length > 0 && id.endsWith(wanted))
  const none = `No question has an id that ends with ${name}.`
  return takeOnly(found, none, `Several questions have ids that end with ${name}. Write more of the id.`)
}
