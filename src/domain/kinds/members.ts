import { z } from 'zod';
import { isObject } from '../../base/json.ts';
import { subjectKinds } from '../catalogue/subject.ts';
import { adviceForm } from './advice.ts';

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
