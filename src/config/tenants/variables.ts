import { z } from 'zod';
import {
  type SettingKey as DestinationKey,
  type KindName,
  kindNames,
  kinds,
  USUAL_KIND,
} from '../../destinations/kinds/kinds.ts';
import { destinationForm } from '../../destinations/settings.ts';
import { findDetailProblems } from '../../forms/detail-forms.ts';
import type { Environment } from '../../forms/forms.ts';
import { formatIssue } from '../../forms/word-issue.ts';
import { sharedVerification } from '../../ingress/verification/settings.ts';
import { accessForms, checked } from '../../warehouse/settings.ts';
import { announceNames } from '../variables/destination.ts';
import { warehouseNames } from '../variables/warehouse.ts';
import { webhookNames } from '../variables/webhook.ts';
import type { Variables } from '../variables.ts';
import { sharedForms, type tenantSchema } from './schema.ts';
import { type SimulatedSettings, type TenantSettings, toSimulated, toTenant } from './tenant.ts';

/** Variable of each setting of a tenant. */
export const variableOf = {
  ...warehouseNames,
  webhook: webhookNames,
  announce: announceNames,
} as const satisfies Record<
  Exclude<keyof typeof tenantSchema.shape, 'destinations' | 'deadlines'>,
  keyof Variables | Readonly<Record<string, keyof Variables>>
>;

/** Returns the settings that variables give to a tenant, not parsed yet. */
function settingsFrom(values: Readonly<Record<string, unknown>>, names: object = variableOf): Record<string, unknown> {
  const read = (name: string | object) => (typeof name === 'string' ? values[name] : settingsFrom(values, name));
  return Object.fromEntries(Object.entries(names).map(([key, name]) => [key, read(name)]));
}

/** Returns the kind of destination that an address is of, whose scheme is its name, with an `s` for TLS. */
export function kindOfAddress(url: unknown): KindName {
  const [scheme] = String(url).toLowerCase().split(':');
  return kindNames.find((name) => scheme === name || scheme === `${name}s`) ?? USUAL_KIND;
}

/** Picks the settings of the kind that the address is of. Without an address there is no destination. */
function describedBy(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined {
  if (values.url === undefined) return undefined;
  const kind = kindOfAddress(values.url);
  const own = Object.entries(values).filter(([key]) => key in kinds[kind].forms);
  return { kind, ...Object.fromEntries(own) };
}

const unaddressed = z.object(kinds.http.forms).partial();

/** Form of the destination; its address says of which kind it is. */
const announce = z
  .record(z.string(), z.unknown())
  .superRefine((values, { addIssue }) => {
    const { error } = values.url === undefined ? unaddressed.safeParse(values, { error: formatIssue }) : {};
    for (const { path, message } of error?.issues ?? []) addIssue({ code: 'custom', path: [...path], message });
    const rules = values.url === undefined && !error ? findDetailProblems(values) : [];
    for (const [isBroken, key, message] of rules) if (isBroken) addIssue({ code: 'custom', path: [key], message });
  })
  .transform(describedBy)
  .pipe(destinationForm({}, { consent: (key) => `${variableOf.announce[key as DestinationKey]}=yes` }).optional());

const shared = { ...sharedForms, announce };
const optionalAccess = z.object(accessForms).partial().shape;

/** Schema of the variables by what they describe: the only tenant, the simulated one, or the defaults of a file's tenants. */
const schemas = {
  only: checked({ ...accessForms, tenant: accessForms.tenant.optional(), ...shared }),
  simulated: checked({ ...optionalAccess, ...shared }),
  file: checked({ ...optionalAccess, ...shared, webhook: sharedVerification }),
};

/** Settings that variables give to a tenant: the only one, or the simulated one, or that of a file, which parses them with its own. */
interface OfVariables {
  readonly only?: TenantSettings | undefined;
  readonly simulated?: SimulatedSettings | undefined;
  /** One line for each error. */
  readonly problems: readonly string[];
}

/** Parses the settings that variables give to a tenant. */
export function readTenant(given: Environment, variables: Variables, hasFile: boolean): OfVariables {
  const read = <T>(form: z.ZodType<T>) => {
    const parsed = form.safeParse(settingsFrom(variables), { error: formatIssue });
    return { data: parsed.data, problems: describe(parsed, given) };
  };
  if (hasFile) return { problems: read(schemas.file).problems };
  if (!given.WAREHOUSE_BASE_URL) {
    const { data, problems } = read(schemas.simulated);
    return { simulated: data && toSimulated(data), problems };
  }
  const { data, problems } = read(schemas.only);
  return { only: data && toTenant(data, variables.WEBHOOK_ENDPOINT), problems };
}

/** Describes each issue by the variable that it concerns. */
const describe = ({ error }: z.ZodSafeParseResult<unknown>, given: Environment): readonly string[] =>
  (error?.issues ?? []).map(({ path, code, message }) => {
    const name = nameOf(path);
    const isMissing = code !== 'custom' && given[name] === undefined;
    if (path[0] === 'announce' && message === 'is missing') return `${name}: is required with ANNOUNCE_URL`;
    return `${name}: ${isMissing ? 'is required with WAREHOUSE_BASE_URL' : `${keyWithin(path)}${message}`}`;
  });

/** Returns the key of a variable that has several, such as WAREHOUSE_PATHS. */
function keyWithin([setting, ...path]: readonly PropertyKey[]): string {
  const key = typeof variableOf[setting as keyof typeof variableOf] === 'string' ? path[0] : path[1];
  return typeof key === 'string' ? `${key} ` : '';
}

function nameOf([key, inner]: readonly PropertyKey[]): keyof Variables {
  const name: string | Readonly<Record<string, string>> = variableOf[key as keyof typeof variableOf];
  return (typeof name === 'string' ? name : name[String(inner)]) as keyof Variables;
}

/** Returns the settings that the tenants of a file share unless it says otherwise, not parsed yet. */
export function fileDefaults(parsed: Variables): SharedSettings {
  const { announce: destination, ...settings } = settingsFrom(parsed);
  const given = Object.entries(settings).filter(([key]) => key in sharedForms);
  return { ...Object.fromEntries(given), announce: describedBy(destination as Readonly<Record<string, unknown>>) };
}

/** Settings by key that a file's tenants share, not parsed yet. */
export type SharedSettings = Readonly<Record<string, unknown>>;
