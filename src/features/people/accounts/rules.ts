import { createHash } from 'node:crypto'
import { isReservedName, tidyText, withoutHidden } from '@judge-data-layer/runtime/visible-text'
import { v7 as uuidv7 } from 'uuid'
import type { Config } from '../../../config/config.ts'
import { foldAscii } from '../../../config/fold-ascii.ts'

type AdminEmails = Pick<Config['accounts'], 'adminEmails'>

/** Whether a new account with this e-mail is an admin (specification, Authentication 7; D12). */
function isAdminEmail(email: string, { adminEmails }: AdminEmails): boolean {
  return adminEmails.has(foldAscii(tidyText(email)))
}

interface NewAccount {
  readonly name: string
  readonly email: string
  readonly image?: string | null | undefined
}

/** The values of a new account (D11, D12), without its password. The schema tidied the texts. */
export function accountValues({ name, email, image }: NewAccount, accounts: AdminEmails) {
  return { id: uuidv7(), name, email, image: image ?? '', is_admin: isAdminEmail(email, accounts) }
}

/**
 * The values of an account of the bridge, which rejects no name and no e-mail (D12): hidden
 * characters are removed. A name of which nothing is left, or `Deleted user`, is derived from the
 * e-mail and the provider's id. Only an e-mail that was sent in this form can make an admin.
 */
export function bridgeValues(
  { id, name, email, image }: NewAccount & { readonly id: string },
  accounts: AdminEmails,
) {
  const mark = createHash('sha256').update(id).digest('hex').slice(0, 12)
  const shownEmail = withoutHidden(email)
  const ownEmail = IS_EMAIL.test(shownEmail) ? shownEmail : `user-${mark}@unknown.invalid`
  const shownName = withoutHidden(name)
  const isUsable = shownName !== '' && !isReservedName(shownName)
  const start = withoutHidden([...ownEmail.replace(/@.*$/s, '')].slice(0, 30).join(''))
  return {
    new_id: uuidv7(),
    provider_id: id,
    name: isUsable ? shownName : `${start}-${mark}`,
    email: ownEmail,
    image,
    is_admin: isAdminEmail(email, accounts),
  }
}

const IS_EMAIL = /^[^\s@]+@[^\s@]+$/
