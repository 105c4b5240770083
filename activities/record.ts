import type { Change, Lifecycle } from '../src/domain/lifecycle.ts';
import type { SubjectRef } from '../src/domain/subject.ts';
import type { ActivityDeps, AnnouncementInput, Recollection, ResourceKind } from './ports.ts';

/** A change together with the resources that its announcement is enriched with. */
export interface EnrichedChange {
  readonly change: Change;
  /** Ids of stored resources, by kind. */
  readonly resources: { readonly [K in ResourceKind]?: string };
}

/** A lifecycle as it stands after its changes. */
export interface RecordInput {
  readonly subject: SubjectRef;
  readonly lifecycle: Lifecycle;
  readonly changes: readonly EnrichedChange[];
}

/** Writes the read model and one announcement for each change, and returns the announcements' ids in order. */
export async function record(deps: ActivityDeps, { subject, lifecycle, changes }: RecordInput): Promise<string[]> {
  const announcements = await Promise.all(
    changes.map(async ({ change, resources }) =>
      deps.compose({ subject, change, lifecycle, resources: await bodiesOf(deps, subject.tenant, resources) }),
    ),
  );
  await deps.subjects.record(subject, lifecycle, announcements);
  return announcements.map(({ id }) => id);
}

/** What an earlier run left of the subject, or null for one that is new. */
export async function recall(deps: ActivityDeps, subject: SubjectRef): Promise<Recollection | null> {
  return (await deps.subjects.recall(subject)) ?? null;
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
