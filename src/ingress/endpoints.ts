import type { Entry } from '../inbox/rows.ts';
import { type Received, toEntry } from './message/entry.ts';
import type { Verifier } from './verification/verifier.ts';

/** An address that deliveries come to. */
export interface Endpoint {
  readonly verify: Verifier;
  /** What a refusal asks for (`WWW-Authenticate`), where there is a scheme for it. */
  readonly challenge?: string | undefined;
  /** The tenant whose it is; undefined where it takes any tenant's. */
  readonly tenant?: string | undefined;
}

/** The endpoints by the last part of their address. */
export type Endpoints = ReadonlyMap<string, Endpoint>;

/** By which rules deliveries are read. */
export interface Rules {
  readonly endpoints: ReadonlyMap<string, Pick<Endpoint, 'tenant'>>;
  readonly aliases: Readonly<Record<string, string>>;
}

/** Reads each delivery by the rules of the endpoint that it came to; what came to one that is no more is quarantined. */
export function createReader({ endpoints, aliases }: Rules): (received: Received) => Entry {
  return (received) => {
    const endpoint = endpoints.get(received.endpoint);
    const entry = toEntry(received, { tenant: endpoint?.tenant, aliases });
    if (endpoint) return entry;
    const { event: _event, subjectKey: _subjectKey, ...kept } = entry;
    return { ...kept, quarantineReason: `no endpoint ${received.endpoint} any more` };
  };
}
