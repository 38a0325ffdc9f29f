/**
 * The notes of a version in CHANGELOG.md, without their heading. Links to files of the project
 * become their texts: the notes are read elsewhere. Throws if there are none.
 */
export function readNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((text) => text.startsWith(`[${version}]`))
  const notes = section?.replace(/^.*\n/, '').trim() ?? ''
  if (notes === '') throw new Error(`CHANGELOG.md has no section for ${version}: write "## [${version}]".`)
  return `${notes.replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]*\)/g, '$1')}\n`
}
