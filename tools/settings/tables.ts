import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { channelKinds } from '../../src/alerts/channels/kinds.ts';
import { alertsForm, channelForms } from '../../src/alerts/settings.ts';
import { tenantForms } from '../../src/config/tenants/tenant.ts';
import { announceNames } from '../../src/config/variables/destination.ts';
import { warehouseNames } from '../../src/config/variables/warehouse.ts';
import { webhookNames } from '../../src/config/variables/webhook.ts';
import { describeKinds, type KindName, kinds, USUAL_KIND } from '../../src/destinations/kinds/kinds.ts';
import { destinationForms } from '../../src/destinations/settings.ts';
import { standardPaths } from '../../src/domain/catalogue/operation.ts';
import { schemeSettings, schemes } from '../../src/ingress/verification/schemes.ts';
import { calendarForm } from '../../src/subjects/calendar-settings.ts';
import { ruleForm } from '../../src/subjects/deadline-settings.ts';
import { code, line, table } from '../../test/support/marked-tables.ts';

type Forms = Readonly<Record<string, z.ZodType>>;
type Names = Readonly<Record<string, string>>;

/** Tables of settings, by the pages that have them and the marks between which they stand. */
export const tables = (): Readonly<Record<string, Readonly<Record<string, string>>>> => ({
  'docs/configuration.md': ofConfiguration(),
  'docs/deadlines.md': { calendars: keys(calendarForm.shape), rules: keys(ruleForm.shape) },
  'docs/alerts.md': { alerts: keys(alertsForm.shape), channels: ofChannels() },
});

const ofConfiguration = (): Readonly<Record<string, string>> => ({
  warehouse: settings(tenantForms, warehouseNames),
  paths: table(
    ['path', 'standard'],
    Object.entries(standardPaths).map(([name, path]) => [code(name), code(path)]),
  ),
  schemes: table(
    ['method', 'verifies', 'needs', 'may have'],
    Object.entries(schemes).map(([name, { verifies, settings: own }]) => {
      const keys = Object.entries<z.ZodType>(own).map(([key, form]) => [code(key), isRequired(form)] as const);
      const list = (wanted: boolean) => keys.flatMap(([key, required]) => (required === wanted ? key : [])).join(', ');
      return [code(name), verifies, list(true) || 'nothing', list(false)];
    }),
  ),
  verification: settings(schemeSettings, webhookNames),
  destinations: table(
    ['key', 'meaning'],
    [
      [code('kind'), describeKinds()],
      ...Object.entries(destinationForms).map(([key, form]) => [code(key), wordsOf(form)]),
    ],
  ),
  ...Object.fromEntries(
    Object.keys(kinds).map((name) => [name, name === USUAL_KIND ? ofUsual() : ofKind(name as KindName)]),
  ),
});

/** Lists the settings of channels, with the kinds that have each. */
function ofChannels(): string {
  const kindsOf = Map.groupBy(
    Object.entries(channelKinds).flatMap(([name, { forms }]) =>
      Object.entries<z.ZodType>(forms).map(([key, form]) => ({ name, key, form })),
    ),
    ({ key }) => key,
  );
  const named = Object.keys(channelKinds).map(code).join(', ');
  return table(
    ['key', 'kinds', 'default', 'meaning'],
    [
      [code('kind'), 'all', 'required', `Kind of the channel: ${named}.`],
      ...[...kindsOf].map(([key, of]) => {
        const [{ form } = { form: z.string() }] = of;
        return [code(key), of.map(({ name }) => code(name)).join(', '), usualOf(form), wordsOf(form)];
      }),
      ...Object.entries(channelForms).map(([key, form]) => [code(key), 'all', usualOf(form), wordsOf(form)]),
    ],
  );
}

const ofUsual = (): string => settings(kinds[USUAL_KIND].forms, announceNames);

/** Lists the settings of a kind that are not those of the usual kind, and names the others. */
function ofKind(name: KindName): string {
  const { forms: usual }: { readonly forms: Forms } = kinds[USUAL_KIND];
  const { forms }: { readonly forms: Forms } = kinds[name];
  const isAlike = (key: string) =>
    key in usual && [undefined, usual[key]?.description].includes(forms[key]?.description);
  const own = Object.fromEntries(
    Object.entries(forms).flatMap(([key, form]) =>
      isAlike(key) ? [] : [[key, form.describe(capitalize(form.description ?? ''))]],
    ),
  );
  const alike = Object.keys(forms).filter(isAlike).map(code).join(', ');
  const refused = Object.keys(usual)
    .filter((key) => !(key in forms))
    .map(code)
    .join(', ');
  return [
    settings(own, announceNames),
    line([alike, 'as above', '', 'as above']),
    line([refused, '', '', 'refused']),
  ].join('');
}

/** Lists settings of a file that have no variables. */
const keys = (forms: Forms): string =>
  table(
    ['key', 'default', 'meaning'],
    Object.entries(forms).map(([key, form]) => [code(key), usualOf(form), wordsOf(form)]),
  );

/** Lists settings by their keys, with their variables. */
const settings = (forms: Forms, names: Names): string =>
  table(
    ['key', 'variable', 'default', 'meaning'],
    Object.entries(forms).map(([key, form]) => {
      const name = names[key];
      return [
        code(key),
        name === undefined ? '' : code(name),
        name === undefined || isSection(form) ? '' : usualOf(form),
        wordsOf(form),
      ];
    }),
  );

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Reports whether a setting has to be given. */
const isRequired = (form: z.ZodType): boolean => !form.safeParse(undefined).success;

/** Reports whether a setting has keys, each with a default of its own. */
const isSection = (form: z.ZodType): boolean =>
  z.toJSONSchema(form, { io: 'input', unrepresentable: 'any' }).type === 'object';

/** Shows the default of a setting. */
function usualOf(form: z.ZodType): string {
  if (isRequired(form)) return 'required';
  const { data } = form.safeParse(undefined);
  const shown = Array.isArray(data) ? data.join(', ') : typeof data === 'object' ? '' : String(data ?? '');
  return shown === '' ? '' : code(shown);
}

/** Returns the words of a setting, with links to the pages that they name. */
const wordsOf = ({ description = '' }: z.ZodType): string =>
  description.replaceAll(/\(docs\/([\w-]+)\.md\)/g, (_match, page: string) => `([${titleOf(page)}](${page}.md))`);

const titleOf = (page: string): string => /^# (.+)$/m.exec(readFileSync(`docs/${page}.md`, 'utf8'))?.[1] ?? page;
