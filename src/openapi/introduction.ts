/** The document's own words, in Markdown: what holds for every route. */
export const introduction = `
The data layer of an online judge: users, problems with their test cases, submissions, custom-input runs, contests, teams, clarification
questions and notifications.

**Credentials.** \`POST /v1/basic_login\` answers a token. Send it raw in the \`Authorization\` header, without \`Bearer\`. Judge workers get theirs from
\`POST /v1/login_judge\`.

**Bodies** are JSON in UTF-8; unknown fields are ignored, and a route without a body takes an empty one. Text holds neither U+0000 nor lone surrogates.
Fields marked \`x-text: printed\` take any text, and what they cannot carry becomes U+FFFD. \`x-max-bytes\` counts the bytes of a text in UTF-8, and \`x-max-body-bytes\` of an
operation those of its whole body.

**Instants** leave as RFC 3339 in UTC. Any ISO 8601 date-time is accepted where a field is marked \`x-instant\`; without an offset it is UTC. A field without a value is absent, not null.

**Lists** are whole unless \`limit\` is given; then the \`Link\` header names the next page. A list of more than 128 MiB is a 400 that asks for \`limit\`.

**Refusals** all have one body, \`{"error", "code", "message"}\`, and come in this order: 401, 403, 429, 413, 400, and then what the state of things says
(404, 409, 403). Unknown routes are 404 with the same body. What reads with \`GET\` answers \`HEAD\` too. Any answer may be a 500 or a 503 with a \`request_id\`.
What is no well-formed HTTP is a 400 too, without the headers of CORS, and the connection ends.

**Polling.** A submission is judged when its \`status\` is no longer \`PENDING\`: poll \`GET /v1/submissions/{submission_id}/status\` with growing pauses.

**Judging.** A worker reads the durable queue \`submission_queue\` (unless configured otherwise), whose messages are
\`{"type": "submission" | "input", "id"}\`. It reads the submission and \`GET /v1/problem_description/{id}/tests\`, or the run alone, stores the verdict with
\`PATCH\`, and acknowledges the message then. Messages come at least once: what is no longer \`PENDING\` is skipped.

**Examples** are of one world and one story, and fit together: Ada runs a practice league, in which Ulla and Viktor are a team; Wim has just come.
`.trim()
