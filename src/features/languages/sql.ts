import { type Row, statement } from '../../db/database.ts'
import { defineList } from '../../lists/definition.ts'
import { changesOf, EVERYBODY } from '../../lists/version.ts'

/** The JSON of a language. */
export const languageJson = (language: string) => `json_build_object(
    'id', ${language}.id,
    'name', ${language}.name,
    'extension', ${language}.extension,
    'version', ${language}.version)`

export const listLanguages = defineList('list_languages', {
  item: languageJson('languages'),
  from: 'languages where languages.retired_at is null',
  values: 0,
  key: [
    { column: 'languages.name', type: 'text' },
    { column: 'languages.id', type: 'uuid' },
  ],
  direction: 'asc',
  version: { changes: changesOf('languages'), audience: EVERYBODY },
})

/** $1 id, $2 name, $3 extension, $4 version. The same name and version twice violates `languages_name_version_key`. */
export const createLanguage = statement<{ body: string }>(
  'create_language',
  `insert into languages (id, name, extension, version)
   values ($1, $2, $3, $4)
   returning ${languageJson('languages')}::text as body`,
)

/** $1 language: out of the list and out of use, while what refers to it stays whole (D22). */
export const retireLanguage = statement<{ id: string }>(
  'retire_language',
  `update languages set retired_at = now()
   where languages.id = $1 and languages.retired_at is null
   returning languages.id`,
)

/** Fills the languages in once in the life of a database (D22): $1 ids, $2 names, $3 extensions, $4 versions. */
export const seedLanguages = statement<Row>(
  'seed_languages',
  `with first_start as (
     insert into seeds (name) values ('languages') on conflict do nothing returning seeds.name
   )
   insert into languages (id, name, extension, version)
   select given.id, given.name, given.extension, given.version
   from first_start,
        unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) as given (id, name, extension, version)
   on conflict do nothing`,
)
