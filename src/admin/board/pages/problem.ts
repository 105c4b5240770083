import { STATUS_CODES } from 'node:http';
import type { Problem } from '../../../http/problem.ts';
import { html } from '../html.ts';
import type { Page } from '../layout.ts';

/** Page for a request that was refused or failed. */
export const problemPage = ({ statusCode, message }: Problem): Page => ({
  title: STATUS_CODES[statusCode] ?? 'Problem',
  content: html`<div class="door"><h1>${STATUS_CODES[statusCode] ?? 'Problem'}</h1>
<p class="problem" role="alert">${message}</p>
<p><a href="/board">Back to the board</a></p></div>`,
});
