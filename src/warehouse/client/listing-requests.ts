import type { Properties, PropertyName } from '../../domain/catalogue/properties.ts';
import type { SweptKind } from '../../domain/catalogue/subject.ts';
import { DocklineError } from '../../domain/errors.ts';
import type { ListedBy, ListQuery } from '../gets.ts';

type Wanted = Pick<ListQuery, 'kind' | 'since'>;

const filtersOf = ({ since }: Wanted): readonly ListedBy['filter'][] =>
  since === null ? ['open', 'all'] : ['changed', 'open', 'all'];

/** Best first; the next one is for a warehouse that refuses the one before. */
export const requestsOf = (wanted: Wanted): readonly ListedBy[] =>
  filtersOf(wanted).flatMap((filter) => [true, false].map((sorted) => ({ filter, sorted })));

/** Makes one request after the other until the warehouse neither refuses one nor ignores its filter. Rejects as the first does. */
export async function firstAccepted<T>(requests: readonly ListedBy[], request: (by: ListedBy) => Promise<T>) {
  const failures: unknown[] = [];
  let ignored: ListedBy['filter'] | undefined;
  for (const by of requests) {
    if (by.filter === ignored) continue;
    try {
      return { accepted: await request(by), failures };
    } catch (error) {
      if (!isUnapplied(error)) throw error;
      if (isUnfiltered(error)) ignored = by.filter;
      failures.push(error);
    }
  }
  throw failures[0];
}

export const isUnapplied = (error: unknown): boolean => isRefusedQuery(error) || isUnfiltered(error);

const isRefusedQuery = (error: unknown): boolean => error instanceof DocklineError && error.status === 400;

const isUnfiltered = (error: unknown): boolean =>
  error instanceof DocklineError && error.code === 'ERR_WAREHOUSE_UNFILTERED';

/** For people; undefined for nothing. */
export function describeLimitation(
  wanted: Wanted,
  by: ListedBy,
  { properties, failures }: { readonly properties: Properties; readonly failures: readonly unknown[] },
): string | undefined {
  const { kind } = wanted;
  const [best] = filtersOf(wanted);
  const property = named(`${kind}.${best === 'open' ? 'closed' : 'changed'}`, properties);
  const unapplied = [
    ...(by.filter === best ? [] : [describeUnapplied(property, failures)]),
    ...(by.sorted ? [] : [`refuses to sort by ${named(`${kind}.id`, properties)}`]),
  ];
  if (unapplied.length === 0) return undefined;
  const substitute = by.filter === 'open' ? ONLY_OPEN : ALL_PAGES;
  return `the warehouse ${unapplied.join(' and ')}${by.filter === best ? '' : substitute}`;
}

const describeUnapplied = (property: string, failures: readonly unknown[]): string =>
  failures.some(isUnfiltered) ? `ignores the filter by ${property}` : `refuses to filter by ${property}`;

/** The pages that follow are read nevertheless. */
export const describeIgnored = (kind: SweptKind, properties: Properties): string =>
  `the warehouse ignores the filter by ${named(`${kind}.changed`, properties)}${ALL_PAGES}`;

const ALL_PAGES = '; all pages were read instead';
const ONLY_OPEN = '; only open ones were listed: a closed one of which no event arrived is not found';

export function describeUnlistedIds(kind: SweptKind, properties: Properties, failure: unknown): string {
  const what = describeUnapplied(named(`${kind}.id`, properties), [failure]);
  return `the warehouse ${what}; open ones that did not change lately were not compared`;
}

const named = (name: PropertyName, properties: Properties): string =>
  `${properties[name]} (set ${name} in WAREHOUSE_PROPERTIES)`;
