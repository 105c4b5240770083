import { html, type Markup } from './html.ts';

/** Sentence on the page after an action. */
export interface Notice {
  readonly text: string;
  readonly isBad: boolean;
  /** The result of the action is not known yet; it replaces this notice. */
  readonly isPending?: boolean;
}

/** Shows what was done. It stays until the reader leaves the page. */
export const notice = (done: Notice | undefined): Markup | null =>
  done === undefined
    ? null
    : html`<p class="${done.isBad ? 'problem' : 'notice'}" role="status" id="notice"${!done.isPending && html` data-stays`}>${done.text}</p>`;

/** Says why an action was not done. */
export const problemNotice = (problem: string): Markup =>
  html`<p class="problem" role="alert" id="notice" data-stays>${problem}</p>`;
