/**
 * Lower case of A to Z only. JavaScript and databases fold other letters differently: with full
 * folding a lookalike e-mail address could become an admin.
 */
export function foldAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}
