import type { Actor } from '../../domain/audit.ts';
import { html, type Markup } from './html.ts';
import { untrusted } from './text.ts';

export const actorName = ({ token, operator }: Actor): Markup =>
  operator === null
    ? untrusted(token, 60)
    : html`${untrusted(operator, 60)} <span class="muted">${untrusted(token, 60)}</span>`;
