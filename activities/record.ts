import type { Change, Lifecycle } from '../src/domain/lifecycle.ts';
import type { SubjectRef } from '../src/domain/subject.ts';
import type { ActivityDeps, Announcement, AnnouncementInput, Recollection, ResourceKind } from './ports.ts';

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
  const announcements: Announcement[] = [];
  for (const { change, resources } of changes) {
    const bodies = await bodiesOf(deps, subject.tenant, resources);
    const payload = await keepPayload(deps, subject, change);
    announcements.push(
      deps.compose({
        subject,
        change,
        lifecycle,
        resources: { ...bodies, ...(payload && { [subject.kind]: payload }) },
      }),
    );
  }
  await deps.subjects.record(subject, lifecycle, announcements);
  return announcements.map(({ id }) => id);
}

/** What an earlier run left of the subject, or null for one that is new. */
export async function recall(deps: ActivityDeps, subject: SubjectRef): Promise<Recollection | null> {
  return (await deps.subjects.recall(subject)) ?? null;
}

/** The resource that came with the event; where that is newer than what is kept, it is kept, since no GET would bring it again. */
async function keepPayload(
  deps: ActivityDeps,
  { tenant, kind, id }: SubjectRef,
  { event, late }: Change,
): Promise<string | undefined> {
  if (!event?.shown) return undefined;
  const payload = await deps.payloads.find(event.id);
  if (payload && !late) await deps.resources.put(tenant, kind, id, payload);
  return payload;
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
