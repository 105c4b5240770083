import { parseSubjectKey } from '../../domain/catalogue/subject.ts';
import type { AuditTarget } from '../audit.ts';
import type { BulkName } from '../bulk/filters.ts';
import { announcementAddress, nameOf, subjectAddress } from './addresses.ts';
import { html, type Markup } from './html.ts';
import { foreign } from './text.ts';

/** Type of the targets of each bulk action. */
export const targetTypes = {
  refresh: 'subject',
  resend: 'announcement',
  replay: 'delivery',
} as const satisfies Record<BulkName, AuditTarget['type']>;

/** Returns the address of a bulk action's page. */
export const bulkAddress = (id: number | string): string => `/board/bulk/${id}`;

/** Links to what an action was done to. */
export function targetLink({ type, id }: AuditTarget): Markup {
  const subject = type === 'subject' ? parseSubjectKey(id) : undefined;
  if (subject) return html`<a href="${subjectAddress(subject)}">${foreign(nameOf(subject), 60)}</a>`;
  if (type === 'announcement') return html`<a href="${announcementAddress(id)}">${foreign(id)}</a>`;
  if (type === 'delivery') return html`<a href="/board/deliveries/${id}">Webhook ${id}</a>`;
  if (type === 'warehouse') return html`Warehouse ${foreign(id, 60)}`;
  return type === 'bulk' ? html`<a href="${bulkAddress(id)}">Bulk action ${id}</a>` : foreign(id);
}
