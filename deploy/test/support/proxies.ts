import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { missing } from '../../../packages/worker/test/support/requirements.ts'
import { until } from '../../../test/support/until.ts'
import { findFreePorts } from '../../../tools/local-servers/free-ports.ts'
import { makeServerFolder, startServerProcess } from '../../../tools/local-servers/server-process.ts'
import { HOST, isServingTls, type Target } from './client.ts'

const DEPLOY = fileURLToPath(new URL('../..', import.meta.url))

export type Kind = 'caddy' | 'nginx'
type Changes = readonly (readonly [from: string, to: string])[]

/** A proxy that runs with the configuration of `deploy/`. */
export interface RunningProxy extends Target {
  /** Changes the instances in the configuration, and reloads it. */
  reload(instances: Instances): Promise<void>
  stop(): Promise<void>
}

/** `host:port` of the two instances. */
type Instances = readonly [string, string]

interface ProxyOptions {
  readonly instances: Instances
  /** Further replacements in the configuration. */
  readonly changes?: Changes
}

/** Undefined if this proxy is installed, or must be; else the reason to leave out its tests. */
export const missingProxy = (kind: Kind): string | undefined =>
  process.env.TEST_REQUIRE_ALL ? undefined : missing(kind, [kind === 'nginx' ? '-v' : 'version'])

/**
 * Starts the proxy on free loopback ports. Of its configuration only addresses, ports, the
 * certificate and `changes` are replaced.
 */
export async function startProxy(kind: Kind, options: ProxyOptions): Promise<RunningProxy> {
  const folder = await makeServerFolder(kind)
  // nginx gives up root, and then writes temporary files below the folder.
  chmodSync(folder.path, 0o755)
  const setUp = await (kind === 'nginx' ? setUpNginx : setUpCaddy)(folder.path, options.changes)
  const { port, args, certificateFile, readyLine, reloadArgs } = setUp
  const identity = { cwd: folder.path, env: { PATH: process.env.PATH, HOME: folder.path } }
  setUp.write(options.instances)
  const server = await startServerProcess({
    ...{ name: kind, command: kind, args, lastSignal: 'SIGTERM' },
    options: identity,
    isReady: (line) => line.includes(readyLine),
  })
  const stop = async () => {
    await server.end('SIGTERM')
    folder.remove()
  }
  const reload = async (instances: Instances) => {
    setUp.write(instances)
    await promisify(execFile)(kind, reloadArgs, identity)
  }
  try {
    return { port, reload, stop, certificate: await waitForCertificate(port, certificateFile) }
  } catch (err) {
    await stop()
    throw err
  }
}

/** A file of `deploy/` after these replacements, each of a text that occurs once. */
function readConfiguration(file: string, changes: Changes): string {
  return changes.reduce(
    (text, [from, to]) => {
      if (text.split(from).length !== 2) throw new Error(`deploy/${file} must have "${from}" once`)
      return text.replace(from, () => to)
    },
    readFileSync(join(DEPLOY, file), 'utf8'),
  )
}

/** The configuration that Caddy makes of its file (`caddy adapt`), as JSON text. */
export const adaptCaddyfile = (): string =>
  execFileSync('caddy', ['adapt', '--config', join(DEPLOY, 'caddy/Caddyfile')], {
    encoding: 'utf8',
    stdio: 'pipe',
  })

async function setUpNginx(folder: string, changes: Changes = []) {
  const [port = 0, plainPort = 0] = await findFreePorts(2)
  const [certificateFile, keyFile] = [join(folder, 'fullchain.pem'), join(folder, 'privkey.pem')]
  makeCertificate(certificateFile, keyFile)
  const file = join(folder, 'judge.conf')
  const own: Changes = [
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen [::]:80;', ''],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`],
    ['listen [::]:443 ssl http2;', ''],
    ['/etc/ssl/judge/fullchain.pem', certificateFile],
    ['/etc/ssl/judge/privkey.pem', keyFile],
  ]
  const write = (instances: Instances) =>
    writeFileSync(file, readConfiguration('nginx/judge.conf', [...own, ...changes, ...place(instances)]))
  const main = join(folder, 'nginx.conf')
  writeFileSync(main, nginxMain(folder, file))
  const args = ['-c', main, '-e', 'stderr']
  const reloadArgs = [...args, '-s', 'reload']
  return { port, certificateFile, args, reloadArgs, write, readyLine: 'start worker process' }
}

/** Like Debian's nginx.conf, which compresses, but with all files in the folder. */
function nginxMain(folder: string, file: string): string {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  return `daemon off; pid ${folder}/nginx.pid; error_log stderr notice; worker_processes 2;
events { worker_connections 4096; }
http { gzip on; sendfile on; tcp_nopush on; access_log off; ${paths.join(' ')} include ${file}; }
`
}

async function setUpCaddy(folder: string, changes: Changes = []) {
  const [port = 0, adminPort = 0] = await findFreePorts(2)
  const file = join(folder, 'Caddyfile')
  const own: Changes = [
    [
      '\tservers {',
      `\tadmin 127.0.0.1:${adminPort}\n\tskip_install_trust\n\tauto_https disable_redirects\n\tservers {`,
    ],
    [`{$JUDGE_HOST:${HOST}} {`, `${HOST}:${port} {\n\tbind 127.0.0.1`],
    ['# tls internal', 'tls internal'],
  ]
  const write = (instances: Instances) =>
    writeFileSync(file, readConfiguration('caddy/Caddyfile', [...own, ...changes, ...place(instances)]))
  const certificateFile = join(folder, '.local/share/caddy/pki/authorities/local/root.crt')
  const source = ['--config', file, '--adapter', 'caddyfile']
  const args = ['run', ...source]
  const reloadArgs = ['reload', ...source, '--address', `127.0.0.1:${adminPort}`]
  const readyLine = 'serving initial configuration'
  return { port, certificateFile, args, reloadArgs, write, readyLine }
}

const place = ([one, other]: Instances): Changes => [
  ['127.0.0.1:5000', one],
  ['127.0.0.1:5001', other],
]

function makeCertificate(certificateFile: string, keyFile: string): void {
  const names = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`]
  const files = ['-keyout', keyFile, '-out', certificateFile]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  execFileSync('openssl', ['req', ...kind, ...names, ...files], { stdio: 'pipe' })
}

/** Caddy listens before it has made its certificate. */
async function waitForCertificate(port: number, file: string): Promise<Buffer> {
  return until(async () => {
    const certificate = readFileSync(file)
    if (await isServingTls({ port, certificate })) return certificate
    throw new Error(`the proxy on port ${port} has no valid certificate`)
  })
}
