import { ADDRCONFIG, type LookupAddress } from 'node:dns';
import { lookup as ask } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** As the machine knows a name: by its hosts file, its name servers, or whatever else it asks. */
export type FindAddresses = (name: string, hints?: number) => Promise<readonly LookupAddress[]>;

const KEPT_MS = 5000;

const LIMIT_MS = 5000;

/** Asks once for all who want a name at a time. Fails with `EAI_AGAIN` after too long. */
export function createLookup(
  find: FindAddresses = (name, hints = 0) => ask(name, { all: true, hints }),
): FindAddresses {
  const known = new Map<string, Promise<readonly LookupAddress[]>>();
  return async (name, hints = ADDRCONFIG) => {
    const key = `${hints} ${name}`;
    let finding = known.get(key);
    if (!finding) {
      finding = find(name, hints);
      known.set(key, finding);
      const forget = () => void setTimeout(() => known.delete(key), KEPT_MS).unref();
      finding.then(forget, forget);
    }
    return await Promise.race([finding, tooLate(name)]);
  };
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
