import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../admin/access.ts';
import { describeActor } from '../admin/audit.ts';
import { number } from '../admin/board/text.ts';
import type { BulkActions } from '../admin/tables/bulk-actions.ts';
import type { Actor } from '../domain/audit.ts';
import type { DestinationRef, Identity } from '../domain/routing.ts';
import { found, Problem } from '../http/problem.ts';
import type { PermittedReads } from '../store/limited-reads.ts';
import { type BulkQuery, readBulk } from './filters.ts';
import type { BulkItems } from './items.ts';
import { keepWithin } from './limit.ts';
import { findBulk, NO_BULK, type ShownBulk } from './views/row.ts';

/** Time for which a preview can be confirmed, in milliseconds. */
const VALID_MS = 15 * 60_000;

/** Items of one bulk action. */
const MOST = 100_000;

/** Items that a preview shows. */
const SAMPLE = 10;

/** Bulk actions of people: a preview, and its confirmation. */
export type Bulk = ReturnType<typeof createBulk>;

export function createBulk({
  store,
  reads,
  items,
  filterOf,
  identityOf,
  onConfirmed,
  most = MOST,
}: {
  readonly store: Pick<BulkActions, 'create' | 'confirm' | 'cancel'>;
  readonly reads: PermittedReads;
  readonly items: BulkItems;
  readonly filterOf: Parameters<typeof keepWithin>[2];
  readonly identityOf: (ref: DestinationRef) => Promise<Identity>;
  readonly onConfirmed: () => void;
  readonly most?: number;
}) {
  /** @throws Problem 404 */
  const find = async (id: number): Promise<ShownBulk> => found(await findBulk(reads, id), NO_BULK);

  /** Returns to whom announcements are sent again; null for other actions. */
  const identityIn = async ({ action, filter }: BulkQuery): Promise<Identity | null> =>
    action === 'repeat' ? await identityOf({ tenant: filter.tenant, name: filter.destination }) : null;

  return {
    find,

    /**
     * Counts everything that a filter names now.
     * @throws ZodError, or Problem 403 for what is beyond the limits of the caller, or 409 if that is too much for one bulk action
     */
    async preview(body: unknown, caller: Caller, actor: Actor): Promise<ShownBulk> {
      const { query, filter } = readBulk(body);
      await keepWithin(caller, query, filterOf);
      const asOf = Date.now();
      // So that what comes after the answer has a later time.
      while (Date.now() === asOf) await pause(1);
      const total = await items.count(query, most + 1);
      if (total > most) {
        throw new Problem(409, `The filter names more than ${number(most)}; name fewer at a time.`);
      }
      const first = await items.next(query, { asOf, after: '', limit: SAMPLE });
      const id = await store.create({
        action: query.action,
        filter: JSON.stringify(filter),
        identity: await identityIn(query),
        created_at: asOf,
        created_by: describeActor(actor),
        token: actor.token,
        expires_at: asOf + VALID_MS,
        total,
        sample: JSON.stringify(first?.targets ?? []),
      });
      return await find(id);
    },

    /** Starts a bulk action that was previewed. @throws Problem 404, or 409 if it was canceled or nobody confirmed it in time */
    async confirm(id: number, actor: Actor): Promise<ShownBulk> {
      if (await store.confirm(id, actor)) onConfirmed();
      const bulk = await find(id);
      if (bulk.confirmedAt !== null && bulk.state !== 'canceled') return bulk;
      throw new Problem(
        409,
        `${bulk.state === 'canceled' ? 'It was canceled' : 'Nobody confirmed it in time'}. Preview it again.`,
      );
    },

    /** Ends it after the items in progress; one that is over stays as it is. @throws Problem 404 */
    async cancel(id: number, actor: Actor): Promise<ShownBulk> {
      await store.cancel(id, actor);
      return await find(id);
    },
  };
}
