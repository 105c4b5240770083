import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { makeBase } from './base.ts';
import { call, works } from './call.ts';
import { chroot, type RunOptions } from './chroot.ts';

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
