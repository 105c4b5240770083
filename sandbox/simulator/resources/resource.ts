import { hash } from 'node:crypto';

/** Resource in HAL: camelCase, with `_links` and `_embedded`. */
export type Resource = Readonly<Record<string, unknown>>;

/** Returns the key of a relation in `_links` and `_embedded`. */
export const relation = (name: string): string => `http://api.3plCentral.com/rels/${name}`;

/** Returns a HAL link. */
export const link = (href: string): Resource => ({ href });

/** Formats a date, from milliseconds since the epoch: `2026-02-11T10:42:19.063`, local and without an offset. */
export type LocalTime = (time: number) => string;

/** Creates the format of a warehouse whose clocks are that far ahead of UTC. */
export function createLocalTime(utcOffsetMinutes: number): LocalTime {
  return (time) => new Date(time + utcOffsetMinutes * 60_000).toISOString().slice(0, -1);
}

/** Omits the fields that are null, as the API does. */
export function omitNulls(fields: Resource): Resource {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** Omits the members that are undefined or an empty list. */
export const omitEmpty = (members: Resource): Resource =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
  );

/** Resource as it is sent. */
interface Representation {
  readonly contentType: string;
  readonly etag: string;
  readonly text: string;
}

/** Serializes a resource in PascalCase, or as HAL if the `Accept` header asks for it. */
export function represent(resource: Resource, accept: string | undefined): Representation {
  const plain = isPlain(accept);
  const text = JSON.stringify(plain ? toPascalCase(resource) : resource);
  return {
    contentType: plain ? 'application/json; charset=utf-8' : 'application/hal+json; charset=utf-8',
    etag: `"${hash('sha256', text, 'base64url').slice(0, 16)}"`,
    text,
  };
}

/** Reports whether an `Accept` header does not ask for HAL. */
export const isPlain = (accept = ''): boolean => !/hal\+json/i.test(accept);

/** Converts a camelCase name to PascalCase. */
export const capitalize = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** Converts the names of a resource. */
export function toPascalCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toPascalCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, part]) => toPascalFields(key, part)));
}

/** Lists that have a name of their own in PascalCase: that of lines has been seen, the others are guesses after it. */
const listNames: ReadonlyMap<string, string> = new Map([
  [relation('orders/item'), 'OrderItems'],
  [relation('orders/package'), 'Packages'],
  [relation('orders/packagecontent'), 'PackageContents'],
  [relation('inventory/receiveitem'), 'ReceiveItems'],
]);

/** Links and other embedded lists in PascalCase are a guess: only `TotalResults` and `ResourceList` of a page were seen. */
function toPascalFields(key: string, value: unknown): readonly (readonly [string, unknown])[] {
  if (key === '_links') {
    return [['Links', Object.entries(value as object).map(([Rel, { href }]) => ({ Rel, Href: href }))]];
  }
  if (key === '_embedded') {
    const lists: readonly (readonly [string, unknown[]])[] = Object.entries(value as object);
    return lists.map(([name, rows]) => {
      const list = listNames.get(name);
      return list
        ? [list, toPascalCase(rows)]
        : ['Items', { TotalResults: rows.length, ResourceList: toPascalCase(rows) }];
    });
  }
  return [[capitalize(key), toPascalCase(value)]];
}
