/** A function of the process that reads packages: its name, and the types of its value and result. */
export interface PackageCall<I, O> {
  readonly name: string
  /** Carries the types; never set. */
  readonly types?: (input: I) => O
}

export const packageCall = <I, O>(name: string): PackageCall<I, O> => ({ name })

/** The process reads an upload in parts of this many bytes; the last one may be shorter. */
export const PART_BYTES = 512 * 1024

/** Reads a part of a file, from 0; undefined after the last one. Long files are never sent whole. */
export type ReadPart = (file: string, number: number) => Promise<Buffer | undefined>

/** A message to the process: a call, or the part that it has asked for. */
export type ToProcess =
  | { readonly call: string; readonly input: unknown }
  | { readonly part: Buffer | undefined }

/** A message of the process: what it needs to go on, or how the call has ended. */
export type FromProcess =
  | { readonly file: string; readonly number: number }
  | ({ readonly isSpent: boolean } & Ending)

export type Ending =
  | { readonly result: unknown }
  /** A fault of the package. */
  | { readonly fault: string }
  /** A fault of the reader. */
  | { readonly failure: string }
