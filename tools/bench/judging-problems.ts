/** The problem options of a judging, as the service sends them. */
export type ProblemOptions = Readonly<Record<string, unknown>>

export const CASES = 50

/** Reads a number and writes its double. */
export const DOUBLE = `#include <stdio.h>
int main(void) {
  long long n;
  if (scanf("%lld", &n) != 1) return 1;
  printf("%lld\\n", 2 * n);
  return 0;
}
`

export const doubleTests = () =>
  Array.from({ length: CASES }, (_, index) => ({ input: `${index}\n`, expected_output: `${2 * index}\n` }))

const validatorIn = (type: 'custom' | 'interactive', content: string): ProblemOptions => ({
  validation: { type, language: 'C', files: [{ name: 'validator.c', content }] },
})

/** Compares the output, on stdin, with the answer. */
export const customValidation = validatorIn(
  'custom',
  `#include <stdio.h>
int main(int argc, char **argv) {
  long long expected, found;
  FILE *answer = fopen(argv[2], "r");
  if (argc < 4 || !answer || fscanf(answer, "%lld", &expected) != 1) return 1;
  return scanf("%lld", &found) == 1 && found == expected ? 42 : 43;
}
`,
)

/** Sends three numbers and reads the double of each before the next. */
export const interactiveValidation = validatorIn(
  'interactive',
  `#include <stdio.h>
int main(int argc, char **argv) {
  long long n, found;
  FILE *input = fopen(argv[1], "r");
  if (argc < 4 || !input || fscanf(input, "%lld", &n) != 1) return 1;
  for (int i = 0; i < 3; i++) {
    printf("%lld\\n", n + i);
    fflush(stdout);
    if (scanf("%lld", &found) != 1 || found != 2 * (n + i)) return 43;
  }
  return 42;
}
`,
)

/** Doubles numbers until the end of its input. */
export const DOUBLE_ALL = `#include <stdio.h>
int main(void) {
  long long n;
  while (scanf("%lld", &n) == 1) {
    printf("%lld\\n", 2 * n);
    fflush(stdout);
  }
  return 0;
}
`

const LINES = 1000
const BLOCKS = 10_000

export const toleranceOptions: ProblemOptions = {
  validation: { type: 'default', flags: 'float_tolerance 1e-6' },
  limits: { output: 128 },
}

/** Writes 100 MB of numbers that differ from the answer in the last place. */
export const LARGE_OUTPUT = `#include <stdio.h>
int main(void) {
  for (int block = 0; block < ${BLOCKS}; block++)
    for (int i = 0; i < ${LINES}; i++) printf("%d.%06d1\\n", i % 10, i);
  return 0;
}
`

export function largeTest() {
  const lines = Array.from({ length: LINES }, (_, i) => `${i % 10}.${String(i).padStart(6, '0')}2\n`)
  return { input: '', expected_output: lines.join('').repeat(BLOCKS) }
}

/** The least that a judging has to do, in a compiled and in an interpreted language. */
export const smallPrograms = [
  { language: 'C', source_code: DOUBLE },
  { language: 'Python', source_code: 'print(2 * int(input()))\n' },
] as const
