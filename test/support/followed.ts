import pRetry from 'p-retry';
import type { Receiver } from '../../sandbox/receiver/receiver.ts';
import type { Service } from '../../src/app/service.ts';
import { type SubjectKind, subjectKey } from '../../src/domain/catalogue/subject.ts';
import type { SubjectView } from '../../src/domain/lifecycle/standing.ts';
import { isOutage } from '../../src/temporal/connection.ts';

/** Results for the subjects of one tenant. Default kind: order. */
export interface Followed {
  /** Returns the announced milestones of a subject, in order of arrival, each as `3/packed` with its marks. */
  announced(id: string, kind?: SubjectKind): string[];
  /** Returns the newest announcement of that milestone, as it was composed. */
  announcement(id: string, milestone: string, kind?: SubjectKind): Promise<ComposedAnnouncement>;
  view(id: string, kind?: SubjectKind): Promise<SubjectView>;
  workflowId(id: string, kind?: SubjectKind): string;
}

/** Members of an announcement that tests read. */
export interface ComposedAnnouncement {
  readonly type: string;
  readonly subject: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests compare it with what they expect
  readonly data: any;
}

/** Reads a tenant's results from a service and a receiver. */
export function follow(
  tenant: string,
  { service, receiver }: { readonly service: () => Service; readonly receiver: Receiver },
): Followed {
  const workflowId = (id: string, kind: SubjectKind = 'order') => subjectKey({ tenant, kind, id });
  return {
    workflowId,
    announced: (subjectId, kind) =>
      receiver
        .received()
        .filter(({ id }) => id.startsWith(`${workflowId(subjectId, kind)}/`))
        .map(
          ({ id, late, inferred }) =>
            id.split('/').slice(1).join('/') + (late ? ' late' : '') + (inferred ? ' inferred' : ''),
        ),
    async announcement(subjectId, milestone, kind) {
      const row = await service()
        .store.db.selectFrom('announcements')
        .select('body')
        .where('id', 'like', `${workflowId(subjectId, kind)}/%/${milestone}`)
        .orderBy('revision', 'desc')
        .executeTakeFirstOrThrow();
      return JSON.parse(Buffer.from(row.body).toString());
    },
    view(id, kind) {
      const handle = service().webhook.client.workflow.getHandle(workflowId(id, kind));
      // A worker with a hundred other workflows may answer after the deadline of a call.
      return pRetry(() => handle.query<SubjectView>('lifecycle'), {
        retries: 20,
        minTimeout: 100,
        maxTimeout: 1000,
        shouldRetry: ({ error }) => isOutage(error),
      });
    },
  };
}
