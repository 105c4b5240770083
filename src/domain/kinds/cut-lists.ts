import { z } from 'zod';
import { isObject } from '../../base/json.ts';
import { derived, type Readable } from './section.ts';

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
