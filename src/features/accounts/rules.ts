import type { Config } from '../../config/config.ts'

/** Whether an account with this e-mail is an admin from its creation on (specification, Authentication 7; D12). */
export function isAdminEmail(email: string, { adminEmails }: Config['accounts']): boolean {
  return adminEmails.has(foldAscii(email.trim()))
}

/**
 * Lower case of A to Z only: beyond that a database may tell letters apart that JavaScript folds into one, and a lookalike must not become an
 * admin.
 */
export function foldAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}
