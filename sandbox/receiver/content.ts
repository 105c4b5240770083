import { z } from 'zod';
import { isObject, type Reader, readerOf } from '../../src/base/json.ts';
import { lastMember } from '../../src/base/text.ts';
import { familyOf } from '../../src/domain/catalogue/catalogue.ts';
import { partKinds, type ResourceKind } from '../../src/domain/catalogue/enrichment.ts';
import { isRow, subjectKinds } from '../../src/domain/catalogue/subject.ts';
import { directory } from '../../src/domain/kinds/kinds.ts';
import { stockId } from '../../src/domain/kinds/stock/summary.ts';
import type { Milestone } from '../../src/domain/lifecycle/milestone.ts';
import type { Snapshot } from '../../src/domain/lifecycle/snapshot.ts';
import type { Stage } from '../../src/domain/lifecycle/stage.ts';

const facts = z.record(z.string(), z.unknown()).nullish();

/** Schema of the parts of `data` that a comparison with the warehouse needs. */
export const dataSchema = z.looseObject({
  kind: z.enum(subjectKinds),
  id: z.string(),
  milestone: z.string(),
  stage: z.string(),
  late: z.boolean(),
  inferred: z.boolean(),
  event: z.object({ id: z.string(), name: z.string(), time: z.iso.datetime() }).nullable(),
  orderItemId: z.string().optional(),
  snapshot: facts,
  before: facts,
  after: facts,
  missing: z.array(z.string()).default([]),
  resourceFrom: z.string().nullish(),
  advice: z.record(z.string(), z.unknown()).optional(),
  previous: z.int().positive().nullable(),
});

type Data = Readonly<z.output<typeof dataSchema>>;

/** Content of an announcement that is compared. Of each record only the id, and its advice, are kept, to bound memory. */
export interface Content
  extends Pick<Data, 'kind' | 'id' | 'inferred' | 'event' | 'orderItemId' | 'missing' | 'resourceFrom' | 'advice'> {
  readonly milestone: Milestone;
  readonly stage: Stage;
  /** All facts that it claims: those of `snapshot`, or of `before` and `after`. */
  readonly facts: readonly Snapshot[];
  /** Ids of the embedded records by their members: null without a record, empty for one that has no id. */
  readonly records: { readonly [K in ResourceKind]?: string | null };
}

/** Reads the content of the data of an announcement. */
export function contentOf(data: Data): Content {
  const { kind, id, milestone, stage, inferred, event, orderItemId, missing, resourceFrom, advice } = data;
  const members = [...subjectKinds, ...partKinds].filter((member) => data[member] !== undefined);
  const claims = [data.snapshot, data.before, data.after].filter((claim) => claim != null);
  return {
    kind,
    id,
    inferred,
    event,
    orderItemId,
    missing,
    resourceFrom,
    advice,
    facts: claims as Snapshot[],
    milestone: milestone as Milestone,
    stage: stage as Stage,
    records: Object.fromEntries(members.map((member) => [member, idIn(member, data[member])])),
  };
}

function idIn(member: ResourceKind, record: unknown): string | null {
  if (record === null) return null;
  const read = readerOf(record);
  const id = isObject(record) ? readId(member, (name) => read('readonly', name) ?? read(name), read) : undefined;
  return String(id ?? '').slice(0, ID_LIMIT);
}

const ID_LIMIT = 100;

/** Reads a member of `readOnly`, or else of the record itself. */
type Member = (name: string) => unknown;

/** Reads the id of a record; a bare transaction names its id in no known way. */
function readId(kind: ResourceKind, member: Member, read: Reader): unknown {
  if (isRow(kind)) return stockIdIn(read);
  if (kind === 'user') return member('id');
  if (kind === 'pickList') return member('pickjobid');
  const own = kind === 'customer' ? directory.customer.id : (familyOf(kind).id ?? '');
  return member(lastMember(own).toLowerCase()) ?? member('movementid');
}

/** A message may have the row in a list. */
function stockIdIn(read: Reader): string | undefined {
  const [listed] = [...Object.values(read('_embedded') ?? {}), read('resourcelist')].flat().filter(isObject);
  const of = listed ? readerOf(listed) : read;
  const [facilityId, itemId] = [of('facilityid'), of('itemidentifier', 'id')].map((id) => String(id ?? ''));
  if (!facilityId || !itemId) return undefined;
  return stockId({ facilityId, itemId, qualifier: String(of('qualifier') ?? '') });
}
