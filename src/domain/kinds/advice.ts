import { z } from 'zod';
import { isObject, type Reader } from '../../base/json.ts';
import { type SubjectKind, subjectKinds } from '../catalogue/subject.ts';
import type { Snapshot } from '../lifecycle/snapshot.ts';
import { adjustmentAdvice } from './adjustment/advice.ts';
import { assemblyAdvice } from './assembly/advice.ts';
import { holdAdvice } from './hold/advice.ts';
import { itemAdvice } from './item/advice.ts';
import { orderAdvice } from './order/advice.ts';
import { receiptAdvice } from './receipt/advice.ts';
import type { Places, Readable } from './section.ts';
import { stockAdvice } from './stock/advice.ts';

const advices = {
  order: orderAdvice,
  receipt: receiptAdvice,
  adjustment: adjustmentAdvice,
  assembly: assemblyAdvice,
  item: itemAdvice,
  stock: stockAdvice,
  hold: holdAdvice,
} as const satisfies { readonly [K in SubjectKind]: RecordReader };

interface RecordReader extends Readable {
  /** Facts that decide the lifecycle besides those of all listed records; `fact` reads in `readOnly`, or else beside it. */
  readonly state?: (record: unknown, fact: Reader) => Snapshot;
}

const readerFor = (kind: SubjectKind): RecordReader => advices[kind];

export const advicePlaces: Places = Object.assign({}, ...subjectKinds.map((kind) => readerFor(kind).places));

/** In the words of whoever receives announcements; unknown members are absent. */
export type Advice<K extends SubjectKind = SubjectKind> = ReturnType<(typeof advices)[K]['read']>;

/** Unreadable members are absent; never throws. */
export const readAdvice = <K extends SubjectKind>(kind: K, record: unknown, places: Places): Advice<K> =>
  readerFor(kind).read(record, places) as Advice<K>;

export const readState = (kind: SubjectKind, record: unknown, fact: Reader): Snapshot =>
  readerFor(kind).state?.(record, fact) ?? {};

export const adviceForm = (kind: SubjectKind): z.ZodType => readerFor(kind).form;

export const anyAdvice = z.union(subjectKinds.map(adviceForm)) as z.ZodType<Advice>;

const MOST_CHANGED = 200;

/** `trackingNumbers`, `lines.2.shipped`. A list of texts is one member; an added or removed element is named without its own. */
export function changedMembers(before: unknown, after: unknown): readonly string[] {
  const changed: string[] = [];
  const compare = (one: unknown, other: unknown, path: string): void => {
    if (changed.length >= MOST_CHANGED) return;
    if (isNested(one) && isNested(other)) {
      const names = new Set([...Object.keys(one), ...Object.keys(other)]);
      for (const name of names) {
        compare(one[name], other[name], path === '' ? name : `${path}.${name}`);
      }
    } else if (JSON.stringify(one) !== JSON.stringify(other)) changed.push(path);
  };
  compare(before, after, '');
  return changed;
}

const isNested = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && (!Array.isArray(value) || typeof value[0] === 'object');

function pathsIn(form: unknown, path: string): readonly string[] {
  if (form instanceof z.ZodOptional) return pathsIn(form.unwrap(), path);
  if (form instanceof z.ZodArray) return pathsIn(form.element, path);
  if (!(form instanceof z.ZodObject)) return [];
  return Object.entries(form.shape).flatMap(([name, member]) => {
    const own = path === '' ? name : `${path}.${name}`;
    return [own, ...pathsIn(member, own)];
  });
}

/** Of all kinds: `shipTo.phone`, `lines.lots`. */
export const memberPaths: ReadonlySet<string> = new Set(subjectKinds.flatMap((kind) => pathsIn(adviceForm(kind), '')));

export function withoutMembers(advice: unknown, omit: readonly string[], path = ''): unknown {
  if (Array.isArray(advice)) return advice.map((element) => withoutMembers(element, omit, path));
  if (!isObject(advice)) return advice;
  return Object.fromEntries(
    Object.entries(advice).flatMap(([name, member]) => {
      const own = path === '' ? name : `${path}.${name}`;
      return omit.includes(own) ? [] : [[name, withoutMembers(member, omit, own)]];
    }),
  );
}

/** Such as `lines.2.shipped`. */
export const withoutPaths = (changed: readonly string[], omit: readonly string[]): readonly string[] =>
  changed.filter((path) => {
    const own = path.replaceAll(/\.\d+(?=\.|$)/g, '');
    return !omit.some((it) => own === it || own.startsWith(`${it}.`));
  });
