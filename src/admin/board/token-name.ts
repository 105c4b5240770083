import { localCaller } from '../access.ts';
import { html, type Markup } from './html.ts';
import { foreign } from './text.ts';

/** Names who acted by the name of the token; without tokens that is whoever uses this machine. */
export const tokenName = (name: string): Markup =>
  name === localCaller.name ? html`an operator on this machine` : foreign(name, 60);
