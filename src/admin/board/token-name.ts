import type { Actor } from '../../domain/audit.ts';
import { localCaller } from '../access.ts';
import { html, type Markup } from './html.ts';
import { foreign } from './text.ts';

/** Names who acted by the name of the token; without tokens that is whoever uses this machine. */
export const tokenName = (name: string): Markup =>
  name === localCaller.name ? html`an operator on this machine` : foreign(name, 60);

/** Names who acted by the name that the holder of the token gave, if there is one, and that of the token. */
export const actorName = ({ token, operator }: Actor): Markup =>
  operator === null ? tokenName(token) : html`${foreign(operator, 60)} <span class="muted">${tokenName(token)}</span>`;
