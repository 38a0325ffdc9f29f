import { v7 as uuidv7 } from 'uuid'
import type { Config } from '../../config/config.ts'
import { foldAscii } from '../../config/fold-ascii.ts'

/** Whether a new account with this e-mail is an admin (specification, Authentication 7; D12). */
export function isAdminEmail(email: string, { adminEmails }: Config['accounts']): boolean {
  return adminEmails.has(foldAscii(email.trim()))
}

interface NewAccount {
  readonly name: string
  readonly email: string
  readonly image?: string | null | undefined
}

/** The values of a new account (D11, D12), without its password. */
export function accountValues({ name, email, image }: NewAccount, accounts: Config['accounts']) {
  return {
    id: uuidv7(),
    name: name.trim(),
    email: email.trim(),
    image: image ?? '',
    is_admin: isAdminEmail(email, accounts),
  }
}
