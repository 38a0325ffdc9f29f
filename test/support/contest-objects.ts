import { expect } from 'vitest'
import type { TestResponse } from './app.ts'
import type { Caller, Expected } from './caller.ts'

type Body = TestResponse['body']

/** Objects of the Contest API. */
export interface ContestObjects {
  /** The objects of a collection. */
  list(caller: Caller, type: string): Promise<Body[]>
  /** One value of each object of a collection, in its order. */
  values(caller: Caller, type: string, property?: string): Promise<unknown[]>
  /** The address of an object, or of another resource of the contest. */
  url(path: string): string
  get(caller: Caller, path: string, expected?: Expected): Promise<Body>
}

/** Reads the objects of a contest. Each must equal what its own address returns. */
export function objectsOf(eventId: number): ContestObjects {
  const url = (path: string) => `/v1/clics/contests/${eventId}/${path}`
  const list: ContestObjects['list'] = async (caller, type) => {
    const objects: { id: string }[] = await caller.get(url(type))
    for (const object of objects) expect(await caller.get(url(`${type}/${object.id}`))).toEqual(object)
    return objects
  }
  return {
    ...{ url, list },
    values: async (caller, type, property = 'id') =>
      (await list(caller, type)).map((object) => object[property]),
    get: (caller, path, expected) => caller.get(url(path), expected),
  }
}

/** The length of an id is limited (Contest API, JSON property types). */
export const OBJECT_ID = /^\w[\w.-]{0,34}[\w-]?$/
