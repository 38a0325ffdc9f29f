/** Numbers below `limit`, the same for one seed. */
export function randomNumbers(seed: number) {
  let state = seed
  return (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * limit)
  }
}
