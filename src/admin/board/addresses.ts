import type { AuditTarget } from '../../domain/audit.ts';
import { collectionOf, parseSubjectKey, type SubjectKind, type SubjectRef } from '../../domain/catalogue/subject.ts';
import { html, type Markup } from './html.ts';
import { capitalized, untrusted } from './text.ts';

/** Returns the address of a subject's page. */
export const subjectAddress = ({ tenant, kind, id }: SubjectRef): string =>
  `/board/subjects/${[tenant, kind, id].map(encodeURIComponent).join('/')}`;

/** Returns the address of an announcement's page. */
export const announcementAddress = (id: string): string =>
  `/board/announcements/${id.split('/').map(encodeURIComponent).join('/')}`;

/** Returns the address of a destination's page. */
export const destinationAddress = ({ tenant, name }: { readonly tenant: string; readonly name: string }): string =>
  `/board/destinations/${encodeURIComponent(tenant)}/${encodeURIComponent(name)}`;

/** Returns the address of a bulk action's page. */
export const bulkAddress = (id: number | string): string => `/board/bulk/${id}`;

/** Returns the address of a list, without the fields that are absent. */
export function listAddress(path: string, fields: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined);
  const query = new URLSearchParams(given).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** Returns an address of the board that a reader asked for, or that of its first page. */
export function ownAddress(asked: unknown): string {
  if (typeof asked !== 'string' || !URL.canParse(asked, 'http://board')) return '/board';
  const { origin, pathname, search } = new URL(asked, 'http://board');
  return origin === 'http://board' && /^\/board(\/|$)/.test(pathname) ? pathname + search : '/board';
}

/** Name of a kind of subjects, for headings. */
export const titleOf = (kind: SubjectKind): string => capitalized(collectionOf[kind]);

/** Name of one subject, such as `Order 31004581`. */
export const nameOf = ({ kind, id }: SubjectRef): string => `${capitalized(kind)} ${id}`;

/** Links to what an action was done to. */
export function targetLink({ type, id }: AuditTarget): Markup {
  const subject = type === 'subject' ? parseSubjectKey(id) : undefined;
  if (subject) return html`<a href="${subjectAddress(subject)}">${untrusted(nameOf(subject), 60)}</a>`;
  if (type === 'announcement') return html`<a href="${announcementAddress(id)}">${untrusted(id)}</a>`;
  if (type === 'delivery') return html`<a href="/board/deliveries/${id}">Webhook ${id}</a>`;
  if (type === 'warehouse') return html`Warehouse ${untrusted(id, 60)}`;
  if (type === 'destination') {
    const [tenant = '', name = ''] = id.split(' ');
    return html`<a href="${destinationAddress({ tenant, name })}">Destination ${untrusted(name)}</a>`;
  }
  return type === 'bulk' ? html`<a href="${bulkAddress(id)}">Bulk action ${id}</a>` : untrusted(id);
}
