import { text as readAll } from 'node:stream/consumers';
import { Option } from 'commander';
import type { z } from 'zod';
import { MOMENT } from '../../admin/queries.ts';
import { readTextFile } from '../../forms/files.ts';
import { schemaOf } from '../../forms/section.ts';
import { momentOption, numberOption, UsageError } from '../command.ts';
import { type CallLine, shapeOf } from './calls.ts';

export type Given = Readonly<Record<string, unknown>>;

/** For a body with lists, objects or secrets: a list of processes would show the secrets. */
const SETTINGS = 'settings';

export function optionsOf({ args, forms, body, csv, toBody }: CallLine): ReadonlyMap<string, Option> {
  const named = new Set(args.map(({ key }) => key));
  const keys = Object.keys(forms).filter((key) => !named.has(key));
  const isLong = isOfFile(body);
  const { required = [] } = body && toBody ? schemaOf(body) : {};
  const options = keys.flatMap((key): [string, Option][] => {
    const form = forms[key] as z.ZodType;
    if (isLong && key !== 'tenant' && typeOf(form) !== 'boolean') return [];
    return [[key, optionOf(key, form).makeOptionMandatory(required.includes(key))]];
  });
  const file = new Option(
    `--${SETTINGS} <file>`,
    'a JSON file with url and, as wanted, the other keys of a destination in CONFIG_FILE; - reads standard input',
  ).makeOptionMandatory();
  return new Map([
    ...options,
    ...(isLong ? ([[SETTINGS, file]] as const) : []),
    ...(toBody ? ([['yes', new Option('--yes', 'do it, and wait for the end')]] as const) : []),
    ...(csv ? ([['csv', new Option('--csv', 'print all rows as CSV, or the first --limit')]] as const) : []),
  ]);
}

export const isOfBulk = ({ answers }: CallLine): boolean => Object.values(answers).includes('ShownBulk');

const typeOf = (form: z.ZodType) => schemaOf(form).type;

const isOfFile = (body: CallLine['body']): boolean =>
  Object.values(shapeOf(body)).some((form) => ['array', 'object'].includes(typeOf(form) as string));

export const phraseOf = (description: string): string =>
  description.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase()).replace(/\.$/, '');

function optionOf(key: string, form: z.ZodType): Option {
  const { enum: values, description: words = `only this ${key}`, format, type, ...schema } = schemaOf(form);
  const description = phraseOf(words);
  const flag = key.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
  if (format === MOMENT || format === 'date-time')
    return momentOption(flag, description, (at) => new Date(at).toISOString());
  if (type === 'boolean' || key === 'summary') return new Option(`--${flag}`, description);
  if (type === 'integer' || type === 'number') {
    const { minimum: min = 0, maximum: max = 1e9, default: usual } = schema;
    const bounds = `${min} to ${max}${usual === undefined ? '' : `, default: ${usual}`}`;
    return numberOption(`--${flag} <number>`, `${description} (${bounds})`, { min, max });
  }
  const option = new Option(`--${flag} <${key}>`, description);
  return values ? option.choices(values.map(String)) : option;
}

export const givenBy = (options: ReadonlyMap<string, Option>, values: Given): Given =>
  Object.fromEntries(
    [...options].flatMap(([key, option]) => {
      const value = values[option.attributeName()];
      return value === undefined ? [] : [[key, value]];
    }),
  );

/** Undefined if the call takes none. @throws UsageError */
export async function bodyOf({ body, toBody }: CallLine, { [SETTINGS]: file, ...given }: Given) {
  if (body === undefined) return undefined;
  const own = shapeOf(body);
  const flags = Object.fromEntries(Object.entries(given).filter(([key]) => key in own));
  if (!isOfFile(body)) return toBody?.(flags) ?? flags;
  const json = file === '-' ? await readAll(process.stdin) : readTextFile(String(file));
  try {
    return { ...JSON.parse(json), ...flags };
  } catch {
    throw new UsageError(`--${SETTINGS} is not JSON`);
  }
}
