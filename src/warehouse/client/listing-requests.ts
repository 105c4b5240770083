import type { ListedBy, ListQuery, SweptKind } from '../../../activities/ports/sweep.ts';
import type { Properties, PropertyName } from '../../domain/catalogue/properties.ts';
import { DocklineError } from '../../domain/errors.ts';

type Wanted = Pick<ListQuery, 'kind' | 'since'>;

/** Returns the filters for a listing, best first. */
const filtersOf = ({ since }: Wanted): readonly ListedBy['filter'][] =>
  since === null ? ['open', 'all'] : ['changed', 'open', 'all'];

/** Returns the requests for a listing, best first: the next one is made if the warehouse refuses the one before. */
export const requestsOf = (wanted: Wanted): readonly ListedBy[] =>
  filtersOf(wanted).flatMap((filter) => [true, false].map((sorted) => ({ filter, sorted })));

/** Makes one request after the other until the warehouse does not refuse one. Rejects as the first does if it refuses all. */
export async function firstAccepted<T>(
  requests: readonly ListedBy[],
  request: (by: ListedBy) => Promise<T>,
): Promise<T> {
  const refusals: unknown[] = [];
  for (const by of requests) {
    try {
      return await request(by);
    } catch (error) {
      if (!isRefusedQuery(error)) throw error;
      refusals.push(error);
    }
  }
  throw refusals[0];
}

/** Reports whether the warehouse refused the query, as it does with properties that it does not support. */
export const isRefusedQuery = (error: unknown): boolean => error instanceof DocklineError && error.status === 400;

/** Reports whether the warehouse did not apply the query. */
export const isUnfiltered = (error: unknown): boolean =>
  error instanceof DocklineError && error.code === 'ERR_WAREHOUSE_UNFILTERED';

/** Describes for people what the warehouse refused of a listing and what was done instead; undefined for nothing. */
export function describeLimitation(wanted: Wanted, by: ListedBy, properties: Properties): string | undefined {
  const { kind } = wanted;
  const [best] = filtersOf(wanted);
  const refused = [
    ...(by.filter === best
      ? []
      : [`filter by ${named(`${kind}.${best === 'open' ? 'closed' : 'changed'}`, properties)}`]),
    ...(by.sorted ? [] : [`sort by ${named(`${kind}.id`, properties)}`]),
  ];
  if (refused.length === 0) return undefined;
  const instead = by.filter === best ? '' : substitutes[by.filter === 'open' ? 'open' : 'all'];
  return `the warehouse refuses to ${refused.join(' and to ')}${instead}`;
}

const substitutes = {
  open: '; only open ones were listed: a closed one of which no event arrived is not found',
  all: '; all pages were read instead',
} as const;

/** Describes for people that a listing by ids was refused. */
export function describeRefusedIds(kind: SweptKind, properties: Properties): string {
  const property = named(`${kind}.id`, properties);
  return `the warehouse refuses to filter by ${property}; open ones that did not change lately were not compared`;
}

/** Names a property together with its setting. */
const named = (name: PropertyName, properties: Properties): string =>
  `${properties[name]} (set ${name} in WAREHOUSE_PROPERTIES)`;
