/** Fields of a JSON object, for SQL's `json_build_object`, that have the names of their columns. */
export const fieldsOf = (table: string, ...columns: string[]) =>
  columns
    .map((column) => `'${column}', ${table}.${column}`)
    .join(`,
      `)

/**
 * A JSON object that has the fields `optional` only where `condition` holds (D5). The shorter
 * `json_strip_nulls` doubles the time: use it only for objects without long texts.
 */
export const withOptional = (fields: string, condition: string, optional: string) => `case when ${condition}
      then json_build_object(${fields}, ${optional})
      else json_build_object(${fields}) end`

/**
 * A JSON object with `fields`, and with the fields in `optional` that are not null (D5). Their
 * values must be short: they are written twice.
 */
export const withNotNull = (fields: string, optional: string) => {
  const given = `json_strip_nulls(json_build_object(${optional}))::text`
  return `case when ${given} = '{}'
      then json_build_object(${fields})
      else (left(json_build_object(${fields})::text, -1) || ', ' || substr(${given}, 2))::json end`
}

/**
 * The text of the JSON object `object`, with the fields in `optional` that are not null (D5), and
 * before these with fields whose JSON is given as text. Long values belong there: it copies the
 * rest once more.
 */
export const objectText = (object: string, optional: string, texts: Readonly<Record<string, string>> = {}) =>
  `concat(${[
    `left((${object})::text, -1)`,
    ...Object.entries(texts).map(([name, text]) => `', "${name}" : ', ${text}`),
    `coalesce(', ' || nullif(substr(json_strip_nulls(json_build_object(${optional}))::text, 2), '}'), '}')`,
  ].join(`,
        `)})`

/**
 * The text of one JSON object with the fields of several, in this order; null adds none. It is
 * faster than a `case` with a `json_build_object` for every choice of fields.
 */
export const joinedText = (...objects: string[]) =>
  `'{' || concat_ws(', ', ${objects
    .map((object) => `nullif(substr(left((${object})::text, -1), 2), '')`)
    .join(`,
        `)}) || '}'`

/** Columns as `fields` of `objectOf`. */
export const jsonOf = (table: string, ...columns: string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(columns.map((column) => [column, `to_json(${table}.${column})`]))

/**
 * The text of a JSON object without the fields that are null (D5); the first one never is. The text
 * of each value must be JSON. It is faster than `json_build_object`.
 */
export const objectOf = (fields: Readonly<Record<string, string>>) => `concat('{',
      ${Object.entries(fields)
        .map(([name, value], place) => `'${place === 0 ? '' : ', '}"${name}" : ' || (${value})::text`)
        .join(`,
      `)}, '}')`
