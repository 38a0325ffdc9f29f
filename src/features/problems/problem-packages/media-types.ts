/** Files that browsers show, by extension; not SVG and HTML, which could run scripts. */
const SHOWN: Readonly<Record<string, string>> = {
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  md: 'text/plain; charset=utf-8',
  pdf: 'application/pdf',
  png: 'image/png',
  tex: 'text/plain; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
}

/** All other files are downloads of this type. */
export const DOWNLOAD = 'application/octet-stream'

/** SQL expression of the media type of a file by its name. */
export const mediaTypeOf = (name: string) => `case lower(substring(${name} from '\\.([^.]+)$'))
${Object.entries(SHOWN)
  .map(([extension, type]) => `        when '${extension}' then '${type}'`)
  .join('\n')}
        else '${DOWNLOAD}' end`
