import type { Schemas } from '@judge-data-layer/client'

/** The statuses that this worker gives (D23). */
export type Status = Schemas['VerdictBody']['status']
