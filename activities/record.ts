import type { EnrichedChange, ResourceKind } from '../src/domain/enrichment.ts';
import type { Change, Lifecycle } from '../src/domain/lifecycle.ts';
import type { SubjectRef } from '../src/domain/subject.ts';
import type { ActivityDeps, Announcement, AnnouncementInput, Recollection, Resources } from './ports.ts';

/** A lifecycle as it stands after its changes. */
export interface RecordInput {
  readonly subject: SubjectRef;
  readonly lifecycle: Lifecycle;
  readonly changes: readonly EnrichedChange[];
}

/** What came of recording. */
export interface Recorded {
  /** Ids of the announcements that are left to be sent, in order. */
  readonly left: readonly string[];
  /** What stands instead, because something else was recorded before; nothing was written. */
  readonly overtaken?: Recollection;
}

/** Writes the read model and one announcement for each change. */
export async function record(deps: ActivityDeps, { subject, lifecycle, changes }: RecordInput): Promise<Recorded> {
  const announcements: Announcement[] = [];
  const find = findOnce(deps, subject.tenant);
  for (const { change, resources } of changes) {
    const bodies = await bodiesOf(find, resources);
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
  const overtaken = await deps.subjects.record(subject, lifecycle, announcements);
  return overtaken ? { left: [], overtaken } : { left: announcements.map(({ id }) => id) };
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

type Find = (kind: ResourceKind, id: string) => ReturnType<Resources['find']>;

/** Changes of one batch share most of their resources. */
function findOnce({ resources }: ActivityDeps, tenant: string): Find {
  const found = new Map<string, ReturnType<Find>>();
  return (kind, id) => {
    const key = `${kind} ${id}`;
    const resource = found.get(key) ?? resources.find(tenant, kind, id);
    found.set(key, resource);
    return resource;
  };
}

async function bodiesOf(find: Find, ids: EnrichedChange['resources']): Promise<AnnouncementInput['resources']> {
  const found = await Promise.all(
    Object.entries(ids).map(async ([kind, id]) => [kind, await find(kind as ResourceKind, id)] as const),
  );
  return Object.fromEntries(found.flatMap(([kind, resource]) => (resource ? [[kind, resource.body]] : [])));
}
