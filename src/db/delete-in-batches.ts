/** Repeats a deletion of at most `most` rows until it has deleted fewer. It returns their count. */
export async function deleteInBatches(
  most: number,
  deleteSome: () => Promise<readonly { readonly count: number }[]>,
): Promise<void> {
  let isFull = true
  while (isFull) {
    const [deleted] = await deleteSome()
    isFull = deleted?.count === most
  }
}
