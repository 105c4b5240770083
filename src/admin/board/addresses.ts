import { capitalized, titled } from '../../base/text.ts';
import type { AuditTarget } from '../../domain/audit.ts';
import {
  collectionOf,
  parseSubjectKey,
  recordName,
  type SubjectKind,
  type SubjectRef,
} from '../../domain/catalogue/subject.ts';
import { mainKind } from '../../domain/kinds/kinds.ts';
import { type DestinationRef, REMOVED } from '../../domain/routing.ts';
import { html, type Markup } from './html.ts';
import { untrusted } from './text.ts';

export const subjectAddress = ({ tenant, kind, id }: SubjectRef): string =>
  `/board/subjects/${[tenant, kind, id].map(encodeURIComponent).join('/')}`;

export const announcementAddress = (id: string): string =>
  `/board/announcements/${id.split('/').map(encodeURIComponent).join('/')}`;

export const destinationAddress = ({ tenant, name }: DestinationRef): string =>
  `/board/destinations/${encodeURIComponent(tenant)}/${encodeURIComponent(name)}`;

export const destinationLink = (ref: DestinationRef): Markup =>
  ref.name.endsWith(REMOVED) ? html`${ref.name}` : html`<a href="${destinationAddress(ref)}">${ref.name}</a>`;

export const bulkAddress = (id: number | string): string => `/board/bulk/${id}`;

export function listAddress(path: string, fields: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** If it is one of the board, or else its first page. */
export function ownAddress(asked: unknown): string {
  if (typeof asked !== 'string' || !URL.canParse(asked, 'http://board')) return '/board';
  const { origin, pathname, search } = new URL(asked, 'http://board');
  return origin === 'http://board' && /^\/board(\/|$)/.test(pathname) ? pathname + search : '/board';
}

/** Where a form that is on several pages leads. */
export const backIn = (form: unknown, usual?: string): string =>
  ownAddress((form as { back?: unknown } | null)?.back ?? usual);

export const sectionOf = (kind: SubjectKind = mainKind) => (kind === mainKind ? 'orders' : 'inventory');

export const titleOf = (kind: SubjectKind): string => titled(collectionOf[kind]);

export const nameOf = (subject: SubjectRef): string => capitalized(recordName(subject));

export function subjectLink(
  key: string,
  {
    referenceNumber,
    customerName,
  }: { readonly referenceNumber?: string | null; readonly customerName?: string | null } = {},
): Markup {
  const subject = parseSubjectKey(key);
  if (!subject) return untrusted(key, 60);
  const name = referenceNumber ?? nameOf(subject);
  return html`<a href="${subjectAddress(subject)}" title="${nameOf(subject)}">${untrusted(name, 60)}</a>${customerName != null && html` <span class="muted">${untrusted(customerName, 40)}</span>`}`;
}

export function targetLink({ type, id }: AuditTarget): Markup {
  if (type === 'subject') return subjectLink(id);
  if (type === 'announcement') return html`<a href="${announcementAddress(id)}">${untrusted(id)}</a>`;
  if (type === 'delivery') return html`<a href="/board/deliveries/${id}">Webhook ${id}</a>`;
  if (type === 'warehouse') return html`Warehouse ${untrusted(id, 60)}`;
  if (type === 'destination') {
    const [tenant = '', name = ''] = id.split(' ');
    return html`<a href="${destinationAddress({ tenant, name })}">Destination ${untrusted(name)}</a>`;
  }
  return type === 'bulk' ? html`<a href="${bulkAddress(id)}">Bulk action ${id}</a>` : untrusted(id);
}
