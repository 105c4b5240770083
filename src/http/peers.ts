import { countIn, secondsLeft, type Window } from './rate-limit.ts';

/** Failures of each peer, which refuse later requests of that peer only. Peers whose connections are closed have no address; they are one. */
interface Peers {
  /** Returns the seconds for which a peer is refused; undefined if it is not. */
  refusedFor(address: string | undefined): number | undefined;
  /** Reports whether a refused peer may show credentials all the same, a few times a second: valid ones must not be refused. */
  mayTry(address: string | undefined): boolean;
  /** Counts failures, by default one: a costly request counts as several. Reports whether they are the ones that exhaust the limit. */
  failed(address: string | undefined, failures?: number): boolean;
  /** Counts as many failures as make a flood: one request was costly on purpose. */
  flooded(address: string | undefined): void;
  /** Reports whether a peer goes on although it is refused, so that its connections may be closed unread. */
  isFlooding(address: string | undefined): boolean;
  /** Records an authentic delivery. For an hour, failures refuse nothing of its peer, which may be a proxy or share its address. */
  succeeded(address: string | undefined): void;
}

const KNOWN_MS = 3_600_000;

/** Minimum interval at which an authentic delivery of a peer is recorded again. */
const RECORD_MS = 60_000;

/** Requests with credentials that a refused peer may make in a second. */
const TRIES_PER_SECOND = 5;

/** Failures that make a flood, in multiples of those that are allowed. */
const FLOOD = 4;

/** Maximum number of peers that are counted; beyond it, those counted longest ago are dropped. */
const CAPACITY = 10_000;

/** Creates the counts of peers, in windows of a minute, each of which begins with a failure. */
export function createPeers({
  failuresPerMinute,
  capacity = CAPACITY,
  now = () => performance.now(),
}: {
  readonly failuresPerMinute: number;
  readonly capacity?: number;
  readonly now?: () => number;
}): Peers {
  const windows = new Map<string, Window>();
  const known = new Map<string, number>();
  const tries = new Map<string, Window>();

  /** Puts an entry last, and drops the first one beyond the capacity. */
  function put<T>(map: Map<string, T>, key: string, value: T): void {
    map.delete(key);
    map.set(key, value);
    const [first] = map.size > capacity ? map.keys() : [];
    if (first !== undefined) map.delete(first);
  }

  /** Reports whether a peer has sent an authentic delivery within a time. */
  const isKnown = (peer: string, withinMs = KNOWN_MS): boolean => now() - (known.get(peer) ?? -Infinity) < withinMs;

  /** Counts a peer's failures, or requests, in its window, and returns how many there are now. */
  function count(map: Map<string, Window>, peer: string, times: number, lengthMs?: number): number {
    const current = map.get(peer);
    const window = countIn(current, now(), times, lengthMs);
    if (window !== current) put(map, peer, window);
    return window.count;
  }

  /** Returns the seconds for which a peer has at least so many failures. */
  function secondsWith(failures: number, address: string | undefined): number | undefined {
    if (windows.size === 0) return undefined;
    const peer = networkOf(address);
    const window = windows.get(peer);
    if (!window || window.count < failures || isKnown(peer)) return undefined;
    const waitS = secondsLeft(window, now());
    return waitS > 0 ? waitS : undefined;
  }

  return {
    refusedFor: (address) => secondsWith(failuresPerMinute, address),
    mayTry: (address) => count(tries, networkOf(address), 1, 1000) <= TRIES_PER_SECOND,
    isFlooding: (address) => secondsWith(FLOOD * failuresPerMinute, address) !== undefined,
    failed(address, failures = 1) {
      const peer = networkOf(address);
      const total = count(windows, peer, failures);
      return total >= failuresPerMinute && total - failures < failuresPerMinute && !isKnown(peer);
    },
    flooded: (address) => void count(windows, networkOf(address), FLOOD * failuresPerMinute),
    succeeded(address) {
      const peer = networkOf(address);
      if (!isKnown(peer, RECORD_MS)) put(known, peer, now());
    },
  };
}

/** Returns an IPv4 address as it is, and the first 64 bits of an IPv6 address: its owner has the whole network. */
function networkOf(address = ''): string {
  if (!address.includes(':')) return address.slice(0, 64);
  const [mapped] = /\d+(\.\d+){3}$/.exec(address) ?? [];
  if (mapped) return mapped;
  const [start = '', end] = address.toLowerCase().split('::');
  const groups = start.split(':').filter(Boolean);
  const last = end?.split(':').filter(Boolean) ?? [];
  const zeros = Array<string>(Math.max(0, 8 - groups.length - last.length)).fill('0');
  return `${[...groups, ...zeros, ...last].slice(0, 4).join(':').slice(0, 64)}::/64`;
}
