import { type ChildProcess, spawn } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, works } from './call.ts';

const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** Folders that Debian's slim images leave out. */
const SPARE = [
  'usr/share/doc',
  'usr/share/man',
  'usr/share/locale',
  'usr/share/info',
  'var/cache/apt',
  'var/lib/apt/lists',
];

/**
 * Makes an image like the official one of Node where no registry of images can be reached: Debian by debootstrap, with this process's Node, npm
 * and the user `node`. It trusts what this machine trusts. Returns its name; one that was made before is used again.
 */
function makeBase(official: string): string {
  const [, tag = 'latest'] = /:([\w.-]+)(@|$)/.exec(official) ?? [];
  const name = `localhost/node:${tag}`;
  if (works('buildah', 'inspect', '--type', 'image', name)) return name;
  const root = mkdtempSync(join(tmpdir(), 'base-'));
  try {
    call('debootstrap', '--variant=minbase', tag.split('-')[1] ?? 'stable', root);
    for (const path of SPARE) rmSync(join(root, path), { recursive: true, force: true });
    addNode(root);
    return commit(root, name);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function addNode(root: string): void {
  const local = join(root, 'usr/local');
  copyFileSync(process.execPath, join(local, 'bin/node'));
  const npm = join(realpathSync(call('sh', '-c', 'command -v npm')), '../..');
  cpSync(npm, join(local, 'lib/node_modules/npm'), { recursive: true, dereference: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'));
  call('chroot', root, 'useradd', '--uid', '1000', '--create-home', 'node');
}

function commit(root: string, name: string): string {
  const container = call('buildah', 'from', 'scratch');
  call('buildah', 'add', container, root, '/');
  call('buildah', 'config', '--cmd', 'node', container);
  if (existsSync(CERTIFICATES)) {
    call('buildah', 'copy', container, CERTIFICATES, CERTIFICATES);
    call('buildah', 'config', '--env', `NODE_EXTRA_CA_CERTS=${CERTIFICATES}`, container);
  }
  call('buildah', 'commit', '--rm', container, name);
  return name;
}

/** Options of a process in a container. Its root is read-only, `/tmp` is its own, and its network is that of this machine. */
interface RunOptions {
  readonly image: string;
  /** Folder at `/data`. */
  readonly data: string;
  readonly env: Readonly<Record<string, string>>;
  readonly command: readonly string[];
}

/**
 * Makes a container of a mounted image without a runtime: in mounts of its own, the root is read-only but for `/tmp` and `/data`, and the
 * process is of the image's user.
 */
const SCRIPT = `
set -e
root=$1 data=$2
shift 2
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/tmp"
mount --bind "$data" "$root/data"
mount -o remount,ro,bind "$root"
exec chroot --userspec=1000:1000 --groups= "$root" env --ignore-environment --chdir=/app HOME=/home/node "$@"
`;

/** Runs a process of an image in a changed root. */
function chroot({ image, data, env, command }: RunOptions): ChildProcess {
  const container = call('buildah', 'from', '--pull-never', image);
  const root = call('buildah', 'mount', container);
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const child = spawn('unshare', ['--mount', 'bash', '-c', SCRIPT, 'chroot', root, data, ...variables, ...command]);
  child.on('close', () => call('buildah', 'rm', container));
  return child;
}

/** Configuration and size of an image. */
export interface ImageConfig {
  readonly User: string;
  readonly Cmd: readonly string[];
  readonly Env: readonly string[];
  readonly Labels: Readonly<Record<string, string>>;
  readonly Healthcheck: { readonly Test: readonly string[] };
  readonly megabytes: number;
}

/** Program that builds and runs images. */
export interface Engine {
  /** Builds the image of this repository; returns its name. */
  build(): string;
  inspect(image: string): ImageConfig;
  run(options: RunOptions): ChildProcess;
}

const TAG = 'localhost/dockline:test';
const LABELS = ['VERSION=1.2.3', 'REVISION=0123abc', 'SOURCE=https://example.com/dockline'];

const buildArgs = (args: readonly string[]): string[] => args.flatMap((it) => ['--build-arg', it]);

const docker: Engine = {
  build() {
    call('docker', 'build', '--tag', TAG, ...buildArgs(LABELS), '.');
    return TAG;
  },
  inspect(image) {
    const [{ Config, Size }] = JSON.parse(call('docker', 'image', 'inspect', image));
    return { ...Config, megabytes: Size / 1e6 };
  },
  run({ image, data, env, command }) {
    const variables = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    const options = [
      '--rm',
      '--init',
      '--read-only',
      '--tmpfs',
      '/tmp',
      '--network',
      'host',
      '--volume',
      `${data}:/data`,
    ];
    return spawn('docker', ['run', ...options, ...variables, image, ...command]);
  },
};

/** Builds without a daemon; the image then runs in a changed root. */
const buildah: Engine = {
  build() {
    const [, base = ''] = /^ARG NODE_IMAGE=(.*)$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
    const other = works('buildah', 'pull', base) ? [] : [`NODE_IMAGE=${makeBase(base)}`];
    const options = ['--format', 'docker', '--isolation', 'chroot', '--network', 'host', '--tag', TAG];
    call('buildah', 'bud', ...options, ...buildArgs([...LABELS, ...other]), '.');
    return TAG;
  },
  inspect(image) {
    const { Docker } = JSON.parse(call('buildah', 'inspect', '--type', 'image', image));
    const [{ size }] = JSON.parse(call('buildah', 'images', '--json', image));
    return { ...Docker.config, megabytes: Number(size.replace(' MB', '')) };
  },
  run: ({ image, ...options }) => chroot({ ...options, env: { ...variablesOf(image), ...options.env }, image }),
};

const variablesOf = (image: string): Readonly<Record<string, string>> =>
  Object.fromEntries(buildah.inspect(image).Env.map((pair) => [pair.split('=')[0], pair.slice(pair.indexOf('=') + 1)]));

/** Returns Docker where its daemon answers, or else buildah. Throws if there is neither. */
export function openEngine(): Engine {
  if (works('docker', 'info')) return docker;
  if (works('buildah', '--version') && process.getuid?.() === 0) return buildah;
  throw new Error('The image is built by Docker, or by root with buildah and debootstrap; neither is here.');
}
