import { html, type Markup } from './html.ts';

/** Sentence on the page after an action. */
export interface Notice {
  readonly text: string;
  readonly isBad: boolean;
}

/** Shows what was done. It stays until the reader leaves the page. */
export const notice = (done: Notice | undefined): Markup | null =>
  done === undefined
    ? null
    : html`<p class="${done.isBad ? 'problem' : 'notice'}" role="status" id="notice">${done.text}</p>`;
