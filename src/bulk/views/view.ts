import { idParams } from '../../admin/queries.ts';
import { defineView, type Sources } from '../../admin/views/view.ts';
import { parseSubjectKey, subjectKey } from '../../domain/catalogue/subject.ts';
import { listQuarantined } from '../../inbox/views/quarantine.ts';
import { hasOneOf } from '../../subjects/views/filters.ts';
import { type SubjectRow, selectSubjects, toSubject } from '../../subjects/views/subject/row.ts';
import { type BulkWithReasons, bulkPage, keyOf } from './page.ts';
import { findBulk, NO_BULK, type ShownBulk, shownBulk } from './row.ts';

export const bulkView = defineView({
  call: {
    path: '/bulk/{id}',
    id: 'getBulk',
    summary: 'Shows a bulk action with its progress and failures',
    tag: 'Bulk actions',
    description:
      'Poll it to follow a bulk action: its state, how many items are done or failed, why it waits, and the first 100 failures. 404 if there is no such bulk action.',
    role: 'read',
    row: shownBulk,
    name: 'ShownBulk',
  },
  params: idParams,
  missing: NO_BULK,
  read: ({ reads }, { id }) => findBulk(reads, id),
});

export const bulkPageView = defineView({
  page: { path: '/bulk/{id}', html: bulkPage },
  params: idParams,
  missing: NO_BULK,
  async read(sources, { id }): Promise<BulkWithReasons | undefined> {
    const bulk = await findBulk(sources.reads, id);
    return bulk && { ...bulk, reasons: await reasonsOf(bulk, sources), subjects: await subjectsOf(bulk, sources) };
  },
});

async function subjectsOf({ sample, failures }: ShownBulk, { reads }: Pick<Sources, 'reads'>) {
  const keys = [...sample, ...failures.map(({ target }) => target)].map(keyOf);
  const named = keys.flatMap((key) => parseSubjectKey(key) ?? []);
  if (named.length === 0) return new Map<string, SubjectRow>();
  const rows = await selectSubjects(reads)
    .where(hasOneOf(keys.join(' ')))
    .execute();
  return new Map(rows.map((row) => [subjectKey(row), toSubject(row)]));
}

async function reasonsOf({ action, sample, confirmedAt, failures }: ShownBulk, sources: Pick<Sources, 'reads'>) {
  const ids = (confirmedAt === null ? sample : failures.map(({ target }) => target)).map(Number);
  if (action !== 'replay' || ids.length === 0) return new Map<string, string>();
  const rows = await listQuarantined(sources, { ids }, ids.length);
  return new Map(rows.map(({ id, reason }) => [String(id), reason]));
}
