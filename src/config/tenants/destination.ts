import { z } from 'zod';
import { type KindName, type KindSettings, kindOf, kinds, USUAL_KIND } from '../../announcements/kinds.ts';
import { wordIssue } from '../word-issue.ts';
import { withKeys } from './keys.ts';
import { keyed, section } from './section.ts';

const names = Object.keys(kinds) as KindName[];

const inFile = (key: string): string => `${key}: yes`;

/** Problem of the only key that a destination of an unknown kind is judged by. */
const unknownKind = z.looseObject({ kind: z.enum(names) });

/**
 * Creates the form of a destination: its kind, http by default, the settings of that kind, and keys of its own. `consent` words a setting
 * that says yes. Parsed, the settings are grouped.
 */
export function destinationForm<Own extends z.ZodRawShape>(
  own: Own,
  { consent = inFile, formsOf = (name: KindName): z.ZodRawShape => kindOf(name).forms } = {},
) {
  const formOf = (name: KindName) =>
    section({ kind: z.literal(name).optional(), ...own, ...formsOf(name) }).superRefine(keeping(name, consent));
  const forms = new Map<unknown, z.ZodType<Readonly<Record<string, unknown>>>>(
    names.map((name) => [name, formOf(name)]),
  );
  const form = keyed.transform((given, { issues }) => {
    const { kind = USUAL_KIND } = given;
    const { data, error } = (forms.get(kind) ?? unknownKind).safeParse(given, { error: wordIssue });
    for (const { path, code, message } of error?.issues ?? []) {
      const isMissing = code !== 'custom' && given[String(path[0])] === undefined;
      issues.push({ code: 'custom', path: [...path], message: isMissing ? 'is missing' : message, input: given });
    }
    // A value with issues is only compared with others.
    return (data ? { ...kindOf(kind as KindName).toSettings(data), kind } : given) as KindSettings &
      z.output<z.ZodObject<Own>>;
  });
  // The first kind that has a key describes it for all.
  const all = Object.assign({}, ...names.toReversed().map(formsOf)) as z.ZodRawShape;
  const optional = Object.entries(all).map(([key, one]) => [key, z.optional(one)] as const);
  const kind = z.enum(names).optional().describe(`Kind of destination. Default: ${USUAL_KIND}.`);
  return withKeys(form, z.object({ kind, ...own, ...Object.fromEntries(optional) }));
}

/** Creates the check that the settings of a kind keep its rules. */
const keeping =
  (name: KindName, consent: typeof inFile) =>
  (given: Readonly<Record<string, unknown>>, { addIssue }: z.core.$RefinementCtx<unknown>): void => {
    for (const [isBroken, key, message] of kindOf(name).rules(given, consent))
      if (isBroken) addIssue({ code: 'custom', path: [key], message });
  };

/** Returns the forms of a kind's settings for one that is added while Dockline runs: without files on its machine, and with secrets that it makes. */
export function managedForms(name: KindName): z.ZodRawShape {
  const { clientCert: _cert, clientKey: _key, ca: _ca, secret, ...forms } = kindOf(name).forms;
  return { ...forms, ...(secret && { secret: z.optional(secret) }) };
}
