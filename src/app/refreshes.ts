import type { RefreshingDeps } from '../../activities/ports/refreshing.ts';
import { createBulkItems } from '../bulk/items.ts';
import { refreshing } from '../bulk/performers.ts';
import { createStep } from '../bulk/runner.ts';
import { findBulk } from '../bulk/views/row.ts';
import { readEverything } from '../store/limited-reads.ts';
import { isOutage } from '../temporal/connection.ts';
import type { OpenInbox } from './inbox.ts';
import type { PartOptions } from './service-options.ts';

/** Creates what the workflow of a bulk refresh does, page by page. */
export function createRefreshes({
  store,
  inbox: { control },
  logger,
}: PartOptions & { readonly inbox: OpenInbox }): RefreshingDeps {
  const { bulk } = store;
  const reads = readEverything(store.reads);
  const performer = refreshing({ reads, control, isOutage, logger });
  const step = createStep({ store: bulk, items: createBulkItems(store) }, performer);
  return {
    async refreshPage(id) {
      const running = (await bulk.running()).find((it) => it.id === id);
      if (running) {
        await step(running).catch(async (error: unknown) => {
          await bulk.note(id, 'A page failed and is tried again; Temporal says why.');
          throw error;
        });
      }
      const { total = 0, done = 0, asked = 0, failed = 0, state } = (await findBulk(reads, id)) ?? {};
      return { total, done, asked, failed, isOver: state !== 'running' };
    },
    cancelRefresh: (id) => bulk.cancel(id),
  };
}
