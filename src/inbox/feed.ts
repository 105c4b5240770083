import type { WarehouseEvent } from '../domain/catalogue/event.ts';
import { subjectKey } from '../domain/catalogue/subject.ts';
import type { Inbox } from './inbox.ts';

const ENDPOINT = 'reconciliation';

/** Resolves once all are durable, with whether each is new. Rejects as {@link Inbox.add} does. */
export function createFeed({ inbox }: { readonly inbox: Pick<Inbox, 'add'> }) {
  return async (
    found: readonly { readonly event: WarehouseEvent; readonly evidence: object }[],
  ): Promise<readonly boolean[]> => {
    const outcomes = await Promise.all(
      found.map(({ event, evidence }) =>
        inbox.add({
          eventId: event.id,
          endpoint: ENDPOINT,
          tenant: event.tenant,
          receivedAt: Date.now(),
          event,
          subjectKey: subjectKey({ tenant: event.tenant, kind: event.subject, id: event.subjectId }),
          body: Buffer.from(JSON.stringify(evidence)),
        }),
      ),
    );
    return outcomes.map((outcome) => outcome === 'accepted');
  };
}
