import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Marked, type RendererObject, type Tokens } from 'marked';
import { z } from 'zod';
import { found } from '../../http/problem.ts';
import type { View } from '../views/view.ts';
import { html, type Markup, sourceOf, trusted } from './html.ts';
import type { Page } from './layout.ts';

const folder = new URL('../../../docs/', import.meta.url);

/** In the order of the page, without those for Dockline's developers. */
const documents = {
  Operate: [
    ...['how-do-i', 'board', 'operating', 'alerts', 'runbooks', 'deadlines', 'connect', 'configuration', 'deploying'],
    ...['maintenance', 'observability', 'capacity', 'benchmarks', 'security'],
  ],
  Receive: ['events', 'receiving', 'connectors', 'temporal'],
  Develop: ['administrative-api', 'simulator', 'glossary'],
};

/** Empty where the folder was not installed. */
export const documentGroups = Object.entries(documents).map(([title, names]) => ({
  title,
  documents: names
    .filter((name) => existsSync(new URL(`${name}.md`, folder)))
    .map((name) => ({ name, title: titleIn(read(name)) })),
}));

export const documentNames: readonly string[] = documentGroups.flatMap((group) =>
  group.documents.map(({ name }) => name),
);

function read(name: string): string {
  return readFileSync(new URL(`${name}.md`, folder), 'utf8');
}

function titleIn(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? '';
}

export function readDocument(name: string) {
  if (!documentNames.includes(name)) return undefined;
  const text = read(name);
  const content = trusted(markdown.parse(text, { async: false }));
  return { title: titleIn(text), content };
}

/** Anchors are those of pages of the repository. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

/** Undefined for a link out of the folder. */
function addressOf(href: string): string | undefined {
  if (/^(#|https:)/.test(href)) return href;
  const [, name = '', anchor = ''] = /^(?:\.\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  return documentNames.includes(name) ? `/board/docs/${name}${anchor}` : undefined;
}

/** Headings have anchors, tables scroll, pictures of the board and links to what is not served are left out. */
const renderer: RendererObject = {
  heading({ tokens, depth, text }: Tokens.Heading) {
    return `<h${depth} id="${anchorOf(text.replaceAll('`', ''))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
  },
  link({ href, tokens }: Tokens.Link) {
    const text = this.parser.parseInline(tokens);
    const address = addressOf(href);
    return address === undefined
      ? text
      : `<a href="${address}"${address.startsWith('https:') ? ' rel="noreferrer"' : ''}>${text}</a>`;
  },
  image: () => '',
  code({ text, lang }: Tokens.Code) {
    return lang === 'mermaid' ? '' : sourceOf(html`<pre class="body">${text}</pre>`);
  },
  html: () => '',
};

const markdown = new Marked({ renderer });

/** False if they were not installed. */
export const documentLink = (name: string, anchor: string, text: string): Markup | false =>
  documentNames.includes(name) && html`<a href="/board/docs/${name}#${anchor}">${text}</a>`;

/** Answers most questions, and leads to the other pages. */
const FIRST = 'how-do-i';

const pageOf = (name: string): Page => {
  const { title, content } = found(readDocument(name), 'There is no such document.');
  return {
    title,
    section: 'help',
    content: html`<nav class="help" aria-label="Documents">${documentGroups.map((group) => html`<h2>${group.title}</h2><ul class="legend">${group.documents.map((it) => html`<li><a href="/board/docs/${it.name}"${it.name === name && html` aria-current="page"`}>${it.title}</a></li>`)}</ul>`)}</nav>
<article class="document">${content}</article>`,
  };
};

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

/** JSON text of the description of the administrative API and of the announcements, OpenAPI 3.1. */
export const readOpenApi = (): Promise<Buffer> => readFile(new URL('openapi.json', folder));
