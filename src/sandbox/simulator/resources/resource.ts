import { createHash } from 'node:crypto';

/** A resource in the form of HAL: camelCase, with `_links` and `_embedded`. */
export type Resource = Readonly<Record<string, unknown>>;

/** The key of a kind of resource in `_links` and `_embedded`. */
export function relation(name: string): string {
  return `http://api.3plCentral.com/rels/${name}`;
}

/** A link as HAL writes it. */
export function link(href: string): Resource {
  return { href };
}

/** The fields that are not null, as the API writes them. */
export function omitNulls(fields: Resource): Resource {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** A resource on the wire. */
export interface Representation {
  readonly contentType: string;
  readonly etag: string;
  readonly text: string;
}

/** Writes a resource in the shape that the `Accept` header asks for; HAL unless it names `application/json` alone. */
export function represent(resource: Resource, accept: string | undefined): Representation {
  const plain = isPlain(accept);
  const text = JSON.stringify(plain ? toPascalCase(resource) : resource);
  return {
    contentType: plain ? 'application/json; charset=utf-8' : 'application/hal+json; charset=utf-8',
    etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 16)}"`,
    text,
  };
}

/** Whether an `Accept` header asks for `application/json` rather than HAL. */
export function isPlain(accept: string | undefined): boolean {
  return accept !== undefined && /application\/json/i.test(accept) && !/hal\+json/i.test(accept);
}

function toPascalCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toPascalCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, part]) => toPascalFields(key, part)));
}

/** Links and embedded lists in PascalCase are a guess: only `TotalResults` and `ResourceList` of a page were seen. */
function toPascalFields(key: string, value: unknown): readonly (readonly [string, unknown])[] {
  if (key === '_links') {
    return [['Links', Object.entries(value as object).map(([Rel, { href }]) => ({ Rel, Href: href }))]];
  }
  if (key === '_embedded') {
    return Object.values(value as object).map((rows) => [
      'Items',
      { TotalResults: rows.length, ResourceList: toPascalCase(rows) },
    ]);
  }
  return [[key.charAt(0).toUpperCase() + key.slice(1), toPascalCase(value)]];
}
