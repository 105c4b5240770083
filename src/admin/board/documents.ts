import { existsSync, readFileSync } from 'node:fs';
import { Lexer, Marked, type RendererObject, type Tokens } from 'marked';
import { html, type Markup, sourceOf, trusted } from './html.ts';

const folder = new URL('../../../docs/', import.meta.url);

/** Document of the folder `docs`. */
export interface Document {
  readonly title: string;
  readonly content: Markup;
}

/** Documents by what their readers do, the first ones first. Those for the developers of Dockline itself are in its repository. */
const documents = {
  Operate: [
    ...['how-do-i', 'board', 'operating', 'alerts', 'runbooks', 'deadlines', 'connect', 'configuration', 'deploying'],
    ...['maintenance', 'observability', 'capacity', 'security'],
  ],
  Receive: ['events', 'receiving', 'temporal'],
  Develop: ['administrative-api', 'simulator', 'glossary'],
};

/** Documents that are there, by their names without the ending; none where the folder was not installed. */
export const documentGroups = Object.entries(documents).map(([title, names]) => ({
  title,
  documents: names
    .filter((name) => existsSync(new URL(`${name}.md`, folder)))
    .map((name) => ({ name, title: titleIn(read(name)) })),
}));

/** Names of all of them. */
export const documentNames: readonly string[] = documentGroups.flatMap((group) =>
  group.documents.map(({ name }) => name),
);

function read(name: string): string {
  return readFileSync(new URL(`${name}.md`, folder), 'utf8');
}

function titleIn(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? '';
}

/** Reads a document; undefined if there is none of that name. */
export function readDocument(name: string): Document | undefined {
  if (!documentNames.includes(name)) return undefined;
  const text = read(name);
  const content = trusted(markdown.parse(text, { async: false }));
  return { title: titleIn(text), content };
}

/** Part of a document from a heading to the next. */
export interface Section {
  readonly name: string;
  readonly title: string;
  readonly heading: string;
  readonly anchor: string;
  /** Its text, without Markdown. */
  readonly text: string;
}

/** Reads the sections of all documents. */
export const readSections = (): readonly Section[] =>
  documentNames.flatMap((name) => {
    const text = read(name);
    const title = titleIn(text);
    const sections: { heading: string; text: string }[] = [];
    for (const token of new Lexer().blockTokens(text)) {
      if (token.type === 'heading') sections.push({ heading: token.text.replaceAll('`', ''), text: '' });
      const last = sections.at(-1);
      if (last && token.type !== 'heading') last.text += plain(token.type === 'code' ? token.text : token.raw);
    }
    return sections.map((section) => ({ ...section, name, title, anchor: anchorOf(section.heading) }));
  });

/** Leaves out links and marks of Markdown. */
const plain = (source: string): string =>
  `${source} `
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s*\|[-|\s]*/g, ' · ')
    .replaceAll(/\s+/g, ' ');

/** Returns the anchor of a heading, as repository pages have it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** Returns the address of a link between documents on the board; undefined for one that leads out of the folder. */
function addressOf(href: string): string | undefined {
  if (/^(#|https:)/.test(href)) return href;
  const [, name = '', anchor = ''] = /^(?:\.\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  return documentNames.includes(name) ? `/board/docs/${name}${anchor}` : undefined;
}

/** Headings have anchors, tables scroll, pictures of the board are left out, and so are links to what is not served. */
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

/** Links to a part of a document, if the documents were installed. */
export const documentLink = (name: string, anchor: string, text: string): Markup | false =>
  documentNames.includes(name) && html`<a href="/board/docs/${name}#${anchor}">${text}</a>`;
