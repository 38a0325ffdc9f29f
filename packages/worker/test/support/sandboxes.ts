import { silentLogger } from '../../src/logger.ts'
import { openSandbox, type SandboxMode } from '../../src/sandbox/open-sandbox.ts'
import { SandboxFailure } from '../../src/sandbox/sandbox.ts'

/**
 * The reason why a sandbox of this mode cannot be opened on this machine; undefined where it can.
 * Throws that reason where SANDBOX_REQUIRED is set: then no test may be left out for it.
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
