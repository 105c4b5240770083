import { z } from 'zod';
import { plural, titled, words } from '../../base/text.ts';
import type { AuditTarget } from '../../domain/audit.ts';
import type { CountedRows } from '../../store/bounded-count.ts';
import type { BulkName } from '../../store/schema.ts';
import { type Filter, type Filters, isMoment } from '../queries.ts';
import { listAddress } from './addresses.ts';
import { html, type Markup } from './html.ts';
import { clock, number, untrusted } from './text.ts';

export const bulkKinds = {
  refresh: { verb: 'Refresh', item: 'record', type: 'subject' },
  resend: { verb: 'Resend', item: 'announcement', type: 'announcement' },
  replay: { verb: 'Replay', item: 'announcement', type: 'announcement' },
  reprocess: { verb: 'Reprocess', item: 'webhook', type: 'delivery' },
} as const satisfies Record<BulkName, Readonly<Record<'verb' | 'item', string>> & Pick<AuditTarget, 'type'>>;

export const bulkItems = (action: BulkName, count: number): string => plural(count, bulkKinds[action].item);

export const triedOf = ({ done, asked, failed }: Readonly<Record<'done' | 'asked' | 'failed', number>>): number =>
  done + asked + failed;

export const bulkForm = (
  action: BulkName,
  fields: Readonly<Record<string, string | undefined>>,
  { count, isMore }: CountedRows,
): Markup => {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return html`<form class="actions" method="post" action="/board/bulk">
<input type="hidden" name="action" value="${action}">
${given.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button>${bulkKinds[action].verb} all ${isMore ? 'that match' : number(count)}…</button>
<span class="muted">Shows first what it would do.</span>
</form>`;
};

export type Fields = Readonly<Record<string, string | undefined>>;

interface Filtered {
  readonly address: string;
  readonly fields: Filters;
  readonly given: Fields;
  readonly filters: Readonly<Record<string, unknown>>;
}

export const filterForm = (list: Filtered): Markup => html`<div class="chips">
<button class="chip" type="button" popovertarget="filter">+ Filter</button>${fieldsOf(list)}
${Object.entries(list.given).map(([name, value = '']) => name !== 'group' && (name !== 'kind' || list.fields.kind?.hasField) && html`<a class="chip plain" href="${listAddress(list.address, { ...list.given, [name]: undefined })}" title="Remove this filter">${sayFilter(name, value, list.fields[name])} ×</a>`)}
</div>`;

const labelOf = (name: string, { label = titled(name) }: Pick<Filter, 'label'> = {}): string => label;

export function sayFilter(name: string, value: string, filter: Filter | undefined): Markup {
  const at = filter && isMoment(filter.form) ? Date.parse(value) : Number.NaN;
  return html`${labelOf(name, filter)}: ${Number.isNaN(at) ? untrusted(filter?.words?.[value] ?? value, 40) : clock(at)}`;
}

function fieldsOf({ address, fields, given, filters }: Filtered): Markup {
  const entries = Object.entries(fields);
  const kept = entries.filter(([name, { hasField }]) => !hasField && given[name] !== undefined);
  return html`<form class="filters" id="filter" popover action="${address}">
${kept.map(([name]) => html`<input type="hidden" name="${name}" value="${given[name]}">`)}${entries.map(
  ([name, filter]) =>
    filter.hasField &&
    html`<label>${labelOf(name, filter)} ${control(name, filter, given[name], filters)}</label>
`,
)}<button>Filter</button>
</form>`;
}

function control(
  name: string,
  { form, words: named, none, placeholder }: Filter,
  value: string | undefined,
  filters: Filtered['filters'],
): Markup {
  const { enum: values } = z.toJSONSchema(form, { io: 'input' });
  if (values === undefined) {
    const hint = placeholder ?? (isMoment(form) ? '2h, 7d' : undefined);
    return html`<input name="${name}" value="${value}" maxlength="100" size="8"${hint !== undefined && html` placeholder="${hint}"`}>`;
  }
  const option = (it: string, text: string) =>
    html`<option value="${it}"${it === (value ?? '') && html` selected`}>${text}</option>`;
  return html`<select name="${name}">${option('', none?.(filters) ?? 'any')}${values.map((it) => option(String(it), named?.[String(it)] ?? words(String(it))))}</select>`;
}
