import type { Change, Lifecycle } from '../src/domain/lifecycle.ts';
import type { OrderRef } from '../src/domain/order-id.ts';
import type { ActivityDeps, AnnouncementInput, Recollection, ResourceKind } from './ports.ts';

/** A change together with the resources that its announcement is enriched with. */
export interface EnrichedChange {
  readonly change: Change;
  /** Ids of stored resources, by kind. */
  readonly resources: { readonly [K in ResourceKind]?: string };
}

/** A lifecycle as it stands after its changes. */
export interface RecordInput {
  readonly order: OrderRef;
  readonly lifecycle: Lifecycle;
  readonly changes: readonly EnrichedChange[];
}

/** Writes the read model and one announcement for each change, and returns the announcements' ids in order. */
export async function record(deps: ActivityDeps, { order, lifecycle, changes }: RecordInput): Promise<string[]> {
  const announcements = await Promise.all(
    changes.map(async ({ change, resources }) =>
      deps.compose({ order, change, lifecycle, resources: await bodiesOf(deps, order.tenant, resources) }),
    ),
  );
  await deps.orders.record(order, lifecycle, announcements);
  return announcements.map(({ id }) => id);
}

/** What an earlier run left of the order, or null for an order that is new. */
export async function recall(deps: ActivityDeps, order: OrderRef): Promise<Recollection | null> {
  return (await deps.orders.recall(order)) ?? null;
}

async function bodiesOf(
  deps: ActivityDeps,
  tenant: string,
  ids: EnrichedChange['resources'],
): Promise<AnnouncementInput['resources']> {
  const found = await Promise.all(
    Object.entries(ids).map(
      async ([kind, id]) => [kind, await deps.resources.find(tenant, kind as ResourceKind, id)] as const,
    ),
  );
  return Object.fromEntries(found.flatMap(([kind, resource]) => (resource ? [[kind, resource.body]] : [])));
}
