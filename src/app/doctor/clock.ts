import type { Dispatcher } from 'undici';
import { isNotable } from '../../health/conditions/machine.ts';
import { createAgent } from '../../http/agent.ts';
import type { Proxies } from '../../http/proxies.ts';
import { type Finding, ok, type Reporter, skipped, warning } from './check.ts';

/** Compares this machine's clock with the `Date` of each server's answer. */
export async function checkClock({ check }: Reporter, addresses: readonly string[], proxies: Proxies): Promise<void> {
  const agent = createAgent({ proxies });
  const origins = new Set(addresses.map((address) => new URL(address).origin));
  await Promise.all(
    [...origins].map((origin) => check('clock', `HEAD ${origin}`, (signal) => compare(agent, origin, signal))),
  );
}

async function compare(agent: Dispatcher, origin: string, signal: AbortSignal): Promise<Finding> {
  try {
    const ms = await deviationOf(agent, origin, signal);
    return ms === undefined ? skipped('answered without a date') : judge(ms / 1000);
  } catch {
    signal.throwIfAborted();
    return skipped('did not answer');
  }
}

/** Returns how far the clock of a server is ahead of this machine's, in milliseconds; undefined if it does not say its time. */
export async function deviationOf(agent: Dispatcher, origin: string, signal: AbortSignal): Promise<number | undefined> {
  const sentAt = Date.now();
  const { headers, body } = await agent.request({ origin, path: '/', method: 'HEAD', signal });
  await body.dump();
  const theirs = Date.parse(String(headers.date));
  // A date in whole seconds is half a second late on average.
  return Number.isNaN(theirs) ? undefined : theirs + 500 - (sentAt + Date.now()) / 2;
}

function judge(seconds: number): Finding {
  const distance = Math.round(Math.abs(seconds));
  if (distance <= 1) return ok('agrees with this machine');
  const found = `${distance} s ${seconds > 0 ? 'ahead of' : 'behind'} this machine`;
  if (!isNotable(seconds * 1000)) return ok(found);
  const advice =
    'Synchronize the clock of this machine (NTP): signatures carry its time, and receivers refuse those that are five minutes off.';
  return warning(found, advice);
}
