import type { Retrieved, RetrieveInput } from '../activities/retrieve.ts';
import type { Operation } from '../src/domain/catalogue.ts';
import type { SignaledEvent } from '../src/domain/event.ts';
import { observe } from '../src/domain/lifecycle.ts';
import { retrievalOf } from '../src/domain/subject.ts';
import type { ActivityProxies } from './activities.ts';
import { type LifeState, note, take } from './state.ts';
import { brief, describeRetrieval } from './timeline.ts';
import { show } from './visibility.ts';

/** Takes in all that waits: one retrieval for the whole batch, one observation. */
export async function takeIn(state: LifeState, { retrieve }: Pick<ActivityProxies, 'retrieve'>): Promise<void> {
  const batch = [...state.queue];
  const refreshes = state.refreshesAsked;
  const fresh = batch.filter(({ id }) => !state.lifecycle.seen.includes(id));
  const request = requestOf(state, fresh, refreshes > state.refreshesDone);
  const retrieved =
    request.plan.length > 0
      ? await retrieve.executeWithOptions({ summary: summaryOf(request, fresh) }, [request])
      : undefined;

  state.queue.splice(0, batch.length);
  state.refreshesDone = refreshes;
  if (retrieved) noteRetrieval(state, request, retrieved);
  take(state, observe(state.lifecycle, fresh, retrieved?.snapshot ?? null), retrieved);
  show(state);
}

function requestOf({ subject }: LifeState, events: readonly SignaledEvent[], refreshing: boolean): RetrieveInput {
  const plan = new Set<Operation>([
    ...(refreshing ? [retrievalOf[subject.kind]] : []),
    ...events.flatMap((event) => event.plan),
  ]);
  const userIds = new Set(
    events.flatMap((event) => (event.userId && event.plan.includes('getUser') ? [event.userId] : [])),
  );
  const pickJobId = events.findLast((event) => event.pickJobId)?.pickJobId;
  return { subject, plan: [...plan], userIds: [...userIds], ...(pickJobId && { pickJobId }) };
}

const summaryOf = ({ plan }: RetrieveInput, events: readonly SignaledEvent[]): string =>
  `${plan.join(', ')} for ${brief([...new Set(events.map(({ name }) => name))]) || 'a refresh'}`;

function noteRetrieval(state: LifeState, { plan }: RetrieveInput, { refused }: Retrieved): void {
  state.refused = refused;
  note(state, describeRetrieval(Date.now(), plan, refused));
}
