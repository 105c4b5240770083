/** Numbers of an architecture: its own, and those of system calls. */
const architectures = {
  x64: { audit: 0xc000003e, socket: 41, personality: 135, unshare: 272, setns: 308 },
  arm64: { audit: 0xc00000b7, socket: 198, personality: 92, unshare: 97, setns: 268 },
} as const;

const families = { AF_UNIX: 1, AF_INET: 2, AF_INET6: 10, AF_NETLINK: 16 } as const;

/** System calls that a filter refuses: sockets of other families, and whole calls. */
export interface Restrictions {
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
export function compileFilter({ families: allowed, calls }: Restrictions, architecture: string = process.arch): Buffer {
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
