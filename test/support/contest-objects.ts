import { expect } from 'vitest'
import type { TestResponse } from './app.ts'
import type { Caller, Expected } from './caller.ts'

type Body = TestResponse['body']

/** Reads the objects of a contest. Each must equal what its own address returns. */
export function objectsOf(eventId: number) {
  /** The address of an object, or of another resource of the contest. */
  const url = (path: string) => `/v1/clics/contests/${eventId}/${path}`
  const list = async (caller: Caller, type: string): Promise<Body[]> => {
    const objects: Body[] = await caller.get(url(type))
    for (const object of objects) expect(await caller.get(url(`${type}/${object.id}`))).toEqual(object)
    return objects
  }
  return {
    ...{ url, list },
    /** One value of each object of a collection, in its order. */
    values: async (caller: Caller, type: string, property = 'id'): Promise<unknown[]> =>
      (await list(caller, type)).map((object) => object[property]),
    get: (caller: Caller, path: string, expected?: Expected) => caller.get(url(path), expected),
  }
}

export type ContestObjects = ReturnType<typeof objectsOf>

/** The length of an id is limited (Contest API, JSON property types). */
export const OBJECT_ID = /^\w[\w.-]{0,34}[\w-]?$/
