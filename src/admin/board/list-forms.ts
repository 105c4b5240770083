import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { plural, titled, words } from '../../base/text.ts';
import type { AuditTarget } from '../../domain/audit.ts';
import type { CountedRows } from '../../store/bounded-count.ts';
import type { BulkName } from '../../store/schema.ts';
import { needs } from '../access.ts';
import { type Filter, type Filters, isMoment } from '../queries.ts';
import { listAddress } from './addresses.ts';
import { html, type Markup } from './html.ts';
import { cookiesOf, keepCookie } from './session.ts';
import { clock, number, shorten, untrusted } from './text.ts';

export interface SavedView {
  readonly name: string;
  readonly query: string;
}

const COOKIE = 'dockline-views';

/** One cookie holds all. */
const MOST = 12;

/** Seconds: a year. */
const KEPT = 31_536_000;

const view = z.object({ name: z.string().trim().min(1).max(40), query: z.string().max(300) });

export function viewsOf(request: FastifyRequest): readonly SavedView[] {
  const [text = ''] = cookiesOf(request, COOKIE);
  try {
    return z
      .array(view)
      .max(MOST)
      .parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  } catch {
    return [];
  }
}

function keepViews(reply: FastifyReply, views: readonly SavedView[]): void {
  const text = Buffer.from(JSON.stringify(views.slice(-MOST))).toString('base64url');
  keepCookie(reply, COOKIE, text, KEPT);
}

const addressOf = (query: string): string => (query === '' ? '/board/subjects' : `/board/subjects?${query}`);

export function savedViewRoutes(app: FastifyInstance): void {
  app.post('/views', needs.read, (request, reply) => {
    const saved = view.parse(request.body);
    keepViews(reply, [...viewsOf(request).filter(({ name }) => name !== saved.name), saved]);
    return reply.redirect(addressOf(saved.query), 303);
  });
  app.post('/views/forget', needs.read, (request, reply) => {
    const { name } = view.pick({ name: true }).parse(request.body);
    keepViews(
      reply,
      viewsOf(request).filter((it) => it.name !== name),
    );
    return reply.redirect('/board/subjects', 303);
  });
}

export function viewForm(query: string, views: readonly SavedView[]): Markup {
  const known = views.find((it) => it.query === query);
  if (known)
    return html`<form method="post" action="/board/views/forget"><input type="hidden" name="name" value="${known.name}"><button class="quiet">Forget this view</button></form>`;
  return html`<button class="chip" type="button" popovertarget="save-view">+ Save view</button><form class="filters" id="save-view" popover method="post" action="/board/views"><input type="hidden" name="query" value="${query}"><label>Name <input name="name" maxlength="40" size="16" required></label> <button>Save</button></form>`;
}

export const bulkKinds = {
  refresh: { verb: 'Refresh', doing: 'Refreshing', item: 'record', type: 'subject' },
  resend: { verb: 'Resend', doing: 'Resending', item: 'announcement', type: 'announcement' },
  replay: { verb: 'Replay', doing: 'Replaying', item: 'announcement', type: 'announcement' },
  reprocess: { verb: 'Reprocess', doing: 'Reprocessing', item: 'webhook', type: 'delivery' },
} as const satisfies Record<BulkName, Readonly<Record<'verb' | 'doing' | 'item', string>> & Pick<AuditTarget, 'type'>>;

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

const CHOSEN = 'chosen';

export const tickBox = (key: string, name: string): Markup =>
  html`<input type="checkbox" form="${CHOSEN}" name="keys" value="${key}" aria-label="Choose ${name}">`;

export const chosenForm: Markup = html`<form class="actions" id="${CHOSEN}" method="post" action="/board/bulk">
<input type="hidden" name="action" value="refresh"><input type="hidden" name="chosen" value="yes">
<button>Refresh selected…</button>
</form>`;

export type Fields = Readonly<Record<string, string | undefined>>;

interface Filtered {
  readonly address: string;
  readonly fields: Filters;
  readonly given: Fields;
  readonly filters: Readonly<Record<string, unknown>>;
  readonly rows: readonly unknown[];
}

/** The form of all filters, and a chip for each that is given, with a link that removes it. */
export const filterForm = (list: Filtered, more?: Markup | false): Markup => html`<div class="chips">
<button class="chip" type="button" popovertarget="filter">+ Filter</button>${fieldsOf(list)}
${Object.entries(list.given).map(([name, value = '']) => name !== 'group' && (name !== 'kind' || list.fields.kind?.hasField) && html`<a class="chip plain" href="${listAddress(list.address, { ...list.given, [name]: undefined })}" title="Remove this filter">${sayFilter(name, value, list.fields[name])} ×</a>`)}
${more}
</div>`;

const labelOf = (name: string, { label = titled(name) }: Pick<Filter, 'label'> = {}): string => label;

export function sayFilter(name: string, value: string, filter: Filter | undefined): Markup {
  const at = filter && isMoment(filter.form) ? Date.parse(value) : Number.NaN;
  return html`${labelOf(name, filter)}: ${Number.isNaN(at) ? untrusted(filter?.words?.[value] ?? value, 40) : clock(at)}`;
}

function fieldsOf({ address, fields, given, filters, rows }: Filtered): Markup {
  const entries = Object.entries(fields);
  const kept = entries.filter(([name, { hasField }]) => !hasField && given[name] !== undefined);
  return html`<form class="filters" id="filter" popover action="${address}">
${kept.map(([name]) => html`<input type="hidden" name="${name}" value="${given[name]}">`)}${entries.map(
  ([name, filter]) =>
    filter.hasField &&
    html`<label>${labelOf(name, filter)} ${control(name, filter, given[name], filters)}</label>${filter.offer && offered(name, filter.offer, rows)}
`,
)}<button>Filter</button>
</form>`;
}

function control(
  name: string,
  { form, words: named, none, placeholder, offer }: Filter,
  value: string | undefined,
  filters: Filtered['filters'],
): Markup {
  const { enum: values } = z.toJSONSchema(form, { io: 'input' });
  if (values === undefined) {
    const hint = placeholder ?? (isMoment(form) ? '2h, 7d' : undefined);
    return html`<input name="${name}"${offer && html` list="${listOf(name)}"`} value="${value}" maxlength="100" size="8"${hint !== undefined && html` placeholder="${hint}"`}>`;
  }
  const option = (it: string, text: string) =>
    html`<option value="${it}"${it === (value ?? '') && html` selected`}>${text}</option>`;
  return html`<select name="${name}">${option('', none?.(filters) ?? 'any')}${values.map((it) => option(String(it), named?.[String(it)] ?? words(String(it))))}</select>`;
}

const listOf = (name: string): string => `offered-${name}`;

function offered(name: string, offer: NonNullable<Filter['offer']>, rows: readonly unknown[]): Markup {
  const values = rows.map((row) => offer(row as never));
  const known = new Map(values.flatMap(([value, name]) => (value ? [[value, name ?? value] as const] : [])));
  return html`<datalist id="${listOf(name)}">${[...known].map(([value, name]) => html`<option value="${value}">${shorten(name, 60)}</option>`)}</datalist>`;
}
