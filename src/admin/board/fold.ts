import { html, type Markup } from './html.ts';

/** Folds what takes too much of a narrow screen; on a wide one it is always shown. */
export const foldIfNarrow = (name: string, content: Markup, { isOpen = false } = {}): Markup =>
  html`<details class="fold"${isOpen && html` open`}><summary>${name}</summary>
${content}
</details>`;
