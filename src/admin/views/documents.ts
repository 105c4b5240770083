import { z } from 'zod';
import { found } from '../../http/problem.ts';
import { type Passage, searchDocuments } from '../board/document-search.ts';
import { documentGroups, readDocument } from '../board/documents.ts';
import { html, type Markup } from '../board/html.ts';
import type { Page } from '../board/layout.ts';
import type { View } from './view.ts';

/** Page that answers most questions; it leads to the others. */
const FIRST = 'how-do-i';

/** Text of the search field, which may be empty. */
const query = z.object({ text: z.string().trim().max(300).default('') });

const pageOf = (name: string): Page => {
  const { title, content } = found(readDocument(name), 'There is no such document.');
  return { title, section: 'help', content: html`${guide('', name)}<article class="document">${content}</article>` };
};

const resultsOf = (asked: string): Page => ({
  title: 'Help',
  section: 'help',
  content: html`${guide(asked)}<article class="document"><h1>Results for ${asked}</h1>${results(searchDocuments(asked))}</article>`,
});

const guide = (asked: string, current?: string): Markup => html`<div class="help">
<form role="search" aria-label="Documents" action="/board/docs"><label>Search the documents <input name="text" type="search" value="${asked}" maxlength="300" required></label> <button>Search</button></form>
<nav aria-label="Documents">${documentGroups.map((group) => html`<h2>${group.title}</h2><ul class="links">${group.documents.map(({ name, title }) => html`<li><a href="/board/docs/${name}"${name === current && html` aria-current="page"`}>${title}</a></li>`)}</ul>`)}</nav>
</div>
`;

const results = (passages: readonly Passage[]): Markup =>
  passages.length === 0
    ? html`<p class="empty">No section has all of these words.</p>`
    : html`<ol class="passages">${passages.map(({ name, title, heading, anchor, excerpt }) => html`<li><a href="/board/docs/${name}#${anchor}">${heading === title ? title : html`${title}: ${heading}`}</a><p>${excerpt}</p></li>`)}</ol>`;

/** Documents, for those who cannot or may not look for them elsewhere. */
export const documentView: View = {
  pages: [
    {
      path: '/docs',
      role: 'read',
      open: () => async (asked) => {
        const { text } = query.parse(asked.query);
        return text === '' ? pageOf(FIRST) : resultsOf(text);
      },
    },
    {
      path: '/docs/{name}',
      role: 'read',
      open: () => async (asked) => pageOf(z.object({ name: z.string() }).parse(asked.params).name),
    },
  ],
};
