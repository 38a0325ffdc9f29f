import { describeContestRules, describeOpenApi } from './api.ts'
import { describeChecksums } from './checksums.ts'
import { describeConfiguration } from './configuration.ts'
import { describeConformance } from './conformance.ts'
import { describeDependencies } from './dependencies.ts'
import { describeNewSchema } from './schema.ts'

/** A generated file, and the function that returns its text from the present one. */
export interface GeneratedFile {
  readonly path: string
  readonly generate: (previous: string) => string | Promise<string>
}

export const generatedFiles: readonly GeneratedFile[] = [
  { path: 'migrations/checksums.json', generate: describeChecksums },
  { path: 'docs/schema.sql', generate: describeNewSchema },
  { path: 'docs/configuration.md', generate: describeConfiguration },
  { path: 'docs/openapi.json', generate: describeOpenApi },
  { path: 'packages/cli/src/contest/contest-rules.ts', generate: describeContestRules },
  { path: 'docs/conformance.md', generate: describeConformance },
  { path: 'docs/dependencies.md', generate: describeDependencies },
]
