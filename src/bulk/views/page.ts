import { may } from '../../admin/access.ts';
import { bulkAddress, targetLink } from '../../admin/board/addresses.ts';
import { html, type Markup } from '../../admin/board/html.ts';
import type { Page } from '../../admin/board/layout.ts';
import { bulkItems, bulkKinds, triedOf } from '../../admin/board/list-forms.ts';
import { stageBadge } from '../../admin/board/stage.ts';
import { fact, table } from '../../admin/board/table.ts';
import { duration, number, untrusted, when } from '../../admin/board/text.ts';
import { idParams } from '../../admin/queries.ts';
import { defineView, type Shown, type Sources } from '../../admin/views/view.ts';
import { capitalized } from '../../base/text.ts';
import { parseSubjectKey, subjectKey } from '../../domain/catalogue/subject.ts';
import { listQuarantined } from '../../inbox/views/quarantine.ts';
import { hasOneOf } from '../../subjects/views/filters.ts';
import { type SubjectRow, selectSubjects, toSubject } from '../../subjects/views/subject/row.ts';
import { type BulkRow, describeFilter, findBulk, NO_BULK, type ShownBulk, shownBulk } from './row.ts';

type BulkWithReasons = ShownBulk & {
  readonly reasons: Reasons;
  readonly subjects: ReadonlyMap<string, SubjectRow>;
};

const keyOf = (item: string): string => item.replace(/\/.*/s, '');

type Reasons = ReadonlyMap<string, string>;

function bulkPage({ row: bulk, caller, now }: Shown<BulkWithReasons>): Page {
  const title = titleOf(bulk);
  return {
    title,
    section: 'audit',
    content: html`
<p><a href="/board/bulk">Bulk actions</a></p>
<h1>${title}</h1>
${standing(bulk, now)}
${may(caller, 'act') && forms(bulk)}
${facts(bulk)}
${bulk.confirmedAt === null ? samples(bulk) : failureTable(bulk, bulk.reasons)}`,
  };
}

function titleOf({ action, state, total }: BulkRow): string {
  const { verb, doing } = bulkKinds[action];
  if (state === 'running') return `${doing} ${bulkItems(action, total)}`;
  if (state === 'previewed') return `${verb} ${bulkItems(action, total)}?`;
  return `${verb} of ${bulkItems(action, total)}${state === 'done' ? '' : `: ${state}`}`;
}

function standing(bulk: BulkRow, now: number): Markup {
  const { action, state, total, failed, expiresAt, trouble } = bulk;
  const tried = `${number(triedOf(bulk))} of ${bulkItems(action, total)} tried${failed > 0 ? `, ${number(failed)} failed` : ''}${askedOf(bulk)}`;
  if (state === 'previewed') {
    return total === 0
      ? html`<p class="empty">Nothing matches.</p>`
      : html`<p>Nothing has been done yet, and nothing that comes later will be touched. The preview holds for ${duration(expiresAt.getTime() - now)}.</p>`;
  }
  if (state === 'expired')
    return html`<p>Nobody confirmed it in time, and nothing was done. Start again from the list.</p>`;
  if (state === 'running') {
    return html`<div><progress max="${total}" value="${triedOf(bulk)}" aria-label="Progress"></progress>
<p role="status">${tried}.</p></div>
${trouble !== null && html`<p class="problem">${trouble} It continues automatically.</p>`}
<noscript><p class="muted">Reload the page to see its progress.</p></noscript>`;
  }
  if (state === 'canceled' && bulk.confirmedAt === null)
    return html`<p>It was canceled before it began. Nothing was done.</p>`;
  if (state === 'canceled') return html`<p role="status">Canceled: ${tried}.</p>`;
  if (triedOf(bulk) < total)
    return html`<p role="status">${tried}. When it came to the others, they no longer matched.</p>`;
  const result = failed === 0 ? 'none failed' : `${number(bulk.done)} done, ${number(failed)} failed`;
  return html`<p role="status">All were tried: ${result}${askedOf(bulk)}.</p>`;
}

const askedOf = ({ asked }: BulkRow): string => (asked > 0 ? `, ${number(asked)} without an answer yet` : '');

function forms({ id, action, state, total }: BulkRow): Markup | null {
  const form = (name: string, label: string, isPrimary: boolean) =>
    html`<form method="post" action="${bulkAddress(id)}/${name}"><button${isPrimary && html` class="primary"`}>${label}</button></form>`;
  if (state === 'previewed') {
    return html`<div class="actions">${total > 0 && form('confirm', `${bulkKinds[action].verb} ${bulkItems(action, total)}`, true)}${form('cancel', 'Cancel', false)}</div>`;
  }
  return state === 'running' ? html`<div class="actions">${form('cancel', 'Cancel the rest', false)}</div>` : null;
}

const facts = (bulk: BulkRow): Markup => {
  const { createdAt, createdBy, confirmedAt, finishedAt } = bulk;
  return html`<dl class="facts">
${fact('Filter', describeFilter(bulk))}
${fact('Chosen', html`${when(createdAt.getTime())} by ${untrusted(createdBy, 60)}`)}
${fact('Confirmed', confirmedAt !== null && when(confirmedAt.getTime()))}
${fact('Ended', finishedAt !== null && when(finishedAt.getTime()))}
</dl>`;
};

const samples = ({ action, sample, total, reasons, subjects }: BulkWithReasons): Markup | null =>
  sample.length === 0
    ? null
    : html`<section><h2 id="sample">${total > sample.length ? `The first ${sample.length} of ${number(total)}` : 'All of them'}</h2>
${table({
  heading: 'sample',
  rows: sample.map((id) => ({ id, subject: subjects.get(keyOf(id)) })),
  columns: {
    [capitalized(bulkKinds[action].item)]: ({ id }) => targetLink({ type: bulkKinds[action].type, id }),
    [action === 'reprocess' ? 'Why' : 'Reference']: ({ id, subject }) =>
      untrusted(reasons.get(id) ?? subject?.referenceNumber ?? '', 100),
    Customer: ({ subject }) => subject && untrusted(subject.facts.customerName ?? subject.customerId ?? '', 60),
    Stage: ({ subject }) => subject && stageBadge(subject.stage, subject.kind),
  },
})}</section>`;

function failureTable({ action, failed, failures }: ShownBulk, reasons: Reasons): Markup | null {
  if (failures.length === 0) return null;
  const isPart = failed > failures.length;
  return html`<section><h2 id="failures">Failed${isPart && `: the first ${failures.length} of ${number(failed)}`}</h2>
${table({
  heading: 'failures',
  rows: failures,
  columns: {
    What: ({ target }) => targetLink({ type: bulkKinds[action].type, id: target }),
    Why: ({ target, error }) =>
      html`${untrusted(error, 300)} <span class="muted">${untrusted(reasons.get(target) ?? '', 300)}</span>`,
  },
})}</section>`;
}

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
  if (action !== 'reprocess' || ids.length === 0) return new Map<string, string>();
  const rows = await listQuarantined(sources, { id: ids }, ids.length);
  return new Map(rows.map(({ id, reason }) => [String(id), reason]));
}
