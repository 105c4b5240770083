import { z } from 'zod';
import { isObject, memberOf, type Reader, readerOf } from '../../base/json.ts';
import type { Exact } from '../lifecycle/snapshot.ts';
import { readDate, readFlag, readId, readNumber, readShortText } from '../wire-values.ts';

/** By their names in `WAREHOUSE_PROPERTIES`: `orderLine.ordered`. */
export type Places = Readonly<Record<string, string>>;

/** Without `read`, its section derives it from the others. */
export interface Member<T> {
  readonly form: z.ZodType<T>;
  readonly place?: string;
  readonly places?: Places;
  read?(record: unknown, place: string, places: Places): T | undefined;
  /** Only others are derived from it. */
  readonly isHidden?: boolean;
}

interface Hidden<T> extends Member<T> {
  readonly isHidden: true;
}

export const field =
  <T>(form: z.ZodType<T>, read: (value: unknown) => T | undefined) =>
  (place: string, words = ''): Member<T> => ({
    form: form.describe(words),
    place,
    read: (record, path) => readAt(record, path, read),
  });

export const text = field(z.string(), (value) => readShortText(value));
export const id = field(z.string(), (value) => readShortText(readId(value)));
export const amount = field(z.number(), readNumber);
export const flag = field(z.boolean(), readFlag);
/** Local to the facility, unless it has an offset. */
export const time = field(z.string(), readDate);
export const day = field(z.string(), (value) => readDate(value)?.slice(0, 'yyyy-mm-dd'.length));
export const anything = field(z.unknown(), (value) => value);

const described = <T>(form: z.ZodType<T>, words?: string): z.ZodType<T> =>
  words === undefined ? form : form.describe(words);

export const part = <T extends object>({ form, places, read }: Readable<T>, words?: string): Member<T> => ({
  form: described(form, words),
  places,
  read: (record, _, all) => unlessEmpty(read(record, all)),
});

export const list = <T extends object>(place: string, section: Readable<T>, words?: string): Member<readonly T[]> => ({
  form: described(z.array(section.form), words),
  place,
  places: section.places,
  read: (record, path, all) => unlessEmpty(listAt(record, path).map((element) => section.read(element, all))),
});

export const rows = (place: string): Member<readonly object[]> => ({
  form: z.array(z.looseObject({})),
  place,
  read: listAt,
});

export const derivedList = <T extends object>(section: Readable<T>, words?: string): Member<readonly T[]> => ({
  form: described(z.array(section.form), words),
  places: section.places,
});

export const texts: z.ZodType<readonly string[]> = z.array(z.string());

export const derived = <T>(form: z.ZodType<T>, words?: string): Member<T> => ({ form: described(form, words) });

export const hidden = <T>(member: Member<T>): Hidden<T> => ({ ...member, isHidden: true });

type Members = Readonly<Record<string, Member<unknown>>>;
type Value<M> = M extends Member<infer T> ? T : never;
type Shown<F> = { readonly [M in keyof F as F[M] extends Hidden<unknown> ? never : M]?: Value<F[M]> | undefined };
type All<F> = { readonly [M in keyof F]?: Value<F[M]> | undefined };

type Derive<A> = (known: A, record: unknown, places: Places) => A;

export interface Readable<T extends object = object> {
  readonly form: z.ZodType<T>;
  readonly places: Places;
  read(record: unknown, places: Places): T;
}

interface Section<T extends object, A> extends Readable<T> {
  read(record: unknown, places: Places, derive?: Derive<A>): T;
}

export function section<const F extends Members>(
  name: string,
  members: F,
  usual: Derive<All<F>> = () => ({}),
): Section<Shown<F>, All<F>> {
  const all = Object.entries<Member<unknown>>(members);
  const shown = all.filter(([, { isHidden }]) => !isHidden);
  const pathsOf = ([member, { place, places }]: (typeof all)[number]): Places => ({
    ...(place !== undefined && { [`${name}.${member}`]: place }),
    ...places,
  });
  return {
    form: z.strictObject(Object.fromEntries(shown.map(([member, { form }]) => [member, form.optional()]))) as never,
    places: Object.assign({}, ...all.map(pathsOf)),
    read(record, places, derive = usual) {
      const values = all.map(([member, { place = '', read }]) => [
        member,
        read?.(record, places[`${name}.${member}`] ?? place, places),
      ]);
      const known: All<F> = Object.fromEntries(values);
      const complete: All<F> = { ...known, ...derive(known, record, places) };
      return exact(Object.fromEntries(shown.map(([member]) => [member, complete[member]]))) as Shown<F>;
    },
  };
}

