/** Rules that hold for every route, in Markdown. */
export const introduction = `
The data layer of an online judge: users, problems with their test cases, submissions, custom-input
runs, contests, teams, clarification questions and notifications.

**Credentials.** \`POST /v1/basic_login\` returns a token. Send it raw in the \`Authorization\`
header, without \`Bearer\`. Judge workers get their token from \`POST /v1/login_judge\`.

**Callers.** \`x-callers\` of a route says who may call it. A *user* is everyone with a valid token,
judges and admins included; *self* is the user in the path, and *owner* the author of the submission.
*Everyone if public*: requests without the header see contests whose \`scoreboard\` is \`public\`. For
all others they get 401, after a 400 if the request is invalid.

**Bodies** are JSON in UTF-8. Unknown fields are ignored; routes without a body accept an empty one.
Text must not contain U+0000 or lone surrogates; in fields marked \`x-text: printed\` these become
U+FFFD. \`x-max-bytes\` is the limit of a text in bytes of UTF-8, \`x-max-body-bytes\` the limit of
the whole body. Fields marked \`x-visible\` are stored in NFC and without outer white space. They must
not contain invisible, control or direction characters; ZWJ and ZWNJ are allowed between letters. A
name must not be \`Deleted user\`.

**Instants** in responses are RFC 3339 in UTC. Fields marked \`x-instant\` accept any ISO 8601
date-time; without an offset it is UTC. A field without a value is absent, not null.

**Lists** are whole unless \`limit\` is given; then the \`Link\` header has the next page. A list of
more than 128 MiB gets 400 with a request for \`limit\`. A page of long texts may have fewer items
than \`limit\`.

**Errors** have one body, \`{"error", "code", "message"}\`, and are checked in this order: 401, 403,
429, 413, 400, then errors that depend on stored data (404, 409, 403). Unknown routes get 404 with
the same body. \`GET\` routes respond to \`HEAD\` too. Any route may respond with 500 or 503 and a
\`request_id\`. Malformed HTTP gets 400 without CORS headers, and the connection is closed.

**Polling.** A submission is judged when its \`status\` is no longer \`PENDING\`: poll
\`GET /v1/submissions/{submission_id}/status\` with growing pauses.

**Judging.** A worker reads the durable queue \`submission_queue\` (configurable); its messages are
\`{"type": "submission" | "input", "id"}\`. The worker reads the submission and
\`GET /v1/problem_description/{id}/tests\`, or the run alone, stores the verdict with \`PATCH\`, and
then acknowledges the message. Messages may arrive more than once: skip anything that is no longer
\`PENDING\`.

**Examples** tell one story with one set of records: Ada runs a practice league, Ulla and Viktor are
a team, and Wim has just joined.
`.trim()
