import { writeFile } from 'node:fs/promises'
import { generatedFiles } from './generated/files.ts'
import { projectFile, readProjectFile } from './generated/project-file.ts'

for (const { path, generate } of generatedFiles) {
  const previous = await readProjectFile(path)
  const text = await generate(previous)
  if (text === previous) continue
  await writeFile(projectFile(path), text)
  console.log(`wrote ${path}`)
}
