/** The headers of responses. */
export const headers = {
  'X-Request-Id': {
    description: 'Identifies the request in the service’s log.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  ETag: {
    description:
      'The version of the response for this caller. Send it as `If-None-Match` with the next request.',
    required: true,
    schema: { type: 'string', pattern: '^W/"[!#-~]+"$' },
  },
  Link: {
    description: 'With `limit`: the next page, if there is one, as `<…>; rel="next"`.',
    schema: { type: 'string' },
  },
  ProgressLocation: {
    description: 'The path of the resource that reports the progress.',
    schema: { type: 'string' },
  },
  'WWW-Authenticate': {
    description: 'The scheme that the Contest API accepts besides tokens: HTTP Basic.',
    required: true,
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    required: true,
    schema: { type: 'string', pattern: '^[0-9]+$' },
  },
}

const optionalHeader = (name: string, description: string, schema: object = { type: 'string' }) => ({
  [name]: { name, in: 'header', required: false, description, schema },
})

/** The headers of requests. An example would fill the form at `/docs`, with one key for all. */
export const parameters = {
  ...optionalHeader(
    'Idempotency-Key',
    'A key that the client chooses for this request, such as a UUID. The same key and body within 24 hours get the same 201 and create nothing new; another body gets 409.',
    { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  ),
  ...optionalHeader(
    'Judge-Capabilities',
    'Only for judge workers: what they support beyond plain comparison, as a list of `validation/1`, `case-flags/1`, `test-groups/1`, `limits/1`, `verification/1` and `program-files/1`, in any case. Without a name that the problem needs, the status is 409.',
  ),
  ...optionalHeader(
    'If-None-Match',
    'The `ETag` of earlier responses. If the response has not changed since, the status is 304 without a body. Browsers send it by themselves.',
  ),
  ...optionalHeader(
    'Last-Event-ID',
    'The last `id` of an earlier stream of this route: the events since then follow `ready`. If the id is unknown or too old, an event `reset` follows instead. Browsers send it by themselves.',
  ),
}

const inAuthorization = (description: string) => ({
  type: 'apiKey',
  in: 'header',
  name: 'Authorization',
  description,
})

/** The credentials, all in the Authorization header. */
export const securitySchemes = {
  token: inAuthorization('The token of a login, raw: without `Bearer`.'),
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'The e-mail and the password of an account, only for the Contest API.',
  },
  bridgeSecret: inAuthorization('The service’s `WEB_BRIDGE_SECRET`, raw.'),
  judgePassword: inAuthorization('The service’s `JUDGE_PASSWORD`, raw.'),
  scoreboardToken: inAuthorization('A scoreboard token of the event, raw.'),
}
