import { type EnrichedChange, enrich, type ResourceKind } from '../src/domain/catalogue/enrichment.ts';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import type { Change, Observed } from '../src/domain/lifecycle/lifecycle.ts';
import { describeChange } from '../src/domain/lifecycle/timeline.ts';
import type { ActivityDeps } from './ports/deps.ts';
import type { AnnouncementInput, Decision, Recording } from './ports/recording.ts';
import type { Resources } from './ports/retrieval.ts';
import type { Retrieved } from './retrieve.ts';

/** Composes one announcement for each change, with the stored resources that belong to it. */
export async function composeAll(
  deps: ActivityDeps,
  subject: SubjectRef,
  observed: Observed,
  recording: Recording,
  retrieved: Retrieved | undefined,
): Promise<Decision['announcements']> {
  const find = findOnce(recording.resources, subject.tenant);
  const { lifecycle } = observed;
  const composed: Decision['announcements'][number][] = [];
  for (const { change, resources } of enrich(subject, observed, retrieved)) {
    const bodies = await bodiesOf(find, resources);
    const payload = await storePayload(deps, subject, change, recording);
    const own = payload && { [subject.kind]: payload };
    const announcement = deps.compose({ subject, change, lifecycle, resources: { ...bodies, ...own } });
    composed.push({ ...announcement, summary: describeChange(change) });
  }
  return composed;
}

/** Returns the resource that came with the event. Stores it if it is newer than the stored one, since no GET would return it. */
async function storePayload(
  { readPayload }: ActivityDeps,
  { tenant, kind, id }: SubjectRef,
  { event, late }: Change,
  { bodyOf, resources }: Recording,
): Promise<string | undefined> {
  if (!event?.shown) return undefined;
  const body = await bodyOf(event.id);
  const payload = body && readPayload(body);
  if (payload && !late) await resources.put(tenant, kind, id, payload);
  return payload;
}

type Find = (kind: ResourceKind, id: string) => ReturnType<Resources['find']>;

/** Reads each resource once: changes of one batch share most of them. */
function findOnce(resources: Resources, tenant: string): Find {
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
