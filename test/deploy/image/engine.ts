import { type ChildProcess, spawn, spawnSync } from 'node:child_process';

/** Runs Docker to its end and returns what it prints; throws if it fails. */
function docker(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('docker', args, { encoding: 'utf8', maxBuffer: 100_000_000 });
  if (status !== 0) throw new Error(`docker ${args.join(' ')} failed: ${stderr}`);
  return stdout.trim();
}

const TAG = 'localhost/dockline:test';
const LABELS = ['VERSION=1.2.3', 'REVISION=0123abc', 'SOURCE=https://example.com/dockline'];

/** Builds the image of this repository; returns its name. */
export function build(): string {
  docker('build', '--tag', TAG, ...LABELS.flatMap((it) => ['--build-arg', it]), '.');
  return TAG;
}

/** Configuration and size of an image. */
interface ImageConfig {
  readonly User: string;
  readonly Cmd: readonly string[];
  readonly Labels: Readonly<Record<string, string>>;
  readonly Healthcheck: { readonly Test: readonly string[] };
  readonly megabytes: number;
}

export function inspect(image: string): ImageConfig {
  const [{ Config, Size }] = JSON.parse(docker('image', 'inspect', image));
  return { ...Config, megabytes: Size / 1e6 };
}

/** Options of a process in a container. Its root is read-only, `/tmp` is its own, and its network is that of this machine. */
interface RunOptions {
  readonly image: string;
  /** Folder at `/data`. */
  readonly data: string;
  readonly env: Readonly<Record<string, string>>;
  readonly command: readonly string[];
}

export function run({ image, data, env, command }: RunOptions): ChildProcess {
  const variables = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const confined = ['--rm', '--init', '--read-only', '--tmpfs', '/tmp', '--network', 'host'];
  return spawn('docker', ['run', ...confined, '--volume', `${data}:/data`, ...variables, image, ...command]);
}