export const readAt = <T>(record: unknown, path: string, read: (value: unknown) => T | undefined): T | undefined =>
  valuesAt(readerOf(record), path)
    .map(read)
    .find((value) => value !== undefined);

/** In `readOnly` and beside it: the warehouse moves members between the two. */
export function valuesAt(read: Reader, path: string): readonly unknown[] {
  const [first = '', ...rest] = path.toLowerCase().split('.');
  const steps = first === 'readonly' ? rest : [first, ...rest];
  return [read('readonly', ...steps), read(...steps)].filter((value) => value !== undefined);
}

/** Else an embedded list whose relation ends with its name. An empty list says nothing: sections that nobody asked for are written so, too. */
const listAt = (record: unknown, path: string): readonly object[] => listsAt(record, path)[0] ?? [];

/** In all places of one, without those that say nothing. */
export function listsAt(record: unknown, path: string): readonly (readonly object[])[] {
  const read = readerOf(record);
  const name = path.split('.').at(-1)?.toLowerCase() ?? '';
  const embedded = Object.entries(memberOf(record, '_embedded') ?? {}).flatMap(([relation, rows]) =>
    relation.toLowerCase().replace(/s?$/, 's').endsWith(name.replace(/s?$/, 's')) ? [rows] : [],
  );
  return [...valuesAt(read, path), ...embedded]
    .map((value) => elementsOf(value).filter(isObject))
    .filter((rows) => rows.some((row) => Object.keys(row).length > 0));
}

export function elementsOf(value: unknown): readonly unknown[] {
  const list = memberOf(value, 'resourcelist') ?? value;
  return Array.isArray(list) ? list : [list];
}

/** Leaves out members that are undefined. */
export const exact = <T extends object>(members: T): Exact<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Exact<T>;

export const unlessEmpty = <T extends object>(members: T): T | undefined =>
  Object.keys(members).length > 0 ? members : undefined;

/** Exact for decimals: 0.1 and 0.2 are 0.3. */
export function sum(amounts: Iterable<number>): number {
  let total = 0;
  let places = 0;
  for (const amount of amounts) {
    total += amount;
    places = Math.max(places, decimalsOf(amount));
  }
  return Number(total.toFixed(places));
}

const MOST_DECIMALS = 100;

function decimalsOf(amount: number): number {
  const [digits = '', exponent = '0'] = String(amount).split('e');
  return Math.min(Math.max(0, (digits.split('.')[1] ?? '').length - Number(exponent)), MOST_DECIMALS);
}

/** Elements in all places of that path together; of any other list 1,000. */
const listLimits: Readonly<Record<string, number>> = {
  lines: 1000,
  'lines.lots.serialNumbers': 5000,
  parcels: 500,
  'parcels.lines': 2000,
  'parcels.lines.serialNumbers': 5000,
};

const OTHERWISE = 1000;

/** To {@link listLimits}, so that any advice is announced within a megabyte. */
export function cutLists<T extends object>(advice: T): T {
  const left = new Map<string, number>();
  let isCut = false;
  const cutAt = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) {
      const room = left.get(path) ?? listLimits[path] ?? OTHERWISE;
      const kept = value.slice(0, room);
      left.set(path, room - kept.length);
      isCut ||= kept.length < value.length;
      return kept.map((element) => cutAt(element, path));
    }
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, cutAt(member, path === '' ? name : `${path}.${name}`)]),
    );
  };
  const cut = cutAt(advice, '') as T;
  return isCut ? { ...cut, isCut: true } : cut;
}

export const isCut = (words?: string) => derived(z.literal(true), words);

export const cutting = <T extends object>(section: Readable<T>): Readable<T> => ({
  ...section,
  read: (record, places) => cutLists(section.read(record, places)),
});
