import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { lockExclusively } from '../../../db/advisory-lock.ts'
import { defineList } from '../../../lists/definition.ts'
import { ascending } from '../../../lists/order.ts'
import { changesOf, EVERYBODY } from '../../../lists/version.ts'
import { VISIBLE_PROBLEM } from '../../shared/access/problems.ts'

const categoryJson = `json_build_object('id', categories.id, 'name', categories.name)`

export const listCategories = defineList({
  name: 'list_categories',
  item: categoryJson,
  from: 'categories',
  order: ascending({ column: 'categories.name', type: 'text' }),
  version: { changes: changesOf('categories'), audience: EVERYBODY },
})

/** 404 where the actor may not see the problem (D19, D21). */
export const listProblemCategories = defineList({
  name: 'list_problem_categories',
  params: { problem_id: 'integer' },
  item: categoryJson,
  from: `problem_categories
      join categories on categories.id = problem_categories.category_id`,
  where: 'problem_categories.problem_id = :problem_id',
  order: ascending({ column: 'categories.name', type: 'text' }),
  owner: VISIBLE_PROBLEM,
})

export const createCategory = actorStatement({
  name: 'create_category',
  params: { id: 'uuid', name: 'text' },
  columns: { body: 'text' },
  with: `created as (
      insert into categories (id, name)
      select :id, :name
      where ${ACTOR_EXISTS}
      returning categories.*
    )`,
  select: `select ${categoryJson}::text as body from created as categories`,
})

/** Keeps updates of problems from assigning and removing categories meanwhile, until the commit. */
export const lockCategories = actorStatement({
  name: 'lock_categories',
  select: `select ${lockExclusively('categories')}::text as locked`,
})

/** After `lockCategories`: the deletion changes the category's problems and their search index. */
export const deleteCategory = actorStatement({
  name: 'delete_category',
  params: { category_id: 'uuid' },
  with: `deleted as (
      delete from categories
      where categories.id = :category_id and ${ACTOR_EXISTS}
      returning categories.id
    )`,
  select: 'select deleted.id from deleted',
})
