import Type from 'typebox'

/** TIME of the Contest API: in UTC, always with milliseconds. */
export const Time = (description?: string) =>
  Type.String({
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
    ...(description && { description }),
  })
