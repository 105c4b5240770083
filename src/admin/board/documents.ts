import { readdirSync, readFileSync } from 'node:fs';
import { Marked, type RendererObject, type Tokens } from 'marked';
import { html, type Markup, sourceOf, trusted } from './html.ts';

const folder = new URL('../../../docs/', import.meta.url);

/** Document of the folder `docs`. */
export interface Document {
  readonly title: string;
  readonly content: Markup;
}

/** Names of the documents, without their ending; none where the folder was not installed. */
export const documentNames: readonly string[] = listNames();

function listNames(): readonly string[] {
  try {
    return readdirSync(folder).flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -'.md'.length)] : []));
  } catch {
    return [];
  }
}

/** Reads a document; undefined if there is none of that name. */
export function readDocument(name: string): Document | undefined {
  if (!documentNames.includes(name)) return undefined;
  const text = readFileSync(new URL(`${name}.md`, folder), 'utf8');
  const content = trusted(markdown.parse(text, { async: false }));
  return { title: /^# (.+)$/m.exec(text)?.[1] ?? name, content };
}

/** Returns the anchor of a heading, as repository pages have it. */
export const anchorOf = (heading: string): string =>
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
