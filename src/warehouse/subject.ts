import { z } from 'zod';
import type { RetrievedSubject } from '../../activities/ports.ts';
import type { Snapshot } from '../domain/snapshot.ts';
import type { SubjectKind } from '../domain/subject.ts';
import { id } from './resource.ts';

/** What is missing, null or of another type than expected is as good as not there: the warehouse omits what is null. */
const lenient = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

const identifier = lenient(z.object({ id: lenient(id), name: lenient(z.string()) }));
const present = z.unknown().optional().transform(Boolean);
const link = z.object({ href: z.string() });

const wireSubject = z.object({
  referencenum: lenient(z.string()),
  readonly: z.object({
    orderid: lenient(id),
    receiverid: lenient(id),
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

type WireSubject = z.infer<typeof wireSubject>;

/** The ids that have been seen in `readOnly`; those of adjustments and assemblies are unknown, so none is asked for. */
const idFields = { order: 'orderid', receipt: 'receiverid', adjustment: null, assembly: null } as const;

/**
 * What a subject with its keys in lower case says of its life. `readOnly` has to be there, for orders and receipts with their
 * id; everything else is as good as absent where it is missing.
 */
export function subjectSchema(kind: SubjectKind) {
  const idField = idFields[kind];
  return wireSubject
    .refine((wire) => idField === null || wire.readonly[idField] !== undefined, { path: ['readonly', idField ?? ''] })
    .transform((wire): Omit<RetrievedSubject, 'body'> => {
      const lastModifiedBy = wire.readonly.lastmodifiedbyidentifier?.id;
      return {
        snapshot: { ...commonFacts(wire), ...(kind === 'order' && orderFacts(wire)) },
        ...(lastModifiedBy && lastModifiedBy !== SYSTEM_USER && { lastModifiedBy }),
      };
    });
}

/** The user that stands for the system itself. */
const SYSTEM_USER = '-1';

/** What `status` 0, 1 and 2 stand for; there is none for "complete". */
const statuses = ['open', 'closed', 'canceled'] as const;

function commonFacts({ referencenum, readonly: facts }: WireSubject): Snapshot {
  const { id: customerId, name: customerName } = facts.customeridentifier ?? {};
  const { id: facilityId, name: facilityName } = facts.facilityidentifier ?? {};
  return {
    status: statuses[Number(facts.status)] ?? (facts.isclosed ? 'closed' : 'open'),
    ...(referencenum && { referenceNumber: referencenum }),
    ...(customerId && { customerId }),
    ...(customerName && { customerName }),
    ...(facilityId && { facilityId }),
    ...(facilityName && { facilityName }),
  };
}

function orderFacts({ readonly: facts, _links }: WireSubject) {
  const pickJobId = pickJobIn(_links);
  return {
    fullyAllocated: facts.fullyallocated,
    pickDone: facts.pickdonedate,
    packStarted: facts.packstarted,
    packDone: facts.packdonedate,
    ...(pickJobId && { pickJobId }),
  };
}

function pickJobIn(links: WireSubject['_links'] = {}): string | undefined {
  return Object.values(links)
    .flat()
    .map(({ href }) => /\/orders\/pickjobs\/([^/?#{}]+)/i.exec(href)?.[1])
    .find(Boolean);
}
