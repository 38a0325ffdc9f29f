import { ServiceError } from './service-error.ts'

/** Typed access to a JSON object from the service; every method throws `ServiceError` naming what is wrong. */
export interface RecordReader {
  text(key: string): string
  positive(key: string): number
  integer(key: string): number
  flag(key: string): boolean
  record(key: string): RecordReader
  records(key: string): RecordReader[]
}

/** Reads a JSON value as an object; `where` leads the messages. */
export function readRecord(value: unknown, where: string): RecordReader {
  if (!isObject(value)) throw unexpected(where, 'an object')
  const fail = (key: string, wanted: string): never => {
    throw unexpected(`${where}.${key}`, wanted)
  }
  const number = (key: string, wanted: string, fits: (number: number) => boolean): number => {
    const found = value[key]
    return typeof found === 'number' && fits(found) ? found : fail(key, wanted)
  }
  return {
    text(key) {
      const found = value[key]
      return typeof found === 'string' ? found : fail(key, 'a text')
    },
    positive: (key) => number(key, 'a positive number', (found) => found > 0),
    integer: (key) => number(key, 'an integer', Number.isInteger),
    flag(key) {
      const found = value[key]
      return typeof found === 'boolean' ? found : fail(key, 'a boolean')
    },
    record: (key) => readRecord(value[key], `${where}.${key}`),
    records: (key) => readRecords(value[key], `${where}.${key}`),
  }
}

/** Reads a JSON value as an array of objects. */
export function readRecords(value: unknown, where: string): RecordReader[] {
  if (!Array.isArray(value)) throw unexpected(where, 'an array')
  return value.map((item, index) => readRecord(item, `${where}[${index}]`))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function unexpected(where: string, wanted: string): ServiceError {
  return new ServiceError(`the service answered an unexpected body: ${where} is not ${wanted}`)
}
