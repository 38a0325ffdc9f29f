import type { Config } from '../../config.ts'

/** Whether an account with this e-mail is an admin from its creation on (specification, Authentication 7; D12). */
export function isAdminEmail(email: string, { adminEmails }: Config['accounts']): boolean {
  return adminEmails.has(email.trim().toLowerCase())
}
