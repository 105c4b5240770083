import { DocklineError } from '../../domain/errors.ts';

export type Ids = Readonly<Record<string, string | undefined>>;

/**
 * Leaves out parameters that the path itself has. Throws `ERR_WAREHOUSE_REFUSED` for an id that is missing or would
 * lead to another path, such as `..`.
 */
export function fillPath(path: string, ids: Ids, parameters: readonly string[] = []): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name] ?? '';
    if (/^\.*$/.test(id)) {
      throw new DocklineError('ERR_WAREHOUSE_REFUSED', `GET ${path} needs an id in place of {${name}}, not "${id}"`);
    }
    return encodeURIComponent(id.toWellFormed());
  });
  const [before = '', query = ''] = filled.split(/\?(.*)/s, 2);
  const own = query.split('&').filter(Boolean);
  const isSet = (parameter: string) => own.some((one) => nameOf(one) === nameOf(parameter));
  const all = [...own, ...parameters.filter((parameter) => !isSet(parameter))];
  return all.length > 0 ? `${before}?${all.join('&')}` : before;
}

/** The warehouse ignores the case of parameters. */
const nameOf = (parameter: string): string => parameter.replace(/=.*/s, '').toLowerCase();
