import { silentLogger } from '../../src/logger.ts'
import { openSandbox, type SandboxMode } from '../../src/sandbox/open-sandbox.ts'
import { SandboxFailure } from '../../src/sandbox/sandbox.ts'

/** Why a sandbox of this mode cannot be had on this machine; undefined where it can. */
export async function missingSandbox(mode: SandboxMode): Promise<string | undefined> {
  try {
    const sandbox = await openSandbox({ mode, logger: silentLogger })
    await sandbox.close()
    return undefined
  } catch (err) {
    if (err instanceof SandboxFailure) return err.message
    throw err
  }
}
