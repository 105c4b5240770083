import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../admin/access.ts';
import { actionsWith } from '../admin/action.ts';
import { describeActor } from '../admin/audit.ts';
import { bulkAddress } from '../admin/board/addresses.ts';
import { number } from '../admin/board/text.ts';
import { type Filters, idParams, lastingValuesOf } from '../admin/queries.ts';
import type { BulkActions } from '../admin/tables/bulk-actions.ts';
import type { Sources } from '../admin/views/view.ts';
import type { Destinations } from '../destinations/tables/destinations.ts';
import { holdsCustomers, holdsTenant } from '../domain/permission.ts';
import { found, Problem } from '../http/problem.ts';
import { bulkActions as actions, type BulkQuery, bulkBody, readBulkForm } from './filters.ts';
import type { BulkItems } from './items.ts';
import { findBulk, NO_BULK, type ShownBulk, shownBulk } from './views/row.ts';

const VALID_MS = 15 * 60_000;

const MOST = 100_000;

const SAMPLE = 10;

export interface BulkParts {
  readonly bulkActions: Pick<BulkActions, 'create' | 'confirm' | 'cancel'>;
  readonly bulkItems: BulkItems;
  readonly destinations: Pick<Destinations, 'filterOf' | 'find'>;
  readonly wakeBulk: () => void;
}

const defineAction = actionsWith<BulkParts>();

const common = {
  tag: 'Bulk actions',
  keepsLimits: true,
  page: ({ id }: Pick<ShownBulk, 'id'>) => bulkAddress(id),
} as const;

const find = async ({ reads }: Pick<Sources, 'reads'>, { id }: { readonly id: number }): Promise<ShownBulk> =>
  found(await findBulk(reads, id), NO_BULK);

const previewBulk = defineAction({
  ...common,
  path: '/bulk',
  id: 'previewBulk',
  summary: 'Previews a bulk action: counts what a filter matches, and changes nothing',
  description:
    'The first of two steps: it freezes the list of items that match now and shows the first of them, without touching any. Confirm it within a quarter of an hour. 409 if the filter matches more than 100,000 items; a filter of another action is answered 400.',
  body: bulkBody,
  readForm: readBulkForm,
  answers: { 201: { ShownBulk: shownBulk } },
  problems: [409],
  find: async () => undefined,
  async run({ bulkActions, bulkItems, destinations, reads }, _, { body, actor, caller }) {
    await keepWithin(caller, body, destinations);
    const asOf = Date.now();
    // So that what comes after the answer has a later time.
    while (Date.now() === asOf) await pause(1);
    const { count: total, isMore } = await bulkItems.count(body, MOST);
    if (isMore) throw new Problem(409, `The filter names more than ${number(MOST)}; name fewer at a time.`);
    const first = await bulkItems.next(body, { asOf, after: '', limit: SAMPLE });
    const id = await bulkActions.create({
      action: body.action,
      filter: JSON.stringify(lastingValuesOf<Filters>(actions[body.action].filters, body.filter)),
      identity: await identityIn(body, destinations),
      created_at: asOf,
      created_by: describeActor(actor),
      token: actor.token,
      expires_at: asOf + VALID_MS,
      total,
      sample: JSON.stringify(first?.targets ?? []),
    });
    return await find({ reads }, { id });
  },
});

/** It may only send again, to its own destination, what is its own. @throws Problem 403 */
async function keepWithin(
  { limits }: Caller,
  query: BulkQuery,
  destinations: BulkParts['destinations'],
): Promise<void> {
  if (limits === undefined) return;
  if (query.action !== 'replay') throw new Problem(403, 'The token is limited: it only sends again, with "replay".');
  const { tenant, destination: name, customer } = query.filter;
  const wanted = await destinations.filterOf({ tenant, name });
  if (!wanted || !holdsCustomers(limits, tenant, wanted.customers))
    throw new Problem(403, `The token is limited, and "${name}" is no destination of its own.`);
  if (holdsTenant(limits, tenant) || (customer !== undefined && holdsCustomers(limits, tenant, [customer]))) return;
  throw new Problem(403, 'The token is limited to customers: name one of them as "customer".');
}

async function identityIn({ action, filter }: BulkQuery, destinations: Pick<BulkParts['destinations'], 'find'>) {
  if (action !== 'replay') return null;
  return (await destinations.find({ tenant: filter.tenant, name: filter.destination }))?.id ?? null;
}

const confirmBulk = defineAction({
  ...common,
  path: '/bulk/{id}/confirm',
  id: 'confirmBulk',
  summary: 'Starts a bulk action that was previewed',
  description:
    'The second step. Items are worked through in the background, a few at a time, also after a restart; follow them with `GET /bulk/{id}`. Confirming twice changes nothing. 404 if there is no such preview, 409 if it was canceled or has expired.',
  params: idParams,
  answers: { 202: { ShownBulk: shownBulk } },
  problems: [404, 409],
  find,
  async run({ bulkActions, wakeBulk, reads }, { id }, { actor }) {
    if (await bulkActions.confirm(id, actor)) wakeBulk();
    const bulk = await find({ reads }, { id });
    if (bulk.confirmedAt !== null && bulk.state !== 'canceled') return bulk;
    const why = bulk.state === 'canceled' ? 'It was canceled' : 'Nobody confirmed it in time';
    throw new Problem(409, `${why}. Preview it again.`);
  },
});

const cancelBulk = defineAction({
  ...common,
  path: '/bulk/{id}/cancel',
  id: 'cancelBulk',
  summary: 'Ends a bulk action after the items in progress',
  description:
    'Stops a bulk action; what it has done stays done. Canceling a finished one changes nothing. 404 if there is no such bulk action.',
  params: idParams,
  answers: { 200: { ShownBulk: shownBulk } },
  problems: [404],
  find,
  async run({ bulkActions, reads }, { id }, { actor }) {
    await bulkActions.cancel(id, actor);
    return await find({ reads }, { id });
  },
});

/** Logged once confirmed, in the transaction that starts or cancels them. */
export const actionsOnAll = [previewBulk, confirmBulk, cancelBulk];
