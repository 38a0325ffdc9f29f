/**
 * A JSON object that has the fields `optional` only where `condition` holds (D5). The shorter
 * `json_strip_nulls` doubles the time: use it only for objects without long texts.
 */
export const withOptional = (fields: string, condition: string, optional: string) => `case when ${condition}
      then json_build_object(${fields}, ${optional})
      else json_build_object(${fields}) end`
