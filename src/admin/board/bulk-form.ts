import { plural } from '../../base/text.ts';
import type { AuditTarget } from '../../domain/audit.ts';
import type { CountedRows } from '../../store/bounded-count.ts';
import type { BulkFilter, BulkName } from '../../store/schema.ts';
import { html, type Markup } from './html.ts';
import { number, untrusted, words } from './text.ts';

/** Words for each bulk action, and the type of its items. */
export const bulkKinds = {
  refresh: { verb: 'Refresh', doing: 'Refreshing', item: 'record', type: 'subject' },
  resend: { verb: 'Resend', doing: 'Resending', item: 'announcement', type: 'announcement' },
  repeat: { verb: 'Send again', doing: 'Sending again', item: 'announcement', type: 'announcement' },
  replay: { verb: 'Replay', doing: 'Replaying', item: 'webhook', type: 'delivery' },
} as const satisfies Record<BulkName, Readonly<Record<'verb' | 'doing' | 'item', string>> & Pick<AuditTarget, 'type'>>;

/** Counts the items of a bulk action: `7 records`. */
export const bulkItems = (action: BulkName, count: number): string => plural(count, bulkKinds[action].item);

/** Returns the number of items that were tried. */
export const triedOf = ({ done, asked, failed }: Readonly<Record<'done' | 'asked' | 'failed', number>>): number =>
  done + asked + failed;

/** Form below a list that previews an action on everything that the list's filter names. */
export const bulkForm = (
  action: BulkName,
  fields: Readonly<Record<string, string | undefined>>,
  /** Number of everything that matches. */
  { count, isMore }: CountedRows,
): Markup => {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return html`<form class="bulk" method="post" action="/board/bulk">
<input type="hidden" name="action" value="${action}">
${given.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button>${bulkKinds[action].verb} all ${isMore ? 'that match' : number(count)}…</button>
<span class="muted">Shows first what it would do.</span>
</form>`;
};

/** Id of the form that acts on what is ticked in a list. */
const CHOSEN = 'chosen';

/** Shows the box that ticks a record of a list. */
export const tickBox = (key: string, name: string): Markup =>
  html`<input type="checkbox" form="${CHOSEN}" name="keys" value="${key}" aria-label="Choose ${name}">`;

/** Form that previews an action on what is ticked. */
export const chosenForm: Markup = html`<form class="bulk" id="${CHOSEN}" method="post" action="/board/bulk">
<input type="hidden" name="action" value="refresh"><input type="hidden" name="chosen" value="yes">
<button>Refresh what is ticked…</button>
</form>`;

/** Describes the filter of a bulk action. */
export const describeFilter = (filter: BulkFilter): Markup => {
  const given = Object.entries(filter);
  if (given.length === 0) return html`everything`;
  return html`${given.map(([name, value], index) => html`${index > 0 && ', '}${words(name)}: ${untrusted(value, 200)}`)}`;
};
