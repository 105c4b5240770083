import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { compileFilter } from './seccomp.ts';
import type { Unit } from './unit.ts';

/** Reports whether Bubblewrap can confine a process here; it needs namespaces, which some containers refuse. */
export const canConfine = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-user', 'true']).status === 0;

/** User of the confined process: one of those that systemd takes for `DynamicUser`. */
const USER = '61184';

/** Options of Bubblewrap for each restriction. Its processes never gain privileges, and see a read-only file system. */
const restrictions: Readonly<Record<string, readonly string[]>> = {
  'DynamicUser=yes': ['--unshare-user', '--uid', USER, '--gid', USER],
  'ProtectSystem=strict': ['--ro-bind', '/', '/'],
  'ProtectHome=yes': ['--tmpfs', '/home', '--tmpfs', '/root'],
  'PrivateTmp=yes': ['--tmpfs', '/tmp', '--tmpfs', '/var/tmp'],
  'PrivateDevices=yes': ['--dev', '/dev'],
  'CapabilityBoundingSet=': ['--cap-drop', 'ALL'],
  'NoNewPrivileges=yes': [],
  'ProtectKernelTunables=yes': [],
  'ProtectKernelModules=yes': [],
  'ProtectControlGroups=yes': [],
  // The filter of system calls has these.
  'RestrictNamespaces=yes': [],
  'LockPersonality=yes': [],
  'SystemCallArchitectures=native': [],
};

/** Settings that restrict nothing, or that are read below. */
const others =
  /^(Description|After|Wants|WantedBy|Exec|Environment|Restart|Timeout|(Working|State|Cache)Directory|UMask|RestrictAddress)/;

/** Program that a unit starts, confined as systemd would: arguments of Bubblewrap, which reads a filter of system calls from descriptor 3. */
interface Confined {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly filter: Buffer;
}

/**
 * Translates a unit. Dockline is this repository, and the folders that it may write, `lib` and `cache`, are in `data`.
 *
 * @throws Error for a setting that nothing here stands for
 */
export function confine(unit: Unit, data: string): Confined {
  const textOf = (name: string) => unit.get(name)?.join(' ') ?? '';
  const [node = '', ...command] = textOf('ExecStart').split(' ');
  const folder = textOf('WorkingDirectory');
  const written = ['lib', 'cache'].flatMap((kind) => [
    '--tmpfs',
    `/var/${kind}`,
    '--bind',
    join(data, kind),
    `/var/${kind}/dockline`,
  ]);
  return {
    args: [
      ...[...unit].flatMap(([name, values]) => values.flatMap((value) => translate(name, value))),
      '--tmpfs',
      '/opt',
      '--ro-bind',
      resolve('.'),
      folder,
      '--chdir',
      folder,
      ...written,
      '--ro-bind',
      process.execPath,
      '/opt/node',
      '--seccomp',
      '3',
      '--die-with-parent',
      'sh',
      '-c',
      `umask ${textOf('UMask')}; exec "$@"`,
      node,
      '/opt/node',
      ...command,
    ],
    env: Object.fromEntries(
      textOf('Environment')
        .split(' ')
        // A value may have the sign, too.
        .map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]),
    ),
    filter: compileFilter({
      families: textOf('RestrictAddressFamilies').split(' '),
      calls: ['personality', 'unshare', 'setns'],
    }),
  };
}

function translate(name: string, value: string): readonly string[] {
  const args = others.test(name) ? [] : restrictions[`${name}=${value}`];
  if (!args) throw new Error(`nothing here stands for ${name}=${value}`);
  return args;
}
