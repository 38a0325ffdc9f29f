import type { FastifyRequest } from 'fastify'
import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { AppError } from '../../../http/routing/errors.ts'
import { isAwaited, type RouteResponse } from '../../../http/routing/responses.ts'
import { exportPackage } from './export.ts'
import { dispositionOf } from './file-content.ts'

/** The largest packages take a minute; the clients of smaller ones do not wait longer for them. */
export const PACKAGE_TIMEOUT_MS = 300_000

/** Responds with a problem as a package. The route checks access. Throws as `exportPackage`. */
export async function respondWithPackage(
  { db, request }: { readonly db: ActorDatabase; readonly request: FastifyRequest },
  problem_id: number,
): Promise<RouteResponse> {
  const { name, file } = await exportPackage(db, problem_id)
  // After the time limit, or without the client, nobody reads the file.
  if (!isAwaited(request.response)) {
    await file.close()
    throw new AppError('UNAVAILABLE', 'The client has gone')
  }
  const headers = { 'content-disposition': dispositionOf(true, name) }
  return { status: 200, type: 'application/zip', headers, body: file.read() }
}
