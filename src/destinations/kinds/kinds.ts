import type { z } from 'zod';
import { schemaOf } from '../../forms/section.ts';
import { amqp } from './amqp.ts';
import { http } from './http.ts';
import type { DestinationContext, Kind, OpenDestination } from './kind.ts';
import { temporal } from './temporal.ts';

export const kinds = { http, amqp, temporal } as const;

export type KindName = keyof typeof kinds;

export const kindNames = Object.keys(kinds) as [KindName, ...KindName[]];

export type SettingKey = { [Name in KindName]: keyof (typeof kinds)[Name]['forms'] }[KindName];

export const USUAL_KIND = 'http' satisfies KindName;

export type KindSettings = {
  [Name in KindName]: (Name extends typeof USUAL_KIND ? { readonly kind?: Name } : { readonly kind: Name }) &
    ReturnType<(typeof kinds)[Name]['toSettings']>;
}[KindName];

/** The compiler cannot see that the settings are of the same kind. */
export const kindOf = (name: KindName = USUAL_KIND) => kinds[name] as unknown as Kind<z.ZodRawShape, KindSettings>;

export const openDestination = (settings: KindSettings, context: DestinationContext): OpenDestination =>
  kindOf(settings.kind).open(settings, context);

export const describeKinds = (): string =>
  `Kind of destination: ${kindNames.map((name) => `\`${name}\` (${kinds[name].about})`).join(', ')}. Default: \`${USUAL_KIND}\`.`;

export const settingKeys: readonly SettingKey[] = [
  ...new Set(kindNames.flatMap((name) => Object.keys(kinds[name].forms) as SettingKey[])),
];

export const formsOf = (key: SettingKey) =>
  kindNames.flatMap((name) => {
    const form = (kinds[name].forms as Readonly<Record<string, z.ZodType>>)[key];
    return form ? [{ name, form }] : [];
  });

export function describeSetting(key: SettingKey): string {
  const [{ form: { description = '' } = {} } = {}, ...others] = formsOf(key);
  const own = others.filter(({ form }) => form.description !== undefined && form.description !== description);
  return [description, ...own.map(({ name, form }) => `For \`${name}\`: ${form.description}`)].join(' ');
}

export function describeDefault(key: SettingKey): string {
  const given = formsOf(key).map(({ name, form }) => ({ name, usual: schemaOf(form).default }));
  const [{ usual } = {}, ...others] = given.filter((it) => typeof it.usual === 'string');
  const different = others.filter((it) => it.usual !== usual).map((it) => `, and \`${it.usual}\` for \`${it.name}\``);
  return usual === undefined ? '' : `Default: \`${usual}\`${different.join('')}.`;
}
