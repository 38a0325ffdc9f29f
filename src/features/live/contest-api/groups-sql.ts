import { defineCollection } from './collection.ts'

/** The one group of a contest: all teams of its standings (P26). */
export const MAIN_GROUP_ID = 'participants'

export const groups = defineCollection({
  type: 'groups',
  item: `json_build_object('id', main.id, 'name', 'Participants')`,
  from: `contest cross join (values ('${MAIN_GROUP_ID}')) as main (id)`,
  key: 'main.id',
  keyType: 'text',
})

/** The service stores no organisations: the collection is empty. */
export const organizations = defineCollection({
  type: 'organizations',
  item: `json_build_object('id', none.id, 'name', none.name)`,
  from: `contest cross join (values ('', '')) as none (id, name)`,
  where: 'false',
  key: 'none.id',
  keyType: 'text',
})
