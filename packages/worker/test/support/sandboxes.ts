import { silentLogger } from '../../src/logger.ts'
import { openSandbox, type SandboxMode } from '../../src/sandbox/open-sandbox.ts'
import { SandboxFailure } from '../../src/sandbox/sandbox.ts'

/**
 * Undefined if a sandbox of this mode can be opened, else the reason to leave out its tests. With
 * SANDBOX_REQUIRED no test may be left out: throws the reason.
 */
export async function missingSandbox(mode: SandboxMode): Promise<string | undefined> {
  try {
    const sandbox = await openSandbox({ mode, logger: silentLogger })
    await sandbox.close()
    return undefined
  } catch (err) {
    if (err instanceof SandboxFailure && !process.env.SANDBOX_REQUIRED) return err.message
    throw err
  }
}
