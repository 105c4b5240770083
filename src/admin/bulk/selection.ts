import { subjectKey } from '../../domain/catalogue/subject.ts';
import type { DeadLetter, DeadLetters } from '../../store/tables/dead-letters.ts';
import { listQuarantined, type QuarantinedRow } from '../views/quarantine.ts';
import type { SubjectRow } from '../views/subject/row.ts';
import { listSubjects, meansOpen } from '../views/subjects.ts';
import type { Sources } from '../views/view.ts';
import { type BulkFilter, type BulkName, bulkFilters } from './filters.ts';

/** Lists that bulk actions choose from. */
export interface SelectionDeps extends Pick<Sources, 'reads'> {
  readonly deadLetters: Pick<DeadLetters, 'since'>;
}

/** Reads everything that a filter names, page by page. Leaves out items that came after `until`. */
export type Select = (filter: BulkFilter, until: number) => AsyncIterable<readonly string[]>;

/** Rows per page. */
const PAGE = 500;

/** Creates the selection of each bulk action, from the list that people see. */
export function createSelection({ deadLetters, reads }: SelectionDeps): Readonly<Record<BulkName, Select>> {
  return {
    async *refresh(given) {
      const filter = bulkFilters.refresh.parse(given);
      // The order that an index has; otherwise each page would sort everything that matches.
      const sort = filter.kind !== undefined && filter.customer === undefined ? 'oldest' : 'id';
      const rows = pages<SubjectRow>((after) =>
        listSubjects(
          { reads },
          { ...filter, ...(meansOpen(filter) && { open: 'true' }) },
          { sort, limit: PAGE, ...(after && { after }) },
        ),
      );
      // One that enters another stage meanwhile is listed again.
      const seen = new Set<string>();
      for await (const page of rows) {
        const keys = page.map(subjectKey).filter((key) => !seen.has(key));
        for (const key of keys) seen.add(key);
        yield keys;
      }
    },

    async *resend(given, until) {
      const { since = 0 } = bulkFilters.resend.parse(given);
      // In the order in which a subject's announcements are sent.
      const rows = pages<DeadLetter>((last) => {
        const after = last && { ...last.subject, revision: last.revision };
        return deadLetters.since(since, { limit: PAGE, ...(after && { after }) });
      });
      for await (const page of rows) {
        yield page.filter(({ deadLetteredAt }) => (deadLetteredAt ?? 0) <= until).map(({ id }) => id);
      }
    },

    async *replay(given, until) {
      const filter = bulkFilters.replay.parse(given);
      const rows = pages<QuarantinedRow>((last) =>
        listQuarantined({ reads }, filter, { after: last?.id ?? 0, limit: PAGE }),
      );
      for await (const page of rows) {
        yield page.filter(({ receivedAt }) => receivedAt.getTime() <= until).map(({ id }) => String(id));
      }
    },
  };
}

async function* pages<Row>(read: (last: Row | undefined) => Promise<readonly Row[]>): AsyncIterable<readonly Row[]> {
  let last: Row | undefined;
  do {
    const rows = await read(last);
    yield rows;
    last = rows.length < PAGE ? undefined : rows.at(-1);
  } while (last);
}
