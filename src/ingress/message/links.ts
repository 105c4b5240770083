import { type Fields, isPlainId, readFields, readText } from './fields.ts';
import type { Parts } from './parts.ts';

/** The ids of others that an event names. */
export interface LinkedIds {
  /** Who did it; absent for the system, whose id is -1. */
  readonly userId?: string;
  readonly pickJobId?: string;
}

/** How deep links are followed; the deepest seen is `links → "uiproperties/user" → LastModifiedBy`. */
const LINK_DEPTH = 4;

/** How many links are looked at; far more than a message has. */
const LINKS_LIMIT = 1000;

const USER = /\/uiproperties\/users\/([^/?#]+)/i;

/** Finds the user and the pick job in a message's links and, where those are silent, in the resource itself. */
export function findLinkedIds({ links, data, body }: Omit<Parts, 'resource'>): LinkedIds {
  const paths = allPaths({ links, body });
  const readOnly = readFields(body.get('readonly'));
  const userId = usable(
    findId(paths.filter(isOfLastModifier), USER) ??
      findId(paths, USER) ??
      readFields(readOnly.get('lastmodifiedbyidentifier')).get('id'),
  );
  const pickJobId = usable(findId(paths, /\/orders\/pickjobs\/([^/?#]+)/i) ?? data().get('pickjobid'));
  return { ...(userId && userId !== '-1' && { userId }), ...(pickJobId && { pickJobId }) };
}

/** The id that a link names, by the pattern of its path. */
export function findLinkedId({ links, body }: Pick<Parts, 'links' | 'body'>, pattern: RegExp): string | undefined {
  return usable(findId(allPaths({ links, body }), pattern));
}

const allPaths = ({ links, body }: Pick<Parts, 'links' | 'body'>): Path[] => [
  ...pathsIn(readFields(links)),
  ...pathsIn(readFields(body.get('_links'))),
];

type Path = readonly [name: string, path: string];

function pathsIn(from: Fields): readonly Path[] {
  const paths: Path[] = [];
  const collect = (fields: Fields, depth: number): void => {
    for (const [name, value] of fields.entries()) {
      if (paths.length === LINKS_LIMIT) return;
      if (typeof value === 'string') paths.push([name, value]);
      else if (depth < LINK_DEPTH) collect(readFields(value), depth + 1);
    }
  };
  collect(from, 0);
  return paths;
}

/** A resource can name who created it beside who changed it; the event is the latter's. */
const isOfLastModifier = ([name]: Path): boolean => name === 'lastmodifiedby';

function findId(paths: readonly Path[], pattern: RegExp): string | undefined {
  for (const [, path] of paths) {
    const [, id] = pattern.exec(path) ?? [];
    if (id) return id;
  }
  return undefined;
}

function usable(value: unknown): string | undefined {
  const text = readText(value);
  return text && isPlainId(text) ? text : undefined;
}
