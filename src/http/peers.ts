import { isIPv4 } from 'node:net';
import { Problem } from './problem.ts';
import { addressIn, groupsOf } from './proxies.ts';

interface Window {
  readonly endsAt: number;
  count: number;
}

const MINUTE_MS = 60_000;

function countIn(current: Window | undefined, time: number, count = 1, lengthMs = MINUTE_MS): Window {
  const window = current && time < current.endsAt ? current : { endsAt: time + lengthMs, count: 0 };
  window.count += count;
  return window;
}

const secondsLeft = ({ endsAt }: Window, time: number): number => Math.ceil((endsAt - time) / 1000);

/** Keys are few and known. Returns undefined within the limit, otherwise the seconds until the next window. */
export function createRateLimit(requestsPerMinute: number, now = () => performance.now()) {
  const windows = new Map<string, Window>();
  return (key: string): number | undefined => {
    const time = now();
    const window = countIn(windows.get(key), time);
    windows.set(key, window);
    return window.count > requestsPerMinute ? secondsLeft(window, time) : undefined;
  };
}

export type Peers = ReturnType<typeof createPeers>;

const KNOWN_MS = 3_600_000;

/** An authentic delivery of a peer is recorded again after it. */
const RECORD_MS = 60_000;

const TRIES_PER_SECOND = 5;

/** Those counted longest ago are dropped. */
const CAPACITY = 10_000;

/** Failures refuse later requests of that peer only. Peers whose connections are closed have no address; they are one. */
export function createPeers({
  failuresPerMinute,
  onExhausted = () => {},
  capacity = CAPACITY,
  now = () => performance.now(),
}: {
  readonly failuresPerMinute: number;
  readonly onExhausted?: (address: string | undefined) => void;
  readonly capacity?: number;
  readonly now?: () => number;
}) {
  const windows = new Map<string, Window>();
  const known = new Map<string, number>();
  const tries = new Map<string, Window>();

  function put<T>(map: Map<string, T>, key: string, value: T): void {
    map.delete(key);
    map.set(key, value);
    const [first] = map.size > capacity ? map.keys() : [];
    if (first !== undefined) map.delete(first);
  }

  const isKnown = (peer: string, withinMs = KNOWN_MS): boolean => now() - (known.get(peer) ?? -Infinity) < withinMs;

  function count(map: Map<string, Window>, peer: string, times: number, lengthMs?: number): number {
    const current = map.get(peer);
    const window = countIn(current, now(), times, lengthMs);
    if (window !== current) put(map, peer, window);
    return window.count;
  }

  return {
    /** Seconds; undefined if the peer is not refused. */
    refusedFor(address: string | undefined): number | undefined {
      if (windows.size === 0) return undefined;
      const peer = networkOf(address);
      const window = windows.get(peer);
      if (!window || window.count < failuresPerMinute || isKnown(peer)) return undefined;
      const waitS = secondsLeft(window, now());
      return waitS > 0 ? waitS : undefined;
    },
    /** A refused peer may show credentials a few times a second: valid ones must not be refused. */
    mayTry: (address: string | undefined): boolean => count(tries, networkOf(address), 1, 1000) <= TRIES_PER_SECOND,
    /** A costly request counts as several. */
    failed(address: string | undefined, failures = 1): void {
      const peer = networkOf(address);
      const total = count(windows, peer, failures);
      const isExhausted = total >= failuresPerMinute && total - failures < failuresPerMinute;
      if (isExhausted && !isKnown(peer)) onExhausted(address);
    },
    /** For an hour, failures refuse nothing of an authentic peer, which may be a proxy or share its address. */
    succeeded(address: string | undefined): void {
      const peer = networkOf(address);
      if (!isKnown(peer, RECORD_MS)) put(known, peer, now());
    },
  };
}

/** The first 64 bits of an IPv6 address: its owner has the whole network. */
function networkOf(element = ''): string {
  const address = addressIn(element);
  if (!address.includes(':')) return address.slice(0, 64);
  const mapped = address.slice(address.lastIndexOf(':') + 1);
  if (isIPv4(mapped)) return mapped;
  return `${groupsOf(address).slice(0, 4).join(':')}::/64`;
}

const WRONG_PER_MINUTE = 10;

export type SignIns = ReturnType<typeof createSignIns>;

export function createSignIns() {
  const peers = createPeers({ failuresPerMinute: WRONG_PER_MINUTE });
  return {
    /** @throws Problem 429 after many wrong ones, unless a right one came lately: another program at its address must not lock it out */
    check<T>(address: string, find: () => T | undefined): T | undefined {
      const waitS = peers.refusedFor(address);
      if (waitS !== undefined) {
        const headers = { 'retry-after': String(waitS) };
        throw new Problem(429, 'Too many wrong tokens. Try again in a minute.', { headers });
      }
      const found = find();
      if (found === undefined) peers.failed(address);
      else peers.succeeded(address);
      return found;
    },
  };
}
