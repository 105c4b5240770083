import { type ChildProcess, spawn } from 'node:child_process';
import { call } from './call.ts';

/** Options of a process in a container. Its root is read-only, `/tmp` is its own, and its network is that of this machine. */
export interface RunOptions {
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
export function chroot({ image, data, env, command }: RunOptions): ChildProcess {
  const container = call('buildah', 'from', '--pull-never', image);
  const root = call('buildah', 'mount', container);
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const child = spawn('unshare', ['--mount', 'bash', '-c', SCRIPT, 'chroot', root, data, ...variables, ...command]);
  child.on('close', () => call('buildah', 'rm', container));
  return child;
}
