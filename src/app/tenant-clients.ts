import type { Logger } from '../base/logger.ts';
import { words } from '../base/text.ts';
import type { Config } from '../config/config.ts';
import type { TenantSettings } from '../config/tenants/tenant.ts';
import { createDestinationPool, createManagedDestinations } from '../destinations/managed-destinations.ts';
import type { Receiver } from '../destinations/sending/sending.ts';
import { DocklineError } from '../domain/errors.ts';
import { findTenant } from '../domain/permission.ts';
import type { Identity } from '../domain/routing.ts';
import type { Tracing } from '../domain/tracing.ts';
import { createAnswerNotes } from '../health/warehouse.ts';
import type { ApiObserver, OnAnswer } from '../warehouse/client/api.ts';
import type { Listing } from '../warehouse/client/listing.ts';
import { createPace } from '../warehouse/client/pace.ts';
import { createSharedToken } from '../warehouse/client/token.ts';
import { createWarehouse, type Warehouse } from '../warehouse/warehouse.ts';
import { contextOf, type PartOptions } from './service-options.ts';

/** Adds a span for each GET to its retrieval. The warehouse is told nothing of it. */
function traceCalls(observer: ApiObserver | undefined, tracing: Tracing | undefined): ApiObserver | undefined {
  if (!tracing) return observer;
  return {
    called(call) {
      const { operation, status, ms } = call;
      observer?.called(call);
      const attributes = { 'http.request.method': 'GET', 'http.response.status_code': status ?? undefined };
      const error = status === null ? 'no answer' : status >= 400 ? `answered ${status}` : undefined;
      tracing.ended(`GET ${operation}`, { kind: 'client', ms, error, attributes });
    },
    waited: (ms) => observer?.waited(ms),
  };
}

/** An unknown tenant fails with `ERR_WAREHOUSE_UNAUTHENTICATED`. */
export function openTenantClients(
  tenants: readonly TenantSettings[],
  config: Config,
  {
    observers,
    tracing,
    store,
    logger,
  }: Pick<PartOptions, 'observers' | 'tracing' | 'store'> & { readonly logger: Pick<Logger, 'warn'> },
) {
  let retrieving = 0;
  const notes = createAnswerNotes({ answers: store.warehouseAnswers, now: store.now, logger });
  notes.start();
  const opened = new Map(
    tenants.map((tenant) => {
      const { id } = tenant;
      const pace = createPace({ perSecond: tenant.callsPerSecond, shared: store.rateSlotsOf?.(id) });
      const warehouse = createWarehouse({
        ...tenant,
        pace,
        othersWaiting: () => store.inbox.waiting() - retrieving,
        onPageLimitation(kind, reason) {
          const of = { tenant: id, kind };
          if (reason) logger.warn(of, `${reason}; each ${words(kind)} takes a GET of its own`);
          const noted = reason ? store.pageLimits.note(of, reason) : store.pageLimits.end(of);
          noted.catch((err: unknown) => logger.warn({ err, ...of }, 'cannot note how the warehouse lists records'));
        },
        pagesOffMs: config.RETRY_SLOW_MS,
        observer: traceCalls(observers?.warehouse(id), tracing),
        onOutcome: (operation, error) => notes.note(id, operation, error),
        shared: createSharedToken(store.tokens, tenant),
        proxies: config,
        timeoutMs: config.WAREHOUSE_TIMEOUT_MS,
      });
      return [tenant, warehouse];
    }),
  );
  const known = (id: string) => {
    const tenant = findTenant(tenants, id);
    return tenant && opened.get(tenant);
  };
  const find = (tenant: string) => {
    const found = known(tenant);
    if (found) return found;
    throw new DocklineError('ERR_WAREHOUSE_UNAUTHENTICATED', `no warehouse is configured for tenant ${tenant}`);
  };
  const all = [...opened.values()];
  const pool = createDestinationPool(
    createManagedDestinations(store.destinations, config.DESTINATION_KEYS, tenants),
    contextOf(config, tracing),
  );
  return {
    warehouseOf: (tenant: string, onAnswer: OnAnswer): Warehouse => find(tenant).observed(onAnswer),
    listingOf: (tenant: string): Listing => find(tenant),
    destinationOf: async (
      tenant: string,
      identity: Identity,
      how?: { readonly isLatest: boolean },
    ): Promise<Receiver> => {
      find(tenant);
      return await pool.find({ tenant, id: identity }, how);
    },
    isFree: (tenant: string, calls: number) => known(tenant)?.isFree(calls) ?? false,
    retrieving(events: number): Disposable {
      retrieving += events;
      return {
        [Symbol.dispose]() {
          retrieving -= events;
        },
      };
    },
    calls: () => all.reduce((sum, warehouse) => sum + warehouse.calls(), 0),
    async close() {
      await notes.close();
      await pool.close();
      await Promise.all(all.map((it) => it.close()));
    },
  };
}
