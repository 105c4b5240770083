import { closestMatch } from 'leven';
import type { AlertSettings } from '../alerts/settings.ts';
import { kinds } from '../destinations/kinds/kinds.ts';
import type { Environment } from '../forms/forms.ts';
import { type SchemeName, schemes } from '../ingress/verification/schemes.ts';
import { accessForms } from '../warehouse/settings.ts';
import { kindOfAddress } from './tenants/shorthand.ts';
import type { TenantSettings } from './tenants/tenant.ts';
import { announceNames } from './variables/destination.ts';
import { warehouseNames } from './variables/warehouse.ts';
import { webhookNames } from './variables/webhook.ts';
import { type Variables, variables } from './variables.ts';

const known = Object.keys(variables);

export function findDoubts(env: Environment, given: Environment): string[] {
  const commented = Object.keys(given).filter((name) => /\s#/.test(given[name] ?? ''));
  return [
    ...findMisspelt(env),
    ...commented.map(
      (name) =>
        `${name} contains a space and #. Is that a comment? Then put it on a line of its own: it is read as part of the value.`,
    ),
  ];
}

/** A longer name may be the user's own, for a file of settings. */
function findMisspelt(env: Environment): string[] {
  const unknown = Object.keys(env).filter((name) => name.includes('_') && !known.some((it) => name.startsWith(it)));
  return unknown.flatMap((name) => {
    const maxDistance = name.length > 15 ? 3 : 2;
    const meant = known.find((it) => it.startsWith(`${name}_`)) ?? closestMatch(name, known, { maxDistance });
    if (meant === undefined) return [];
    return [`${name} is not known. Is it meant to be ${meant}${env[meant] ? ', which is set as well' : ''}?`];
  });
}

/** Leaves out those that are set to their defaults, which files such as a chart's values show. */
export const findGiven = (names: readonly string[], given: Environment): readonly string[] =>
  names.filter((name) => given[name] && given[name] !== String(variables[name as keyof Variables].parse(undefined)));

export function findUnused(given: Environment, parsed: Variables, tenants: readonly TenantSettings[]): string[] {
  const { ANNOUNCE_URL: url, WEBHOOK_VERIFY: verify } = parsed;
  // The embedded receiver has a detail, too.
  const { url: _url, detail: _detail, ...ofOwn } = announceNames;
  const ofAccess = Object.keys(accessForms).map((key) => warehouseNames[key as keyof typeof accessForms]);
  const rules: readonly [names: readonly string[], reason: string | false][] = [
    [Object.values(ofOwn), !url && 'without ANNOUNCE_URL'],
    [url ? namesBeside(announceNames, kinds[kindOfAddress(url)].forms) : [], 'with this kind of ANNOUNCE_URL'],
    [ofAccess, !parsed.WAREHOUSE_BASE_URL && 'without WAREHOUSE_BASE_URL: the warehouse is simulated'],
    [Object.keys(given).filter((name) => name.startsWith('SIMULATOR_')), tenants.length > 0 && 'with a real warehouse'],
    [namesBeside(webhookNames, { verify, ...schemes[verify as SchemeName].settings }), `with WEBHOOK_VERIFY=${verify}`],
    [['METRICS_HOST'], !parsed.METRICS_PORT && !parsed.TEMPORAL_METRICS_PORT && 'without METRICS_PORT'],
    [['CODEC_HOST', 'CODEC_TOKEN', 'CODEC_ORIGINS'], !parsed.CODEC_PORT && 'without CODEC_PORT'],
  ];
  return rules.flatMap(([names, reason]) => {
    const unused = findGiven(names, given);
    const have = unused.length === 1 ? 'has' : 'have';
    return reason === false || unused.length === 0 ? [] : [`${unused.join(', ')} ${have} no effect ${reason}.`];
  });
}

const namesBeside = (names: Readonly<Record<string, string>>, used: object): readonly string[] =>
  Object.entries(names).flatMap(([key, name]) => (key in used ? [] : [name]));

export function findUnheard(tenants: readonly TenantSettings[], alerts: AlertSettings | undefined): string[] {
  if (!alerts || tenants.length === 0) return [];
  return alerts.channels.flatMap(({ name, tenants: wanted }) => {
    const unknown = wanted.filter((it) => !tenants.some(({ id }) => id === it));
    return unknown.length === 0
      ? []
      : [`The channel ${name} is for accounts that are not configured: ${unknown.join(', ')}.`];
  });
}

export function findForgotten(tenants: readonly TenantSettings[]): string[] {
  const forgotten = tenants.filter(({ destinations }) => destinations.length === 0);
  if (forgotten.length === 0) return [];
  const whose = tenants.length === 1 ? '' : ` of ${forgotten.map(({ id }) => id).join(', ')}`;
  return [
    `Announcements${whose} go to the embedded receiver, which acknowledges and forgets them: set ANNOUNCE_URL, or announce in the file of settings.`,
  ];
}
