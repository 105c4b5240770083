import { readId, readText } from '../../domain/wire-values.ts';
import type { Parts } from './parts.ts';
import { isPlainId, readObject } from './values.ts';

interface LinkedIds {
  /** Absent for the system, whose id is -1. */
  readonly userId?: string;
  readonly pickJobId?: string;
}

/** The deepest known is `links → "uiproperties/user" → LastModifiedBy`. */
const LINK_DEPTH = 4;

/** Far more than a message has. */
const LINKS_LIMIT = 1000;

const PICK_JOB = /\/pickjobs\/([^/?#]+)/i;
const USER = /\/uiproperties\/users\/([^/?#]+)/i;

/** In a message's links or else in the resource itself; the message may be about the job. */
export function findLinkedIds({ resource, links, data, body }: Parts): LinkedIds {
  const found = allLinks({ links, body });
  const userId = usable(
    findId(found.filter(isOfLastModifier), USER) ??
      findId(found, USER) ??
      body('readonly', 'lastmodifiedbyidentifier', 'id'),
  );
  const own = PICK_JOB.exec(readText(resource('href')) ?? '')?.[1];
  const pickJobId = usable(own ?? findId(found, PICK_JOB) ?? data('pickjobid'));
  return { ...(userId && { userId }), ...(pickJobId && { pickJobId }) };
}

export function findLinkedId(parts: Pick<Parts, 'links' | 'body'>, pattern: RegExp): string | undefined {
  return usable(findId(allLinks(parts), pattern));
}

export const findLinkedPaths = (parts: Pick<Parts, 'links' | 'body'>): readonly string[] =>
  allLinks(parts).flatMap(([name, path]) => (/^rel$/i.test(name) ? [] : [path]));

const allLinks = ({ links, body }: Pick<Parts, 'links' | 'body'>): Link[] => [
  ...linksIn(readObject(links)),
  ...linksIn(readObject(body('_links'))),
];

type Link = readonly [name: string, path: string];

function linksIn(object: Readonly<Record<string, unknown>>): readonly Link[] {
  const links: Link[] = [];
  const collect = (members: Readonly<Record<string, unknown>>, depth: number): void => {
    for (const [name, value] of Object.entries(members)) {
      if (links.length === LINKS_LIMIT) return;
      if (typeof value === 'string') links.push([name, value]);
      else if (depth < LINK_DEPTH) collect(readObject(value), depth + 1);
    }
  };
  collect(object, 0);
  return links;
}

/** A resource may link its creator, too. */
const isOfLastModifier = ([name]: Link): boolean => name.toLowerCase() === 'lastmodifiedby';

function findId(links: readonly Link[], pattern: RegExp): string | undefined {
  for (const [, path] of links) {
    const [, id] = pattern.exec(path) ?? [];
    if (readId(id)) return id;
  }
  return undefined;
}

function usable(value: unknown): string | undefined {
  const id = readId(value);
  return id && isPlainId(id) ? id : undefined;
}
