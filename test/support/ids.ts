export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Valid ids that do not exist. */
export const NOBODY = '00000000-0000-7000-8000-000000000000'
export const NO_PROBLEM = 2_147_483_647
export const NO_EVENT = 2_147_483_647
