import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import { parseJson } from '../../base/json.ts';
import { Problem } from '../../http/problem.ts';

/** Of an index; together they tell all rows apart. */
export interface Order {
  readonly by: readonly Ordered[];
  /** Number of them that the index has. Default: all. */
  readonly indexed?: number;
  readonly isDescending?: boolean;
}

interface Ordered {
  readonly type: 'number' | 'string';
  readonly column: RawBuilder<unknown>;
}

const by =
  <Value>(type: Ordered['type']) =>
  (column: string | RawBuilder<Value>): Ordered => ({
    type,
    column: typeof column === 'string' ? sql.ref(column) : column,
  });

export const byNumber = by<number>('number');
export const byText = by<string>('string');

export const newestFirst: Order = { by: [byNumber('id')], isDescending: true };

export type Place = readonly (string | number)[];

const values = z.array(z.union([z.string().regex(/^[^\0]*$/), z.int().nonnegative()])).min(1);

const NO_PLACE = 'must be the "next" of an earlier page';

/** JSON of a {@link Place}. */
export const placeForm = z
  .string()
  .max(2000, NO_PLACE)
  .meta({ examples: ['["9104","order","31004581"]'] })
  .transform((text, context): Place => {
    const { data } = values.safeParse(parseJson(text));
    if (data) return data;
    context.addIssue({ code: 'custom', message: NO_PLACE });
    return z.NEVER;
  });

interface WantedPage {
  readonly after?: Place | undefined;
  readonly limit: number;
}

export function pageOf<Tables, Table extends keyof Tables, Row>(
  rows: SelectQueryBuilder<Tables, Table, Row>,
  { by, indexed = by.length, isDescending = false }: Order,
  { after, limit }: WantedPage,
) {
  if (after && (after.length !== by.length || by.some(({ type }, index) => typeof after[index] !== type)))
    throw new Problem(400, `after ${NO_PLACE}`);
  const ordered = by.reduce((it, { column }) => it.orderBy(column, isDescending ? 'desc' : 'asc'), rows);
  return (after ? ordered.where(isBehind(after, { by, indexed, isDescending })) : ordered)
    .select(by.map(({ column }, index) => column.as(nameOf(index))))
    .limit(limit);
}

/** Without what shares the last row's indexed values: by both together PostgreSQL does not search the index. */
function isBehind(after: Place, { by, indexed, isDescending }: Required<Order>): RawBuilder<boolean> {
  const [next, orSame] = isDescending ? ['<', '>='] : ['>', '<='];
  const compare = (comparison = '', from = 0, to = indexed) =>
    sql<boolean>`(${sql.join(by.slice(from, to).map(({ column }) => column))}) ${sql.raw(comparison)} (${sql.join(after.slice(from, to))})`;
  if (indexed === by.length) return compare(next);
  return sql`${compare(`${next}=`)} and not (${compare('=')} and ${compare(orSame, indexed, by.length)})`;
}

const nameOf = (index: number) => `place${index}` as const;

export const placeOf = (row: object, { by }: Order): string =>
  JSON.stringify(by.map((_, index) => (row as Readonly<Record<string, unknown>>)[nameOf(index)]));

/** With the place of its last row; null at the end. */
export async function readPage<Tables, Table extends keyof Tables, Row>(
  rows: SelectQueryBuilder<Tables, Table, Row>,
  order: Order,
  page: WantedPage,
): Promise<{ readonly rows: readonly Row[]; readonly next: string | null }> {
  const names = order.by.map((_, index): string => nameOf(index));
  const found = (await pageOf(rows, order, page).execute()) as readonly object[];
  const last = found.length < page.limit ? undefined : found.at(-1);
  const withoutPlace = (row: object) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
  return {
    rows: found.map((row) => withoutPlace(row) as Row),
    next: last ? placeOf(last, order) : null,
  };
}
