import { readdir, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/** The service serves the pages with a strict Content-Security-Policy: nothing may be inline. */
export default defineConfig({
  root: pathOf('.'),
  base: '/v1/pages/',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: { conditions: ['browser', 'module', 'import', 'default'] },
  plugins: [collectLibraries(), writeLicences()],
  worker: { format: 'es', plugins: () => [collectLibraries()] },
  build: {
    outDir: 'site',
    emptyOutDir: true,
    assetsDir: '',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: ['chrome123', 'firefox120', 'safari17.5'],
    rolldownOptions: { input: ['scoreboard.html', 'contest.html'].map(pathOf) },
  },
})

/** The folders of all libraries in the bundles. */
const folders = new Set<string>()

/** Collects the libraries of a bundle; the bundles of workers are made before those of pages. */
function collectLibraries(): Plugin {
  return {
    name: 'libraries',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((file) =>
        file.type === 'chunk'
          ? file.moduleIds
          : file.originalFileNames.map((name) => resolve(pathOf('.'), name)),
      )
      for (const id of modules) {
        const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []
        if (folder !== undefined) folders.add(folder)
      }
    },
  }
}

/** Writes `licences.txt`: the licences of all libraries in the bundles. */
function writeLicences(): Plugin {
  return {
    name: 'licences',
    async generateBundle() {
      const texts = await Promise.all([...folders].sort().map(describeLicence))
      this.emitFile({
        type: 'asset',
        fileName: 'licences.txt',
        source: texts.join(`\n${'-'.repeat(80)}\n\n`),
      })
    },
  }
}

/** Throws if a library has no licence file. */
async function describeLicence(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'))
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry))
  if (file === undefined) throw new Error(`${name} has no licence file`)
  return `${name} ${version} (${license})\n\n${(await readFile(`${folder}/${file}`, 'utf8')).trim()}\n`
}
