/** The notes of a version in CHANGELOG.md. Links to files become texts. Throws without notes. */
export function readNotes(changelog: string, version: string): string {
  const section = changelog
    .split(/^## /m)
    .slice(1)
    .find((text) => text.startsWith(`[${version}]`))
  const notes = section?.replace(/^.*\n/, '').trim() ?? ''
  if (notes === '') throw new Error(`CHANGELOG.md has no section for ${version}: write "## [${version}]".`)
  return `${notes.replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]*\)/g, '$1')}\n`
}
