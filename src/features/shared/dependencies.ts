import type { NamedLanguage } from '@judge-data-layer/languages'
import type { PageFile } from '@judge-data-layer/pages'
import type { ChangeLog } from '../../changes/change-log.ts'
import type { Config } from '../../config/config.ts'
import type { Passwords } from '../../http/routing/passwords.ts'
import type { Tokens } from '../../http/routing/tokens.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import type { PackageProcesses } from '../../package-process/package-processes.ts'

/** The dependencies of all features; each takes those that it uses. */
export interface FeatureDependencies {
  readonly config: Config
  readonly changes: ChangeLog
  readonly languages: readonly NamedLanguage[]
  /** The processes that read packages. */
  readonly packageProcesses: PackageProcesses
  /** The files of the pages for browsers. */
  readonly pages: readonly PageFile[]
  readonly passwords: Passwords
  readonly tokens: Tokens
  /** Gives a reset token to the operator's program; undefined without one. */
  readonly deliverReset?: ((reset: { readonly email: string; readonly token: string }) => void) | undefined
  /** Undefined without a metrics port. */
  readonly metrics: Metrics | undefined
  /** Tells the deliveries, after a commit, that there is another webhook. */
  readonly wakeWebhooks: () => void
  /** Tells the relay, after a commit, that a message waits. */
  readonly wakeRelay: () => void
}
