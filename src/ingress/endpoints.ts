import { createHmac, randomBytes } from 'node:crypto';
import type { Entry } from '../domain/quarantine.ts';
import { type Received, toEntry } from './message/delivery.ts';
import type { Aliases } from './message/event-name.ts';
import type { HeadCheck, Verifier } from './verification/scheme.ts';

export interface Endpoint {
  readonly verify: Verifier;
  /** Refuses requests before their bodies are read. */
  readonly mayVerify?: HeadCheck | undefined;
  readonly challenge?: string | undefined;
  /** Deliveries may not contradict it. */
  readonly tenant: string;
}

/** By the last segment of the path. */
export type Endpoints = ReadonlyMap<string, Endpoint>;

/**
 * An endpoint that does not exist refuses like one that does, always the same one, so that strangers do not learn which
 * tenants there are; except `none`, which nothing can imitate.
 */
export function createEndpointSearch(endpoints: Endpoints): (name: string) => Endpoint | undefined {
  const imitated = [...endpoints.values()].filter(({ mayVerify }) => mayVerify);
  const key = randomBytes(32);
  return (name) => {
    const found = endpoints.get(name);
    if (found || imitated.length === 0) return found;
    const digest = createHmac('sha256', key).update(name).digest();
    return imitate(imitated[digest.readUInt32BE() % imitated.length] as Endpoint);
  };
}

const imitate = ({ verify, ...endpoint }: Endpoint): Endpoint => ({
  ...endpoint,
  async verify(request) {
    const verdict = await verify(request);
    return verdict === 'authentic' ? 'refused' : verdict;
  },
});

interface Rules {
  readonly endpoints: ReadonlyMap<string, Pick<Endpoint, 'tenant'>>;
  readonly aliases: Aliases;
  /** Current meanings that people have given to unknown names; they override no others. */
  readonly accepted: () => Promise<Aliases>;
}

/** At once, unless only the store may know the name. */
export type Read = (received: Received) => Entry | Promise<Entry>;

/** Reads each delivery by the rules of its endpoint. One whose endpoint was removed stays quarantined. */
export function createReader({ endpoints, aliases, accepted }: Rules): Read {
  function readBy(received: Received, known: Aliases): Entry {
    const endpoint = endpoints.get(received.endpoint);
    if (endpoint) return toEntry(received, { tenant: endpoint.tenant, aliases: known });
    return {
      eventId: '',
      tenant: '',
      ...received,
      quarantineReason: { code: 'noEndpoint', endpoint: received.endpoint },
    };
  }
  return (received) => {
    const entry = readBy(received, aliases);
    if (entry.quarantineReason?.code !== 'unknownName') return entry;
    // Not kept, because they hold at once in every process.
    return accepted().then((meanings) => readBy(received, { ...meanings, ...aliases }));
  };
}
