import type { Entry } from '../inbox/rows.ts';
import { type Received, toEntry } from './message/entry.ts';
import type { Aliases } from './message/event-name.ts';
import type { HeadCheck, Verifier } from './verification/verifier.ts';

/** Webhook endpoint of a tenant. */
export interface Endpoint {
  readonly verify: Verifier;
  /** Refuses requests before their bodies are read, if the scheme allows it. */
  readonly mayVerify?: HeadCheck | undefined;
  /** `WWW-Authenticate` of a refusal, if the scheme has one. */
  readonly challenge?: string | undefined;
  /** Tenant of the endpoint; undefined if it accepts deliveries of any tenant. */
  readonly tenant?: string | undefined;
}

/** Endpoints by the last segment of their path. */
export type Endpoints = ReadonlyMap<string, Endpoint>;

/** Rules by which deliveries are read. */
export interface Rules {
  readonly endpoints: ReadonlyMap<string, Pick<Endpoint, 'tenant'>>;
  readonly aliases: Aliases;
}

/** Creates a reader of deliveries, each by the rules of its endpoint. A delivery to an endpoint that was removed is quarantined. */
export function createReader({ endpoints, aliases }: Rules): (received: Received) => Entry {
  return (received) => {
    const endpoint = endpoints.get(received.endpoint);
    const entry = toEntry(received, { tenant: endpoint?.tenant, aliases });
    if (endpoint) return entry;
    const { event: _event, subjectKey: _subjectKey, rows: _rows, ...rest } = entry;
    return { ...rest, quarantineReason: `the endpoint ${received.endpoint} no longer exists` };
  };
}
