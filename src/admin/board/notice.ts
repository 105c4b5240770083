import { html, type Markup } from './html.ts';

export interface Notice {
  readonly text: string;
  readonly isBad: boolean;
  /** Until the action's result replaces this notice. */
  readonly isPending?: boolean;
}

/** Until the reader leaves the page. */
export const notice = (done: Notice | undefined): Markup | null =>
  done === undefined
    ? null
    : html`<p class="${done.isBad ? 'problem' : 'notice'}" role="status" id="notice"${!done.isPending && html` data-stays`}>${done.text}</p>`;

export const problemNotice = (problem: string): Markup =>
  html`<p class="problem" role="alert" id="notice" data-stays>${problem}</p>`;
