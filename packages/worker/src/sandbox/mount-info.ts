/** A line of `/proc/self/mountinfo`. */
export type Mount = ReturnType<typeof parseMountInfo>[number]

/** The mounts in `/proc/self/mountinfo`; `root` is the mounted part of a file system. */
export function parseMountInfo(text: string) {
  return text.split('\n').flatMap((line) => {
    const [left = '', right = ''] = line.split(' - ')
    const [, , , root, mountPoint, options = ''] = left.split(' ')
    const [type = '', , superOptions = ''] = right.split(' ')
    if (root === undefined || mountPoint === undefined) return []
    return [{ root, mountPoint, type, options: options.split(','), superOptions: superOptions.split(',') }]
  })
}
