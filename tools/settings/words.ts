import { z } from 'zod';
import { announceNames } from '../../src/config/variables/destination.ts';
import { warehouseForms, warehouseNames } from '../../src/config/variables/warehouse.ts';
import { webhookNames } from '../../src/config/variables/webhook.ts';
import { variables } from '../../src/config/variables.ts';
import {
  describeDefault,
  describeSetting,
  formsOf,
  kindNames,
  type SettingKey,
  settingKeys,
} from '../../src/destinations/kinds/kinds.ts';
import { schemeSettings } from '../../src/ingress/verification/schemes.ts';

type VariableName = keyof typeof variables;

type Names = Readonly<Record<string, string>>;

/** Words about a setting, and the variables of the keys that they may name. */
type Words = readonly [words: string, names: Names];

const ofForms = (forms: Readonly<Record<string, z.ZodType>>, names: Names) =>
  Object.entries(forms).map(
    ([key, form]) => [names[key] ?? '', [`${form.description ?? ''}${syntaxOf(form)}`, names]] as const,
  );

/** Says how a variable has several values with a name each. */
export const syntaxOf = (form: z.ZodType): string =>
  z.toJSONSchema(form, { io: 'input', unrepresentable: 'any' }).type === 'object'
    ? ' As `name=value`, separated by commas; within a value a comma is written `%2C`, and a percent sign `%25`.'
    : '';

/** Says of which kinds of destinations a setting is, if not of all; that it is required, if of one; and its default, if no variable shows it. */
function ofDestination(key: SettingKey): string {
  const of = formsOf(key);
  const isRequired = of.length === 1 && of.some(({ form }) => !form.safeParse(undefined).success);
  const kinds = of.length < kindNames.length ? of.map(({ name }) => name).join(', ') : '';
  const [syntax = ''] = of.map(({ form }) => syntaxOf(form));
  const usual = variables[announceNames[key]].safeParse(undefined).data === undefined ? describeDefault(key) : '';
  return `${kinds && `${kinds}${isRequired ? ', required' : ''}: `}${describeSetting(key)}${syntax} ${usual}`.trim();
}

const ofSettings: ReadonlyMap<string, Words> = new Map<string, Words>([
  ...ofForms(warehouseForms, warehouseNames),
  ...ofForms(schemeSettings, webhookNames),
  ...settingKeys.map((key) => [announceNames[key], [ofDestination(key), announceNames]] as const),
]);

/** Says what a variable is: in its own words, or else in those of its setting. One of which nothing is said belongs to the one before. */
export function describeVariable(name: VariableName): string {
  const { description } = variables[name];
  const [words, names] = ofSettings.get(name) ?? [];
  return names ? spell(description ?? words ?? '', names) : (description ?? '');
}

/** Writes a sentence about a setting with variables for the keys that it names. */
const spell = (sentence: string, names: Names): string =>
  sentence.replaceAll(/`([^`]*)`/g, (_, quoted: string) => names[quoted] ?? quoted);
