import { z } from 'zod';
import type { RetrievedOrder } from '../../activities/ports.ts';
import type { Snapshot } from '../domain/snapshot.ts';
import { id } from './resource.ts';

/** What is missing, null or of another type than expected is as good as not there: the warehouse omits what is null. */
const lenient = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

const identifier = lenient(z.object({ id: lenient(id), name: lenient(z.string()) }));
const present = z.unknown().optional().transform(Boolean);
const link = z.object({ href: z.string() });

const wireOrder = z.object({
  referencenum: lenient(z.string()),
  readonly: z.object({
    orderid: id,
    status: lenient(id),
    isclosed: present,
    fullyallocated: present,
    pickdonedate: present,
    packstarted: present,
    packdonedate: present,
    customeridentifier: identifier,
    facilityidentifier: identifier,
    lastmodifiedbyidentifier: identifier,
  }),
  _links: lenient(z.record(z.string(), z.union([link, z.array(link)]).catch([]))),
});

type WireOrder = z.infer<typeof wireOrder>;

/** An order with its keys in lower case, as the facts that decide its life. Only `readOnly.orderId` has to be there. */
export const order = wireOrder.transform((wire): Omit<RetrievedOrder, 'body'> => {
  const lastModifiedBy = wire.readonly.lastmodifiedbyidentifier?.id;
  return {
    snapshot: toSnapshot(wire),
    ...(lastModifiedBy && lastModifiedBy !== SYSTEM_USER && { lastModifiedBy }),
  };
});

/** The user that stands for the system itself. */
const SYSTEM_USER = '-1';

/** What `status` 0, 1 and 2 stand for; there is none for "complete". */
const statuses = ['open', 'closed', 'canceled'] as const;

function toSnapshot({ referencenum, readonly: facts, _links }: WireOrder): Snapshot {
  const { id: customerId, name: customerName } = facts.customeridentifier ?? {};
  const { id: facilityId, name: facilityName } = facts.facilityidentifier ?? {};
  const pickJobId = pickJobIn(_links);
  return {
    status: statuses[Number(facts.status)] ?? (facts.isclosed ? 'closed' : 'open'),
    fullyAllocated: facts.fullyallocated,
    pickDone: facts.pickdonedate,
    packStarted: facts.packstarted,
    packDone: facts.packdonedate,
    ...(referencenum && { referenceNumber: referencenum }),
    ...(customerId && { customerId }),
    ...(customerName && { customerName }),
    ...(facilityId && { facilityId }),
    ...(facilityName && { facilityName }),
    ...(pickJobId && { pickJobId }),
  };
}

function pickJobIn(links: WireOrder['_links'] = {}): string | undefined {
  return Object.values(links)
    .flat()
    .map(({ href }) => /\/orders\/pickjobs\/([^/?#{}]+)/i.exec(href)?.[1])
    .find(Boolean);
}
