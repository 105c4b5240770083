import { copyFileSync, cpSync, existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
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
export function makeBase(official: string): string {
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
