import { plural } from '../../base/text.ts';
import type { AuditTarget } from '../../domain/audit.ts';
import type { CountedRows } from '../../store/bounded-count.ts';
import type { BulkName } from '../../store/schema.ts';
import { html, type Markup } from './html.ts';
import { number } from './text.ts';

export const bulkKinds = {
  refresh: { verb: 'Refresh', doing: 'Refreshing', item: 'record', type: 'subject' },
  resend: { verb: 'Resend', doing: 'Resending', item: 'announcement', type: 'announcement' },
  repeat: { verb: 'Send again', doing: 'Sending again', item: 'announcement', type: 'announcement' },
  replay: { verb: 'Replay', doing: 'Replaying', item: 'webhook', type: 'delivery' },
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
