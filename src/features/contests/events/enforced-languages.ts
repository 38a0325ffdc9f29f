/** SQL condition: the JSON array is empty, or has a number, which is no language of a submission. */
export const namesNoUuid = (languages: string) => `(json_array_length(${languages}) = 0 or exists (
        select from json_array_elements(${languages}) as named (language)
        where json_typeof(named.language) <> 'string'))`

/**
 * SQL: where `isChecked`, the first UUID of the JSON array `languages` that is no language, if any.
 * Those in `former` are not checked: they may be retired (P21).
 */
export const unknownLanguage = (languages: string, isChecked: string, former = `'[]'`) => `(
        select named.language
        from json_array_elements_text(case when ${isChecked} then ${languages} else '[]' end)
               with ordinality as named (language, place)
        where not exists (
            select from languages
            where languages.id = named.language::uuid and languages.retired_at is null)
          and not exists (
            select from json_array_elements_text(${former}) as former (language)
            where lower(former.language) = lower(named.language))
        order by named.place
        limit 1)`
