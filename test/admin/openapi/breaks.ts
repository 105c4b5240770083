import { type Part, resolve, type Schema, schemaComparison } from './schema-breaks.ts';

/** OpenAPI document, as far as it is compared. */
export interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Part>>>>;
  readonly components: unknown;
}

/**
 * Compares two versions of the administrative API. Returns every difference that breaks a client of the published one, with its place; none
 * for additions: calls, optional members and more values in requests, members and fewer values in answers.
 */
export function findBreaks(published: Contract, current: Contract): readonly string[] {
  const sent = schemaComparison(published, current, 'request');
  const answered = schemaComparison(current, published, 'response');

  function compareParameters(was: Part, is: Part, place: string): string[] {
    const byName = ({ parameters = [] }: Part, document: Contract) =>
      new Map(parameters.map((it) => resolve(it, document)).map((it) => [`${place} ${it.in} ${it.name}`, it]));
    const before = byName(was, published);
    const after = byName(is, current);
    const gone = [...before.keys()].filter((name) => !after.has(name)).map((name) => `${name}: is gone`);
    const changed = [...after].flatMap(([name, { required, schema = {} }]) => {
      const known = before.get(name);
      const isRequired = required === true && known?.required !== true;
      return [...(isRequired ? [`${name}: is required now`] : []), ...(known ? sent(known.schema, schema, name) : [])];
    });
    return [...gone, ...changed];
  }

  function compareContent(
    was: Part,
    is: Part,
    place: string,
    compare: (was: Schema, is: Schema, place: string) => string[],
  ): string[] {
    return Object.entries(was.content ?? {}).flatMap(([type, { schema }]) => {
      const now = is.content?.[type]?.schema;
      return now ? compare(schema, now, place) : [`${place} ${type}: is gone`];
    });
  }

  function compareOperation(was: Part, is: Part, place: string): string[] {
    const isBodyRequired = is.requestBody?.required === true && was.requestBody?.required !== true;
    return [
      ...(JSON.stringify(was.security) === JSON.stringify(is.security) ? [] : [`${place}: needs another role`]),
      ...compareParameters(was, is, place),
      ...(isBodyRequired ? [`${place} body: is required now`] : []),
      ...compareContent(was.requestBody ?? {}, is.requestBody ?? {}, `${place} body`, sent),
      ...Object.entries(was.responses ?? {}).flatMap(([status, response]) => {
        const now = is.responses?.[status];
        const before = resolve(response, published);
        const after = resolve(now ?? {}, current);
        if (!now) return [`${place} ${status}: is gone`];
        return compareContent(before, after, `${place} ${status}`, (old, changed, at) => answered(changed, old, at));
      }),
    ];
  }

  return Object.entries(published.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, was]) => {
      const is = current.paths[path]?.[method];
      const place = `${method.toUpperCase()} ${path}`;
      return is ? compareOperation(was, is, place) : [`${place}: is gone`];
    }),
  );
}
