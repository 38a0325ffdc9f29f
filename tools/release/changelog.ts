/** The notes of a version in CHANGELOG.md, without their heading. Throws if there are none. */
export function readNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((text) => text.startsWith(`[${version}]`))
  const notes = section?.replace(/^.*\n/, '').trim() ?? ''
  if (notes === '') throw new Error(`CHANGELOG.md has no section for ${version}: write "## [${version}]".`)
  return `${notes}\n`
}
