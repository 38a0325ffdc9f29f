import { createHash, randomBytes } from 'node:crypto'

const BYTES = 32
const SHAPE = /^[\w-]{43}$/

/** An opaque token with 256 random bits (P29). */
export const generateScoreboardToken = () => randomBytes(BYTES).toString('base64url')

/** Whether a text has the shape of a scoreboard token. */
export const isScoreboardToken = (text: string) => SHAPE.test(text)

/** The hash that the database has of a token, in hexadecimal. */
export const hashScoreboardToken = (token: string) => createHash('sha256').update(token).digest('hex')
