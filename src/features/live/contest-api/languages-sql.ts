import { defineCollection } from './collection.ts'

/** The languages that contestants may use now (P21, D22). */
const IS_ALLOWED = `(languages.retired_at is null and (contest.enforce_languages is not true or exists (
          select from json_array_elements_text(contest.languages) as named (id)
          where lower(named.id) = languages.id::text)))`

/** The programs of a contest may have languages that were retired or are no longer allowed. */
const IS_USED = `languages.id in (
          select submissions.language_id from submissions where submissions.event_id = :event_id)`

export const languages = defineCollection({
  type: 'languages',
  item: `json_build_object(
          'id', languages.id,
          'name', languages.name || ' (' || languages.version || ')',
          'entry_point_required', false,
          'extensions', json_build_array(languages.extension))`,
  from: 'contest cross join languages',
  where: `(${IS_ALLOWED} or ${IS_USED})`,
  key: 'languages.id',
  keyType: 'uuid',
  order: 'languages.position, languages.id',
})
