import { expect, it } from 'vitest'
import { endpoints } from '../../scripts/generated/conformance-rows.ts'
import type { Policy } from '../../src/http/routing/policy.ts'
import { openTestApp } from '../support/app.ts'

type Row = readonly [auth: Policy, success: 200 | 201 | 204]

/** The Auth column of the specification's Endpoints tables, and the successful status. */
const specified: Readonly<Record<string, Row>> = {
  'GET /': ['none', 200],
  'GET /health': ['none', 200],
  'GET /healthy': ['none', 200],
  'POST /v1/basic_register': ['none', 201],
  'POST /v1/basic_login': ['none', 200],
  'POST /v1/create_or_login_user': ['bridge secret', 200],
  'POST /v1/login_judge': ['judge password', 200],
  'POST /v1/basic_request_password_reset': ['none', 200],
  'POST /v1/basic_reset_password': ['none', 200],
  'GET /v1/users': ['admin', 200],
  'GET /v1/users/{user_id}': ['user', 200],
  'POST /v1/users': ['admin', 201],
  'PUT /v1/users/{user_id}': ['admin', 204],
  'DELETE /v1/users/{user_id}': ['self or admin', 204],
  'GET /v1/problems': ['user', 200],
  'GET /v1/problems/{problem_id}': ['user', 200],
  'POST /v1/problems': ['admin', 201],
  'PUT /v1/problems/{problem_id}': ['admin', 200],
  'DELETE /v1/problems/{problem_description_id}': ['admin', 204],
  'PUT /v1/admin/problems/{problem_id}/toggle-visibility': ['admin', 200],
  'GET /v1/problem_description/{id}/tests': ['judge or admin', 200],
  'GET /v1/categories': ['user', 200],
  'POST /v1/submissions': ['user', 201],
  'GET /v1/submissions/{submission_id}': ['owner, judge or admin', 200],
  'GET /v1/submissions/{submission_id}/status': ['owner, judge or admin', 200],
  'PATCH /v1/submissions/{submission_id}': ['judge or admin', 204],
  'GET /v1/user_submissions/{user_id}': ['self or admin', 200],
  'GET /v1/user_problem_submissions/{user_id}/{problem_id}': ['self or admin', 200],
  'POST /v1/input_submissions': ['user', 201],
  'GET /v1/input_submissions/{id}': ['user', 200],
  'PATCH /v1/input_submissions/{submission_id}': ['judge or admin', 204],
  'POST /v1/public/input_submissions': ['none', 201],
  'POST /v1/bench/input_submissions': ['none', 201],
  'GET /v1/public/input_submissions/{id}': ['none', 200],
  'GET /v1/bench/input_submissions/{id}': ['none', 200],
  'GET /v1/languages': ['none', 200],
  'POST /v1/languages': ['admin', 201],
  'DELETE /v1/languages/{language_id}': ['admin', 204],
  'GET /v1/public/events': ['user', 200],
  'GET /v1/public/events/{event_id}': ['user', 200],
  'POST /v1/public/events/{event_id}/register': ['user', 201],
  'GET /v1/public/events/{event_id}/participants': ['user', 200],
  'GET /v1/events': ['admin', 200],
  'GET /v1/events/{event_id}': ['admin', 200],
  'POST /v1/events': ['admin', 201],
  'PUT /v1/events/{event_id}': ['admin', 200],
  'DELETE /v1/events/{event_id}': ['admin', 204],
  'POST /v1/events/{id}/end': ['admin', 200],
  'GET /v1/events/{id}/problems': ['user', 200],
  'GET /v1/events/{id}/problems/{event_problem_id}': ['user', 200],
  'POST /v1/events/{id}/problems': ['user', 201],
  'GET /v1/events/{id}/submissions': ['user', 200],
  'GET /v1/events/{id}/attempts': ['user', 200],
  'GET /v1/events/{id}/user_problem_status': ['user', 200],
  'GET /v1/events/{id}/problems_stats': ['user', 200],
  'GET /v1/events/{id}/participants': ['admin', 200],
  'POST /v1/events/{id}/participants': ['admin', 201],
  'GET /v1/events/{id}/questions': ['user', 200],
  'POST /v1/events/{id}/questions': ['user', 201],
  'PUT /v1/events/{id}/questions/{question_id}/answer': ['user', 200],
  'GET /v1/events/{id}/teams': ['user', 200],
  'POST /v1/events/{id}/teams': ['user', 201],
  'GET /v1/events/{id}/teams/me': ['user', 200],
  'GET /v1/events/{id}/teams/{team_id}': ['user', 200],
  'POST /v1/events/{id}/teams/{team_id}/join': ['user', 201],
  'GET /v1/user/notifications/count': ['user', 200],
  'GET /v1/user/notifications': ['user', 200],
  'PUT /v1/user/notifications/mark-read': ['user', 200],
}

/** The names of path parameters may differ. */
const unnamed = (path: string) => path.replaceAll(/\{\w+\}|:\w+/g, '{}')

it('lists every route of the specification', () => {
  expect(Object.keys(specified)).toEqual(Object.values(endpoints).flat())
})

it('serves every route of the specification with its Auth and its successful status', async () => {
  const { routes } = await openTestApp()
  const served = new Map(
    routes.map(({ method, url, policy, responses }) => [
      unnamed(`${method} ${url}`),
      [policy, ...Object.keys(responses).map(Number)],
    ]),
  )
  const found = Object.keys(specified).map((row) => [row, served.get(unnamed(row))])
  expect(Object.fromEntries(found)).toEqual(specified)
})
