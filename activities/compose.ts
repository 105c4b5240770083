import type { Embedded, OwnRecord } from '../src/destinations/announcements/announcement-data.ts';
import { type EnrichedChange, enrich, type ResourceKind } from '../src/domain/catalogue/enrichment.ts';
import { customersNamedBy, ownPartOf } from '../src/domain/catalogue/record-customer.ts';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import type { Decision } from '../src/domain/decision.ts';
import type { SavedSubject } from '../src/domain/lifecycle/attention.ts';
import { contradicts, isContradicted, NOBODY } from '../src/domain/lifecycle/customers.ts';
import type { Change, Observed } from '../src/domain/lifecycle/lifecycle.ts';
import { milestoneIn } from '../src/domain/lifecycle/milestone.ts';
import { describeChange } from '../src/domain/lifecycle/timeline.ts';
import { route } from '../src/domain/routing.ts';
import type { Resource, Resources } from '../src/subjects/tables/resources.ts';
import type { Recording } from '../src/subjects/tables/subjects.ts';
import type { ActivityDeps } from './ports/deps.ts';
import type { Retrieved } from './retrieval.ts';

interface Composition {
  readonly deps: ActivityDeps;
  readonly subject: SubjectRef;
  readonly recording: Recording;
  readonly retrieved: Retrieved | undefined;
  readonly find: Find;
}

/** With the event whose message, or the record, names another customer than the change has. */
interface Composed extends Pick<Decision, 'announcements'> {
  readonly contradicted: string | undefined;
}

export async function composeAll(
  deps: ActivityDeps,
  subject: SubjectRef,
  observed: Observed & Pick<SavedSubject, 'deadline'>,
  recording: Recording,
  retrieved: Retrieved | undefined,
): Promise<Composed> {
  const find = findOnce(recording.resources, subject.tenant);
  const { lifecycle, deadline } = observed;
  const composed: Decision['announcements'][number][] = [];
  let contradicted: string | undefined;
  for (const enriched of enrich(subject, observed, retrieved)) {
    const { change } = enriched;
    const { doubt, ...embedded } = await embed({ deps, subject, recording, retrieved, find }, enriched);
    const { kind } = subject;
    const { milestone } = change;
    const changed = await deps.changedSince(subject, milestone, embedded.advice, () =>
      newestOf(composed, change, recording),
    );
    const announcement = deps.compose({ subject, change, lifecycle, deadline, ...embedded, changed });
    const customerId = doubt === 'disputed' ? NOBODY : (change.customerId ?? (doubt ? NOBODY : null));
    if (doubt) contradicted ??= change.event?.id ?? announcement.id;
    const destinations = route(recording.destinations, { kind, milestone, customerId });
    composed.push({ ...announcement, customerId, summary: describeChange(change), destinations });
  }
  return { announcements: composed, contradicted };
}

/** Returns the body of the announcement before, if it was for the same customer. */
async function newestOf(
  composed: Decision['announcements'],
  { customerId }: Change,
  recording: Recording,
): Promise<string | undefined> {
  const before = composed.findLast(({ id }) => !milestoneIn(id).startsWith('item'));
  if (customerId === undefined) return undefined;
  if (before) return before.customerId === customerId ? before.body : undefined;
  return await recording.newestFor(customerId);
}

/** Why an announcement is without its record, though there is one. */
type Doubt = 'contradicts' | 'disputed';

async function embed(
  composition: Composition,
  enriched: EnrichedChange,
): Promise<Embedded & { readonly doubt?: Doubt }> {
  const found = await findOwn(composition, enriched);
  const [own, doubt] = typeof found === 'string' ? [undefined, found] : [found];
  const parts = await bodiesOf(composition, enriched);
  const { kind } = enriched.own;
  const resources = { ...parts, ...(own && { [kind]: own.body }) };
  const missing = [kind, ...(Object.keys(enriched.parts) as ResourceKind[])].filter((part) => !(part in resources));
  const advice = own && composition.deps.advise(composition.subject, own.body, kind === 'orderItem');
  return { resources, advice, missing, resourceFrom: own?.from ?? null, ...(doubt && { doubt }) };
}

/**
 * Finds the record of an announcement: in the message if no GET has it, or else as last retrieved. One of another
 * customer than the change is nobody's, as is whatever belongs to a change that its message contradicts.
 */
async function findOwn(composition: Composition, enriched: EnrichedChange): Promise<OwnRecord | Doubt | undefined> {
  const { event, customerId } = enriched.change;
  if (isContradicted(event, customerId)) return 'contradicts';
  const { kind, id, operation, orderItemId } = enriched.own;
  // A row of stock is what its event shows; what is on hold has an id of its own.
  const isShown = event?.shown !== undefined;
  if (isShown && operation === null && !event.carriesResource) return undefined;
  const stored = isShown ? undefined : await composition.find(kind, id);
  const wasRefused =
    composition.retrieved?.refused.some(
      (refusal) => refusal.operation === operation && (refusal.id ?? orderItemId) === orderItemId,
    ) ?? false;
  const isWanted = isShown || (event?.carriesResource && (wasRefused || !stored));
  const message = isWanted ? await readMessage(composition, enriched) : undefined;
  if (message === 'contradicts') return message;
  if (stored?.customerId === NOBODY && !message) return 'disputed';
  const earlier = stored && isOf(customerId, stored, wasRefused) ? stored : undefined;
  return message ?? (earlier && { body: earlier.body, from: wasRefused ? 'earlier' : 'warehouse' });
}

/** A stored record without a customer belongs to the one the subject had when it was retrieved. */
const isOf = (customerId: string | undefined, stored: Resource, isEarlier: boolean): boolean =>
  stored.customerId === null ? !isEarlier : stored.customerId === customerId;

/**
 * Reads the resource in an event's message, which may contradict the known customer. Stores it if no GET returns it,
 * unless a newer one is stored.
 */
async function readMessage(
  { deps, subject: { tenant }, recording }: Composition,
  { change: { event, late, customerId }, own: { kind, id } }: EnrichedChange,
): Promise<OwnRecord | 'contradicts' | undefined> {
  const bytes = event && (await recording.bodyOf(event.id));
  const body = bytes && deps.readPayload(bytes);
  if (body === undefined) return undefined;
  if (customersNamedBy(body).some((named) => contradicts(named, customerId))) return 'contradicts';
  if (event?.shown && !late) await recording.resources.put(tenant, kind, id, body, customerId);
  return { body, from: 'message' };
}

type Find = (kind: ResourceKind, id: string) => ReturnType<Resources['find']>;

/** Changes of one batch share most resources. */
function findOnce(resources: Resources, tenant: string): Find {
  const found = new Map<string, ReturnType<Find>>();
  return (kind, id) => {
    const key = `${kind} ${id}`;
    const resource = found.get(key) ?? resources.find(tenant, kind, id);
    found.set(key, resource);
    return resource;
  };
}

async function bodiesOf(
  { find, subject }: Composition,
  { parts, change: { customerId } }: EnrichedChange,
): Promise<Embedded['resources']> {
  const found = await Promise.all(
    Object.entries(parts).map(async ([kind, id]) => [kind, id && (await find(kind as ResourceKind, id))] as const),
  );
  return Object.fromEntries(
    found.flatMap(([kind, resource]) => {
      const orderId = kind === 'pickList' ? subject.id : undefined;
      const body = resource && ownPartOf({ customerId, orderId }, resource.body);
      return body === undefined ? [] : [[kind, body]];
    }),
  );
}
