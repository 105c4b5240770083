import { ADDRCONFIG, type LookupAddress, Resolver } from 'node:dns';
import { lookup as ask } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { isLoopback } from '../base/loopback.ts';

/** As the machine knows a name: by its hosts file, its name servers, or whatever else it asks. */
export type FindAddresses = (name: string, hints?: number) => Promise<readonly LookupAddress[]>;

const KEPT_MS = 5000;

/** For the name servers, and for a whole look-up. */
const ANSWER_MS = 2000;
const LIMIT_MS = 5000;

/** Names for which nobody answers share one thread, or they would delay all others. Fails with `EAI_AGAIN` after too long. */
export function createLookup({
  find = (name, hints = 0) => ask(name, { all: true, hints }),
  // One for each look-up, since it reads the addresses of name servers only once.
  createResolver = () => new Resolver({ timeout: ANSWER_MS / 4, tries: 2 }),
}: {
  readonly find?: FindAddresses;
  readonly createResolver?: () => Resolver;
} = {}): FindAddresses {
  const known = new Map<string, Promise<readonly LookupAddress[]>>();
  let doubtful: Promise<unknown> = Promise.resolve();

  async function findOnce(name: string, hints: number): Promise<readonly LookupAddress[]> {
    if (isIP(name) || isLoopback(name) || (await isAnswered(createResolver(), name))) return await find(name, hints);
    const found = doubtful.then(() => find(name, hints));
    doubtful = found.catch(() => undefined);
    return await found;
  }

  return async (name, hints = ADDRCONFIG) => {
    const key = `${hints} ${name}`;
    let finding = known.get(key);
    if (!finding) {
      finding = findOnce(name, hints);
      known.set(key, finding);
      const forget = () => void setTimeout(() => known.delete(key), KEPT_MS).unref();
      finding.then(forget, forget);
    }
    return await Promise.race([finding, tooLate(name)]);
  };
}

/** True also if name servers say that there is no such name. */
function isAnswered(resolver: Resolver, name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const patience = setTimeout(() => resolver.cancel(), ANSWER_MS);
    resolver.resolve4(name, (error) => {
      clearTimeout(patience);
      resolve(error?.code !== 'ETIMEOUT' && error?.code !== 'ECANCELLED');
    });
  });
}

async function tooLate(name: string): Promise<never> {
  await delay(LIMIT_MS, undefined, { ref: false });
  throw Object.assign(new Error(`no name server answers for ${name} within ${LIMIT_MS} ms`), { code: 'EAI_AGAIN' });
}

export const asLookup =
  (find: FindAddresses): LookupFunction =>
  (name, { all }, callback) => {
    find(name).then(
      (found) => {
        const [first] = found;
        if (all || !first) callback(null, [...found]);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, ''),
    );
  };

export const findAddresses = createLookup();

/** An address has 2.5 s of a connection's 10 s to accept before the next is tried: Node's 250 ms give up whoever is far away. */
export const connecting = { lookup: asLookup(findAddresses), autoSelectFamilyAttemptTimeout: 2500 } as const;
