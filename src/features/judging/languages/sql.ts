import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { statement } from '../../../db/statement.ts'
import { defineList } from '../../../lists/definition.ts'
import { ascending } from '../../../lists/order.ts'
import { changesOf, EVERYBODY } from '../../../lists/version.ts'
import { languageJson } from '../../shared/records/languages.ts'

/** Without a row of `available_languages` no worker is connected, and the field is absent (D5). */
const available = `(
      select lower(languages.name) = any(available_languages.names) from available_languages)`

export const listLanguages = defineList({
  name: 'list_languages',
  item: `json_strip_nulls(${languageJson('languages', `'available', ${available}`)})`,
  from: 'languages',
  where: 'languages.retired_at is null',
  order: ascending(
    { column: 'languages.position', type: 'bigint' },
    { column: 'languages.id', type: 'uuid' },
  ),
  version: { changes: changesOf('languages'), audience: EVERYBODY },
})

export const createLanguage = actorStatement({
  name: 'create_language',
  params: { id: 'uuid', name: 'text', extension: 'text', version: 'text' },
  columns: { body: 'text' },
  with: `created as (
      insert into languages (id, name, extension, version)
      select :id, :name, :extension, :version
      where ${ACTOR_EXISTS}
      returning languages.*
    )`,
  select: `select ${languageJson('created')}::text as body from created`,
})

/** The row stays: submissions and runs refer to it (D22). */
export const retireLanguage = actorStatement({
  name: 'retire_language',
  params: { language_id: 'uuid' },
  with: `retired as (
      update languages
      set retired_at = now()
      where languages.id = :language_id and languages.retired_at is null and ${ACTOR_EXISTS}
      returning languages.id
    )`,
  select: 'select retired.id from retired',
})

/** Fills the languages once in the life of a database, in the order of the file (D22). */
export const seedLanguages = statement({
  name: 'seed_languages',
  params: { ids: 'uuid[]', names: 'text[]', extensions: 'text[]', versions: 'text[]' },
  sql: `with first_start as (
          insert into seeds (name) values ('languages') on conflict do nothing returning seeds.name
        )
        insert into languages (id, name, extension, version)
        select given.id, given.name, given.extension, given.version
        from first_start,
             unnest(:ids, :names, :extensions, :versions)
               with ordinality as given (id, name, extension, version, place)
        order by given.place
        on conflict do nothing`,
})
