import type { Actor } from '../../domain/audit.ts';
import { found, Problem } from '../../http/problem.ts';
import { describeActor } from '../audit.ts';
import { number } from '../board/text.ts';
import type { BulkFilter, BulkName } from './filters.ts';
import type { BulkAction, BulkActions } from './ports.ts';
import type { Select } from './selection.ts';

/** Time for which a preview can be confirmed, in milliseconds. */
const VALID_MS = 15 * 60_000;

/** Items of one bulk action. */
const MOST = 100_000;

/** Items that a preview shows. */
const SAMPLE = 10;

/** Bulk actions of people: a preview, which freezes the items, and its confirmation. */
export interface Bulk {
  /** Chooses everything that a filter names now. @throws Problem 409 if that is too much for one bulk action */
  preview(action: BulkName, filter: BulkFilter, actor: Actor): Promise<BulkAction>;
  /** Starts what was previewed, once. @throws Problem 404, or 409 if it was canceled or nobody confirmed it in time */
  confirm(id: number, actor: Actor): Promise<BulkAction>;
  /** Ends it after the items in progress; one that is over stays as it is. @throws Problem 404 */
  cancel(id: number, actor: Actor): Promise<BulkAction>;
  /** @throws Problem 404 */
  find(id: number): Promise<BulkAction>;
}

/** Creates the bulk actions. */
export function createBulk({
  store,
  selection,
  onConfirmed,
  most = MOST,
}: {
  readonly store: BulkActions;
  readonly selection: Readonly<Record<BulkName, Select>>;
  readonly onConfirmed: () => void;
  readonly most?: number;
}): Bulk {
  const find = async (id: number): Promise<BulkAction> =>
    found(await store.find(id), 'The bulk action does not exist, or it was purged.');

  return {
    find,

    async preview(action, filter, actor) {
      const at = Date.now();
      const id = await store.create({ action, filter, by: describeActor(actor), expiresAt: at + VALID_MS });
      const sample: string[] = [];
      let total = 0;
      for await (const targets of selection[action](filter, at)) {
        if (total + targets.length > most) {
          await store.cancel(id, actor);
          throw new Problem(409, `The filter names more than ${number(most)}; name fewer at a time.`);
        }
        await store.add(id, total + 1, targets);
        sample.push(...targets.slice(0, SAMPLE - sample.length));
        total += targets.length;
      }
      await store.ready(id, { total, sample });
      return await find(id);
    },

    async confirm(id, actor) {
      const isStarted = await store.confirm(id, actor);
      const bulk = await find(id);
      if (isStarted) onConfirmed();
      if (bulk.confirmedAt !== null && bulk.state !== 'canceled') return bulk;
      throw new Problem(409, unconfirmable[bulk.state as keyof typeof unconfirmable]);
    },

    async cancel(id, actor) {
      await store.cancel(id, actor);
      return await find(id);
    },
  };
}

const unconfirmable = {
  preparing: 'Its items are still being chosen.',
  expired: 'Nobody confirmed it in time. Preview it again.',
  canceled: 'It was canceled. Preview it again.',
} as const;
