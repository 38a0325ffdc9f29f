import { randomInt } from 'node:crypto'

/** Without letters and digits that look alike (i, l, o, 0, 1): 4.95 random bits each. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const GROUP_CHARACTERS = 4
/** 79 random bits. */
const LEAST_GROUPS = 4

/** A random password that people can read and type, such as `h7kd-2mvp-9tqe-xw4c`. */
export function generatePassword(minCharacters: number): string {
  const groups = Math.max(LEAST_GROUPS, Math.ceil((minCharacters + 1) / (GROUP_CHARACTERS + 1)))
  return Array.from({ length: groups }, randomGroup).join('-')
}

const randomGroup = () =>
  Array.from({ length: GROUP_CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
