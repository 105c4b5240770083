import { z } from 'zod';
import { found } from '../../http/problem.ts';
import { documentNames, readDocument } from '../board/documents.ts';
import { html } from '../board/html.ts';
import type { Page } from '../board/layout.ts';
import type { View } from './view.ts';

const section = 'help';

/** Page that answers most questions; it leads to the others. */
const FIRST = 'how-do-i';

const pageOf = (name: string): Page => {
  const { title, content } = found(readDocument(name), 'There is no such document.');
  return {
    title,
    section,
    content: html`<nav aria-label="Documents"><ul class="links">${documentNames.map((it) => html`<li><a href="/board/docs/${it}"${it === name && html` aria-current="page"`}>${it.replaceAll('-', ' ')}</a></li>`)}</ul></nav>
<article class="document">${content}</article>`,
  };
};

/** Documents, for those who cannot or may not look for them elsewhere. */
export const documentView: View = {
  pages: [
    { path: '/docs', role: 'read', open: () => async () => pageOf(FIRST) },
    {
      path: '/docs/{name}',
      role: 'read',
      open: () => async (asked) => pageOf(z.object({ name: z.string() }).parse(asked.params).name),
    },
  ],
};
