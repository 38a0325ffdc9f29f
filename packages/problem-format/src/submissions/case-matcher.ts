import { compileGlob } from './glob-pattern.ts'

/** Returns whether a rule is about the test case or folder with a name. */
type Matches = (name: string) => boolean

/** Finds the test cases of rules. It compares each pattern with each known name only once. */
export class CaseMatcher {
  readonly #numbers: ReadonlyMap<string, number>
  readonly #matches = new Map<string, Matches>()
  readonly #compile: typeof compileGlob

  constructor(names: readonly string[] = [], compile = compileGlob) {
    this.#numbers = new Map(names.map((name, i) => [name, i]))
    this.#compile = compile
  }

  /** Returns a test for the names of test cases and folders that a rule is about. */
  matchCases({ cases }: { readonly cases?: string }): Matches {
    if (cases === undefined) return () => true
    const known = this.#matches.get(cases)
    if (known) return known
    const matches = this.#remember(this.#compile(cases) ?? (() => false))
    this.#matches.set(cases, matches)
    return matches
  }

  #remember(matches: Matches): Matches {
    const results = new Uint8Array(this.#numbers.size)
    return (name) => {
      const number = this.#numbers.get(name)
      if (number === undefined) return matches(name)
      results[number] ||= matches(name) ? 2 : 1
      return results[number] === 2
    }
  }
}
