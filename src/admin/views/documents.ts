import { z } from 'zod';
import { found } from '../../http/problem.ts';
import { documentGroups, readDocument } from '../board/documents.ts';
import { html, type Markup } from '../board/html.ts';
import type { Page } from '../board/layout.ts';
import type { View } from './view.ts';

/** Answers most questions, and leads to the other pages. */
const FIRST = 'how-do-i';

const pageOf = (name: string, more?: Markup): Page => {
  const { title, content } = found(readDocument(name), 'There is no such document.');
  return {
    title,
    section: 'help',
    content: html`<nav class="help" aria-label="Documents">${documentGroups.map((group) => html`<h2>${group.title}</h2><ul class="legend">${group.documents.map((it) => html`<li><a href="/board/docs/${it.name}"${it.name === name && html` aria-current="page"`}>${it.title}</a></li>`)}</ul>`)}</nav>
<article class="document">${content}${more}</article>`,
  };
};

/** For the browser's search. */
const contents = (): Markup => html`<h2 id="contents">Contents</h2>
${documentGroups.flatMap(({ documents }) =>
  documents.map(
    ({ name, title, headings }) =>
      html`<h3><a href="/board/docs/${name}">${title}</a></h3><ul>${headings.map(({ text, anchor }) => html`<li><a href="/board/docs/${name}#${anchor}">${text}</a></li>`)}</ul>`,
  ),
)}`;

export const documentView: View = {
  pages: [
    { path: '/docs', role: 'read', open: () => async () => pageOf(FIRST, contents()) },
    {
      path: '/docs/{name}',
      role: 'read',
      open: () => async (asked) => pageOf(z.object({ name: z.string() }).parse(asked.params).name),
    },
  ],
};
