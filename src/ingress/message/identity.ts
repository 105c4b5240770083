import { type CatalogueEntry, subjectOf } from '../../domain/catalogue/catalogue.ts';
import type { WarehouseEvent } from '../../domain/catalogue/event.ts';
import { customerInPath, customersIn } from '../../domain/catalogue/record-customer.ts';
import { isRow, kindOf, type RowKind } from '../../domain/catalogue/subject.ts';
import type { Milestone } from '../../domain/lifecycle/milestone.ts';
import type { Snapshot } from '../../domain/lifecycle/snapshot.ts';
import type { Quarantined } from '../../domain/quarantine.ts';
import { readId, readText } from '../../domain/wire-values.ts';
import { findAnonymousId, findId, findOwnId, orderOfLine } from './family.ts';
import { isPlainId, type Link, type Parts, readJson, readShortId, readShortText } from './parts.ts';
import { findStockRows, identifyRow } from './stock-rows.ts';

interface LinkedIds {
  /** Absent for the system, whose id is -1. */
  readonly userId?: string;
  readonly pickJobId?: string;
}

const PICK_JOB = /\/pickjobs\/([^/?#]+)/i;
const USER = /\/uiproperties\/users\/([^/?#]+)/i;

/** In a message's links or else in the resource itself; the message may be about the job. */
export function findLinkedIds({ resource, links, data, body }: Parts): LinkedIds {
  const userId = usable(
    findLinked(links.filter(isOfLastModifier), USER) ??
      findLinked(links, USER) ??
      body('readonly', 'lastmodifiedbyidentifier', 'id'),
  );
  const own = PICK_JOB.exec(readText(resource('href')) ?? '')?.[1];
  const pickJobId = usable(own ?? findLinked(links, PICK_JOB) ?? data('pickjobid'));
  return { ...(userId && { userId }), ...(pickJobId && { pickJobId }) };
}

/** A resource may link its creator, too. */
const isOfLastModifier = ([name]: Link): boolean => name.toLowerCase() === 'lastmodifiedby';

function findLinked(links: readonly Link[], pattern: RegExp): string | undefined {
  for (const [, path] of links) {
    const [, id] = pattern.exec(path) ?? [];
    if (readId(id)) return id;
  }
  return undefined;
}

function usable(value: unknown): string | undefined {
  const id = readId(value);
  return id && isPlainId(id) ? id : undefined;
}

/** With the state in the event's own resource if there is no other source of it. */
type Identity = Pick<WarehouseEvent, 'subject' | 'subjectId' | 'orderItemId' | 'customerId' | 'shown' | 'disputed'>;

/** Or the reason of its quarantine. */
export function identify(
  { subject, milestone }: CatalogueEntry,
  parts: Parts,
  named: NamedCustomer,
): Identity | Quarantined {
  const { customerId } = named;
  if (isRow(subject)) return identifyRowOf(subject, parts, named);
  if (subject === 'orderItem') return identifyOrderItem(parts);
  const subjectId = findOwnId(subject, parts) ?? findAnonymousId(parts);
  if (!subjectId) return { quarantined: { code: 'noId', family: subject } };
  if (!isPlainId(subjectId)) return { quarantined: { code: 'unusableId', family: subject } };
  return {
    subject,
    subjectId,
    ...(kindOf(subject).isOfCustomer && customerId && isPlainId(customerId) && { customerId }),
    ...(kindOf(subject).isShown && { shown: readHold(parts, milestone, customerId) }),
  };
}

function identifyOrderItem(parts: Parts): Identity | Quarantined {
  const subjectId = findId(orderOfLine, parts);
  const orderItemId = findOwnId('orderItem', parts);
  if (!subjectId || !orderItemId) return { quarantined: { code: 'noItemId' } };
  if (!isPlainId(subjectId) || !isPlainId(orderItemId))
    return { quarantined: { code: 'unusableId', family: 'orderItem' } };
  return { subject: subjectOf('orderItem'), subjectId, orderItemId };
}

/** The summary itself, or the only one of a list. */
function identifyRowOf(
  subject: RowKind,
  parts: Parts,
  { customerId, disputed }: NamedCustomer,
): Identity | Quarantined {
  const body = readJson(parts.resource('body'));
  const rows = findStockRows(body);
  if (rows?.length === 0) return { quarantined: { code: 'emptyStock' } };
  const identity = identifyRow(rows ? rows[0] : body);
  if ('quarantined' in identity) return identity;
  const isItsOwn = identity.shown.customerId !== undefined;
  return {
    ...identity,
    subject,
    shown: { ...(customerId && { customerId }), ...identity.shown },
    ...((identity.disputed ?? (disputed && !isItsOwn)) && { disputed: true }),
  };
}

/** The event says whether it is on hold, the message may have the rest. */
function readHold(parts: Parts, milestone: Milestone, customerId: string | undefined): Snapshot {
  const facilityId =
    readShortId(parts.body('readonly', 'facilityidentifier', 'id')) ?? usable(findLinked(parts.links, FACILITY));
  const referenceNumber = readShortText(parts.body('itemidentifier', 'sku'));
  return {
    onHold: milestone === 'placedOnHold',
    ...(customerId && { customerId }),
    ...(facilityId && { facilityId }),
    ...(referenceNumber && { referenceNumber }),
  };
}

/** `disputed` if the message names several. */
interface NamedCustomer {
  readonly customerId?: string;
  readonly disputed?: true;
}

/** The record and the rest of a message have to agree. */
export function findCustomer(parts: Parts): NamedCustomer {
  const linkedPaths = parts.links.flatMap(([name, path]) => (/^rel$/i.test(name) ? [] : [path]));
  const paths = [readText(parts.resource('href')) ?? '', ...linkedPaths];
  const linked = paths.flatMap((path) => customerInPath(path) ?? []);
  const [customerId, other] = new Set([...customersIn(parts.body), ...linked, ...customersIn(parts.data)]);
  if (other !== undefined) return { disputed: true };
  return customerId === undefined ? {} : { customerId };
}

const FACILITY = /(?:^|\/)facilities\/([^/?#]+)(?:[?#]|$)/i;
