import type { Schemas } from '@judge-data-layer/client'
import type { Context } from './cli.ts'

/** Describes a warning of an import, in one line. */
export function describeWarning(
  { writer }: Context,
  { file, line, message }: Schemas['PackageWarning'],
): string {
  const place = line === undefined ? file : `${file}, line ${line}`
  return `${writer.paint({ text: 'warning:', colour: 'yellow' })} ${writer.paint(`${place}: ${message}`)}`
}
