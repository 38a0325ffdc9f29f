import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../http/routing/errors.ts'

/** The request header in which a judge worker lists its capabilities (D41). */
export const CAPABILITIES_HEADER = 'Judge-Capabilities'

/** The parameter of statements that use `missingCapabilities`. */
export const capabilitiesParam = { capabilities: 'text[]' } as const

/**
 * The capabilities of the array `needed` that a judge worker lacks, as a text for people; null if
 * it lacks none. Only requests of judges (role 1) lack any (D41).
 */
export const missingAmong = (needed: string) => `case
        when :actor_role = 1 and ${needed} <> '{}' then (
          select string_agg(needed.name, ', ' order by needed.place)
          from unnest(${needed}) with ordinality as needed (name, place)
          where needed.name <> all (:capabilities)) end`

/** The same for a problem. */
export const missingCapabilities = (problem: string) => missingAmong(`${problem}.needed_capabilities`)

/** Reads `Judge-Capabilities`: a list of names in any case, which become lower case (D41). */
export function readCapabilities({ headers }: Pick<FastifyRequest, 'headers'>) {
  const sent = [headers[CAPABILITIES_HEADER.toLowerCase()] ?? []].flat().join()
  const capabilities = sent.split(',').map((name) => name.trim().toLowerCase())
  return { capabilities: capabilities.filter((name) => /^[\x21-\x7e]+$/.test(name)) }
}

/** Throws WORKER_TOO_OLD unless the worker has all capabilities (D41). */
export function requireCapabilities(missing: string | null): void {
  if (missing !== null) throw workerTooOld(missing)
}

/** The error for a judge worker that lacks these capabilities (D41). */
export function workerTooOld(missing: string): AppError {
  const correction = `update it, so that it sends these names in ${CAPABILITIES_HEADER}`
  return new AppError('WORKER_TOO_OLD', `This judge worker lacks ${missing}: ${correction}`)
}
