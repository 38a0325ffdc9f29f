import { LRUCache } from 'lru-cache'

/** A text as of a version. No body: the reader knows this version, or the text is too long. */
export interface VersionedText {
  readonly version: string | null
  readonly body: string | null
}

interface Kept {
  readonly version: string
  /** Null: the text was too long. */
  readonly body: string | null
}

const MOST_BYTES = 8 * 1024 * 1024

/** Memory of an entry besides its text. */
const ENTRY_BYTES = 512

/**
 * The latest texts of records that many read and few change, such as problems. Every request reads
 * the version in the statement that checks its rights, and the text only if this instance does not
 * have it: responses include everything that was committed before the request.
 */
export class KeptTexts {
  readonly #texts: LRUCache<string, Kept>

  constructor(maxBytes = MOST_BYTES) {
    const sizeCalculation = ({ body }: Kept) => ENTRY_BYTES + 2 * (body?.length ?? 0)
    this.#texts = new LRUCache({ maxSize: maxBytes, sizeCalculation })
  }

  /**
   * The present text for `key`, which names the record and who may read the same text; null: it is
   * or was too long. `read` returns no body for the version that it gets. It may throw.
   */
  async read(
    key: string,
    read: (knownVersion: string | null) => Promise<VersionedText>,
  ): Promise<string | null> {
    const kept = this.#texts.get(key)
    if (kept?.body === null) return null
    const { version, body } = await read(kept?.version ?? null)
    if (kept !== undefined && version === kept.version) return kept.body
    if (version !== null) this.#texts.set(key, { version, body })
    return body
  }

  /** Call for a text that is no longer too long. */
  forget(key: string): void {
    this.#texts.delete(key)
  }
}
