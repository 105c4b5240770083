import type { Actor, AuditTarget } from '../domain/audit.ts';
import { type SubjectRef, subjectKey } from '../domain/catalogue/subject.ts';
import { Problem } from '../http/problem.ts';
import type { Logger } from '../observability/logger.ts';
import type { Erasable, Erasures } from '../store/erasures.ts';
import type { DeadLetters } from '../store/tables/dead-letters.ts';
import type { QuarantinedFilter } from '../store/tables/quarantined.ts';
import { type AuditEnd, type AuditLog, createAudited, describeActor, done } from './audit.ts';
import type { SubjectControl } from './ports.ts';
import { type Refreshed, refresh } from './refresh.ts';
import type { AnnouncementRow } from './views/announcements.ts';
import type { Sources } from './views/view.ts';

/** Dependencies of the actions. */
export interface ActionDeps extends Pick<Sources, 'reads'> {
  readonly deadLetters: Pick<DeadLetters, 'requeue'>;
  readonly control: Pick<SubjectControl, 'refresh' | 'release'>;
  readonly erasures: Erasures;
  /** Reads quarantined events again and ingests those that are now understood; returns their number. */
  readonly replay: (filter: QuarantinedFilter) => Promise<number>;
  readonly audit: AuditLog;
  readonly logger: Logger;
}

/** Everything that a person can change, by the API or the board. Each action is in the audit log. */
export type Actions = ReturnType<typeof createActions>;

/** Creates the actions. */
export function createActions({ reads, deadLetters, control, erasures, replay, audit, logger }: ActionDeps) {
  const audited = createAudited(audit, logger);
  const on = (subject: SubjectRef): AuditTarget => ({ type: 'subject', id: subjectKey(subject) });

  return {
    /** Fetches a subject now, and says what came of it. */
    refresh: (subject: SubjectRef, actor: Actor) =>
      audited({ action: 'refresh', target: on(subject), actor }, () => refresh(subject, { control, reads }), endOf),

    /** Clears the marks of a subject for attention. @throws Problem 409 if it has no running workflow */
    release: (subject: SubjectRef, actor: Actor) =>
      audited({ action: 'release', target: on(subject), actor }, async () => {
        const view = await control.release(subject, describeActor(actor));
        if (view) return view;
        throw new Problem(409, 'It has no running workflow, so it has no mark to clear.');
      }),

    /** Sends an announcement again. @throws Problem 409 if its destination has acknowledged it */
    resend: (announcement: AnnouncementRow, actor: Actor) =>
      audited({ action: 'resend', target: { type: 'announcement', id: announcement.id }, actor }, async () => {
        if (announcement.state === 'sent') throw new Problem(409, 'The destination has acknowledged the announcement.');
        await deadLetters.requeue([announcement.id]);
      }),

    /** Reads a quarantined delivery again; returns the number of events that are ingested. */
    replay: (id: number, actor: Actor) =>
      audited(
        { action: 'replay', target: { type: 'delivery', id: String(id) }, actor },
        () => replay({ id }),
        (ingested) => done(ingested === 0 ? 'still not understood' : null),
      ),

    /** Erases what is stored of a subject. @throws Problem 409 while events wait, or announcements are unsent */
    erase: (subject: SubjectRef, { actor, unsent }: { readonly actor: Actor; readonly unsent: boolean }) =>
      audited(
        { action: 'erase', target: on(subject), actor },
        async () => {
          const found = await erasures.erase(subject, { by: describeActor(actor), unsent });
          if (found.isErased) return found;
          throw new Problem(409, explain(found));
        },
        (it) => done(`${it.deliveries} deliveries, ${it.resources} resources, ${it.announcements} announcements`),
      ),

    /** Copies the database. */
    backUp: <T>(copy: () => Promise<T>, actor: Actor): Promise<T> =>
      audited({ action: 'backup', target: { type: 'store', id: 'database' }, actor }, copy),
  };
}

function endOf(refreshed: Refreshed): AuditEnd {
  switch (refreshed.outcome) {
    case 'done':
      return done(null);
    case 'failed':
      return { outcome: 'failed', detail: refreshed.reason };
    case 'asked':
      return { outcome: null, detail: ASKED };
  }
}

/** Words for a warehouse that has not answered yet. */
export const ASKED = 'asked, no answer yet';

const explain = ({ waiting, unsent }: Erasable): string =>
  waiting > 0
    ? `${waiting} events wait to be recorded; erase it once they are.`
    : `${unsent} announcements are not sent; erase it once they are, or erase them too with "unsent".`;
