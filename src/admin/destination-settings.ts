import { z } from 'zod';
import { type KindName, kinds, USUAL_KIND } from '../announcements/kinds.ts';
import { subjectKinds } from '../domain/catalogue/subject.ts';
import { tlsForms } from '../forms/pem-files.ts';
import { listOf } from './views/view.ts';

const names = Object.keys(kinds) as [KindName, ...KindName[]];

/** Settings that every kind may have, in words of those who add one while Dockline runs. */
const common = {
  kind: z
    .enum(names)
    .exactOptional()
    .describe(
      `POSTs, an exchange of RabbitMQ, or workflows of your own. Default: \`${USUAL_KIND}\`. Each takes only what belongs to it.`,
    ),
  url: z
    .string()
    .describe('`https://`, `amqps://` or `temporals://` address; may have a user and a password, but for `temporal`.'),
  secret: z
    .union([z.string(), listOf(z.string())])
    .exactOptional()
    .describe(
      'Secrets that sign, `whsec_…`, each with a signature. Default for `http`: a new one, which the answer shows once.',
    ),
  kinds: listOf(z.enum(subjectKinds)).exactOptional().describe('Kinds of subjects that it gets. Default: all.'),
  types: listOf(z.string())
    .exactOptional()
    .describe('Types that it gets, without `dockline.`; `*` stands for any text. Default: all.'),
  customers: listOf(z.string()).exactOptional().describe('Ids of the customers whose records it gets. Default: all.'),
  recordsToken: z
    .union([z.string(), listOf(z.string())])
    .exactOptional()
    .describe(
      'Tokens that fetch records which were left out. Default: a new one, which the answer shows once; none for `full`.',
    ),
};

const describe = (form: z.ZodType) => z.toJSONSchema(form, { io: 'input', unrepresentable: 'any' });

/** Settings of the kinds, but for files on Dockline's machine, by their keys: the forms of those that have one. */
const own = Map.groupBy(
  names.flatMap((name) => Object.entries<z.ZodType>(kinds[name].forms).map(([key, form]) => ({ name, key, form }))),
  ({ key }) => key,
);

/** Says what a setting is if it is not given, of the kinds that have it. */
function describeDefault(of: readonly { readonly name: KindName; readonly form: z.ZodType }[]): string {
  const given = of.map(({ name, form }) => ({ name, usual: describe(form).default }));
  const [{ usual } = {}, ...others] = given.filter((it) => typeof it.usual === 'string');
  const different = others.filter((it) => it.usual !== usual).map((it) => `, and \`${it.usual}\` for \`${it.name}\``);
  return usual === undefined ? '' : ` Default: \`${usual}\`${different.join('')}.`;
}

/** Returns the form in which a setting may be given. Whether it fits is decided where that of the configuration is. */
function givenForm(form: z.ZodType): z.ZodType {
  const { type, enum: values } = describe(form);
  if (values) return z.enum(values as string[]);
  if (type === 'object') return z.record(z.string(), z.string());
  return type === 'integer' || type === 'number' ? z.int().positive() : z.string();
}

const ofKinds: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  [...own].flatMap(([key, of]) => {
    const [first] = of;
    if (!first || key in common || key in tlsForms) return [];
    const words = `${first.form.description}${describeDefault(of)}`;
    return [[key, z.exactOptional(givenForm(first.form)).describe(words)]];
  }),
);

/** Body with the settings of a destination. */
export const settingsBody = z.strictObject({ ...common, ...(ofKinds as Record<never, z.ZodType>) });
