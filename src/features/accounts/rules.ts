import type { Config } from '../../config/config.ts'
import { foldAscii } from '../../config/fold-ascii.ts'

/** Whether a new account with this e-mail is an admin (specification, Authentication 7; D12). */
export function isAdminEmail(email: string, { adminEmails }: Config['accounts']): boolean {
  return adminEmails.has(foldAscii(email.trim()))
}
