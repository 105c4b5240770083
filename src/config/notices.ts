import { closestMatch } from 'leven';
import type { AlertSettings } from '../alerts/settings.ts';
import type { Environment } from '../forms/forms.ts';
import type { TenantSettings } from './tenants/tenant.ts';
import { variables } from './variables.ts';
import type { FileName } from './yaml-file.ts';

const known = Object.keys(variables);

/** Variables of earlier versions, with what became of them. */
const removed: Readonly<Record<string, string>> = {
  ANNOUNCE_MODE: 'every announcement is one JSON document. ANNOUNCE_HEADERS can set another content-type.',
};

/** Variables of earlier versions, each of which names a file of settings. */
export const earlierNames = ['WAREHOUSES_FILE', 'DEADLINES_FILE', 'ALERTS_FILE'] as const;

/** Returns a sentence for each variable that looks like a mistake: its name like a known one, or its value as if a comment followed it. */
export function findDoubts(env: Environment, given: Environment, files: readonly FileName[]): string[] {
  const commented = Object.keys(given).filter((name) => /\s#/.test(given[name] ?? ''));
  const paths = files.map(({ path }) => path).join();
  return [
    ...findMisspelt(env),
    ...Object.keys(removed).flatMap((name) => (env[name] ? `${name} is not read any more: ${removed[name]}` : [])),
    ...earlierNames.flatMap((name) =>
      env[name] ? `${name} is an earlier name. Set CONFIG_FILE=${paths} instead: it names files of all settings.` : [],
    ),
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
    const meant = known.find((it) => it.startsWith(`${name}_`)) ?? closestMatch(name, known, { maxDistance: 2 });
    return meant === undefined || env[meant] ? [] : [`${name} is not known. Is it meant to be ${meant}?`];
  });
}

/** Returns a sentence for each channel that names accounts which are not configured. */
export function findUnheard(tenants: readonly TenantSettings[], alerts: AlertSettings | undefined): string[] {
  // An only warehouse may be named by its messages.
  if (!alerts || tenants.length === 0 || tenants.some(({ id }) => id === undefined)) return [];
  return alerts.channels.flatMap(({ name, tenants: wanted }) => {
    const unknown = wanted.filter((it) => !tenants.some(({ id }) => id === it));
    return unknown.length === 0
      ? []
      : [`The channel ${name} is for accounts that are not configured: ${unknown.join(', ')}.`];
  });
}

/** Returns a sentence if announcements of a real warehouse go to nobody. */
export function findForgotten(tenants: readonly TenantSettings[]): string[] {
  const forgotten = tenants.filter(({ destinations }) => destinations.length === 0);
  if (forgotten.length === 0) return [];
  const whose = tenants.length === 1 ? '' : ` of ${forgotten.map(({ id }) => id).join(', ')}`;
  return [`Announcements${whose} go to the embedded receiver, which acknowledges and forgets them: set ANNOUNCE_URL.`];
}
