import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Settings of a unit of systemd by name, each with its lines in order. */
type Unit = ReadonlyMap<string, readonly string[]>;

/** Reads a unit. */
export function readUnit(path: string): Unit {
  const settings = readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
      return name ? [{ name, value }] : [];
    });
  return new Map(
    Object.entries(Object.groupBy(settings, ({ name }) => name)).map(([name, lines = []]) => [
      name,
      lines.map(({ value }) => value),
    ]),
  );
}

/** Numbers of an architecture: its own, and those of system calls. */
const architectures = {
  x64: { audit: 0xc000003e, socket: 41, personality: 135, unshare: 272, setns: 308 },
  arm64: { audit: 0xc00000b7, socket: 198, personality: 92, unshare: 97, setns: 268 },
} as const;

const families = { AF_UNIX: 1, AF_INET: 2, AF_INET6: 10, AF_NETLINK: 16 } as const;

/** System calls that a filter refuses: sockets of other families, and whole calls. */
interface Restrictions {
  readonly families: readonly string[];
  readonly calls: readonly ('personality' | 'unshare' | 'setns')[];
}

/** Answers of a filter (linux/seccomp.h). */
const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const errno = (code: number): number => 0x50000 | code;
const EPERM = 1;
const EAFNOSUPPORT = 97;

/** Places in the data of a call: its number, the architecture, the first argument (linux/seccomp.h). */
const NUMBER = 0;
const ARCHITECTURE = 4;
const ARGUMENT = 16;

/** Instructions (linux/filter.h): load a word, answer, and answer only if the word is equal. */
const load = (place: number) => [[0x20, 0, 0, place]] as const;
const answer = (what: number) => [[0x06, 0, 0, what]] as const;
const answerIf = (word: number, what: number) => [[0x15, 0, 1, word], ...answer(what)] as const;
const answerUnless = (word: number, what: number) => [[0x15, 1, 0, word], ...answer(what)] as const;

/** Compiles a filter of seccomp as systemd's, for `bwrap --seccomp`. @throws Error for an architecture or a family that it does not know */
function compileFilter({ families: allowed, calls }: Restrictions, architecture: string = process.arch): Buffer {
  const numbers = find(architectures, architecture);
  const program = [
    ...load(ARCHITECTURE),
    ...answerUnless(numbers.audit, KILL),
    ...load(NUMBER),
    ...calls.flatMap((call) => answerIf(numbers[call], errno(EPERM))),
    ...answerUnless(numbers.socket, ALLOW),
    ...load(ARGUMENT),
    ...allowed.flatMap((family) => answerIf(find(families, family), ALLOW)),
    ...answer(errno(EAFNOSUPPORT)),
  ];
  return Buffer.concat(program.map(toBytes));
}

function find<T>(table: Readonly<Record<string, T>>, name: string): T {
  const found = table[name];
  if (found === undefined) throw new Error(`${name} is not in the table`);
  return found;
}

function toBytes([code, whenTrue, whenFalse, operand]: readonly [number, number, number, number]): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(whenTrue, 2);
  bytes.writeUInt8(whenFalse, 3);
  bytes.writeUInt32LE(operand, 4);
  return bytes;
}

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
