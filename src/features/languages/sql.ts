import { row, statement } from '../../db/statement.ts'
import { defineList } from '../../lists/definition.ts'
import { ascending } from '../../lists/order.ts'
import { changesOf, EVERYBODY } from '../../lists/version.ts'
import { languageJson } from '../records/languages.ts'

export const listLanguages = defineList({
  name: 'list_languages',
  item: languageJson('languages'),
  from: 'languages',
  where: 'languages.retired_at is null',
  order: ascending({ column: 'languages.name', type: 'text' }, { column: 'languages.id', type: 'uuid' }),
  version: { changes: changesOf('languages'), audience: EVERYBODY },
})

export const createLanguage = statement({
  name: 'create_language',
  params: { id: 'uuid', name: 'text', extension: 'text', version: 'text' },
  row: row<{ body: string }>(),
  sql: `insert into languages (id, name, extension, version)
        values (:id, :name, :extension, :version)
        returning ${languageJson('languages')}::text as body`,
})

/** The row stays: submissions and runs refer to it (D22). */
export const retireLanguage = statement({
  name: 'retire_language',
  params: { language_id: 'uuid' },
  sql: `update languages
        set retired_at = now()
        where languages.id = :language_id and languages.retired_at is null
        returning languages.id`,
})

/** Fills the languages once in the life of a database (D22). */
export const seedLanguages = statement({
  name: 'seed_languages',
  params: { ids: 'uuid[]', names: 'text[]', extensions: 'text[]', versions: 'text[]' },
  sql: `with first_start as (
          insert into seeds (name) values ('languages') on conflict do nothing returning seeds.name
        )
        insert into languages (id, name, extension, version)
        select given.id, given.name, given.extension, given.version
        from first_start,
             unnest(:ids, :names, :extensions, :versions) as given (id, name, extension, version)
        on conflict do nothing`,
})
