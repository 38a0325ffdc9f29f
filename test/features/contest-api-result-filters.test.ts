import { expect, it } from 'vitest'
import { createFullContest } from '../support/contest-api.ts'
import { serviceWithContests } from '../support/contests.ts'

const contests = await serviceWithContests()
const contest = await createFullContest(contests)
const { ann } = contest
const { admin } = contests

const FILTERS = {
  judgements: ['submission_id', 'judgement_type_id'],
  runs: ['judgement_id', 'judgement_type_id'],
} as const

it.each(['judgements', 'runs'] as const)(
  'each filter of %s finds the objects with its values (P26)',
  async (type) => {
    const [first, second] = FILTERS[type]
    const all = await contest.list(admin, type)
    expect(all.length).toBeGreaterThan(1)
    for (const object of all) {
      const [one, other] = [String(object[first]), String(object[second])]
      const withOne = all.filter((another) => another[first] === one)
      expect(await contest.list(admin, `${type}?${first}=${one}`)).toEqual(withOne)
      expect(await contest.list(admin, `${type}?${first}=${one}&${second}=${other}`)).toEqual(
        withOne.filter((another) => another[second] === other),
      )
      expect(await contest.list(admin, `${type}?${first}=${one}&${second}=`)).toEqual([])
    }
    for (const value of ['', 'none', crypto.randomUUID()])
      expect(await contest.list(admin, `${type}?${first}=${value}`)).toEqual([])
  },
)

it('a filter by submission shows no judgement that the caller does not see', async () => {
  const { hidden, bob } = contest.submissions
  expect(await contest.list(admin, `judgements?submission_id=${hidden}`)).toHaveLength(1)
  expect(await contest.list(ann, `judgements?submission_id=${hidden}`)).toEqual([])
  expect(await contest.list(ann, `judgements?submission_id=${bob}`)).toHaveLength(1)
})
