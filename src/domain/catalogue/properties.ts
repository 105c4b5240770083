import { advicePlaces } from '../kinds/advice.ts';
import type { Kind, Located } from '../kinds/kind.ts';
import { directory, families } from '../kinds/kinds.ts';
import type { Places } from '../kinds/section.ts';
import { findTenant } from '../permission.ts';
import type { RowKind, SweptKind } from './subject.ts';

const located = { ...families, ...directory };

export type ProvenKind = {
  [K in keyof typeof located]: (typeof located)[K] extends { readonly id: string }
    ? (typeof located)[K] extends { readonly retrieval: null }
      ? never
      : K
    : never;
}[keyof typeof located];

export const locationOf = (what: keyof typeof located): Located => located[what];

type RowFilter = keyof (typeof families)[RowKind]['filters'];

export type PropertyName = `${ProvenKind}.id` | `${SweptKind}.${'changed' | 'closed'}` | `${RowKind}.${RowFilter}`;

export type Properties = Readonly<Record<PropertyName, string>> & Places;

const propertiesOf = ([kind, row]: readonly [string, Partial<Kind>]): readonly (readonly [string, string])[] => {
  const { listing, filters = {}, id, retrieval } = row;
  const own = {
    ...(id && retrieval !== null && { id }),
    changed: listing?.changed,
    closed: listing?.closed,
    ...filters,
  };
  return Object.entries(own).flatMap(([name, path]) => (path ? [[`${kind}.${name}`, path] as const] : []));
};

export const createPlacesOf =
  (tenants: readonly { readonly id: string; readonly properties: Properties }[]) =>
  (tenant: string): Properties =>
    findTenant(tenants, tenant)?.properties ?? standardProperties;

/** Dotted paths of filters, of ids by which records prove which one they are, and of advices. The configuration can replace each. */
export const standardProperties = {
  ...Object.fromEntries(Object.entries<Partial<Kind>>(located).flatMap(propertiesOf)),
  ...advicePlaces,
} as Properties;
