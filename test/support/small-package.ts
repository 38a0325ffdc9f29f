import type { ZipEntry } from './zip-packages.ts'

/** A small right package; `changes` replace, add or (undefined) remove files. */
export function smallPackage(
  changes: Readonly<Record<string, string | Buffer | undefined>> = {},
): ZipEntry[] {
  return Object.entries({ ...files, ...changes }).flatMap(([path, content]) =>
    content === undefined ? [] : [[path, content] as const],
  )
}

const files: Readonly<Record<string, string>> = {
  'problem.yaml': `problem_format_version: 2025-09
name: Small
uuid: 8c2b7c39-9f32-4f4e-8a49-0d8c5e2a7b10
limits:
  time_limit: 1
`,
  'statement/problem.en.md': 'Print the number.\n',
  'data/sample/1.in': '1\n',
  'data/sample/1.ans': '1\n',
  'data/secret/1.in': '2\n',
  'data/secret/1.ans': '2\n',
  'input_validators/number.py': 'import sys\n\nsys.exit(42 if sys.stdin.read().strip().isdigit() else 43)\n',
  'submissions/accepted/echo.py': 'print(input())\n',
}
