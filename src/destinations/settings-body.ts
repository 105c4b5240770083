import { z } from 'zod';
import { listOf } from '../admin/views/view.ts';
import { subjectKinds } from '../domain/catalogue/subject.ts';
import { filterForms } from '../forms/filter-forms.ts';
import { tlsForms } from '../forms/pem-files.ts';
import {
  describeDefault,
  describeKinds,
  describeSetting,
  formsOf,
  kindNames,
  type SettingKey,
  settingKeys,
} from './kinds/kinds.ts';

/** Of every kind, for somebody who adds a destination while Dockline runs. */
const common = {
  kind: z.enum(kindNames).exactOptional().describe(`${describeKinds()} Each takes only what belongs to it.`),
  url: z.string().describe(describeSetting('url')),
  secret: z
    .union([z.string(), listOf(z.string())])
    .exactOptional()
    .describe(
      'Secrets that sign, `whsec_…`, each with a signature. Default for `http`: a new one, which the answer shows once.',
    ),
  kinds: listOf(z.enum(subjectKinds)).exactOptional().describe(`${filterForms.kinds.description}`),
  types: listOf(z.string()).exactOptional().describe(`${filterForms.types.description}`),
  customers: listOf(z.string()).exactOptional().describe(`${filterForms.customers.description}`),
  omit: listOf(z.string()).exactOptional().describe(describeSetting('omit')),
  recordsToken: z
    .union([z.string(), listOf(z.string())])
    .exactOptional()
    .describe(
      'Tokens that fetch records which were left out. Default: a new one, which the answer shows once; none for `full`, and with `omit`.',
    ),
};

/** The configuration's check decides whether a value fits. */
function givenForm(key: SettingKey): z.ZodType {
  const [{ form } = { form: z.string() }] = formsOf(key);
  const { type, enum: values } = z.toJSONSchema(form, { io: 'input', unrepresentable: 'any' });
  if (values) return z.enum(values as string[]);
  if (type === 'object') return z.record(z.string(), z.string());
  return type === 'integer' || type === 'number' ? z.int().positive() : z.string();
}

/** Without files on Dockline's machine. */
const ofKinds: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  settingKeys
    .filter((key) => !(key in common) && !(key in tlsForms))
    .map((key) => [
      key,
      z.exactOptional(givenForm(key)).describe(`${describeSetting(key)} ${describeDefault(key)}`.trim()),
    ]),
);

export const settingsBody = z.strictObject({ ...common, ...(ofKinds as Record<never, z.ZodType>) });
