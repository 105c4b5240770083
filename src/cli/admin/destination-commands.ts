import { text as readAll } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import type { z } from 'zod';
import { destinationActions } from '../../admin/destination-actions.ts';
import { PAGE_LIMIT } from '../../admin/queries.ts';
import type { shownDestination } from '../../admin/views/destination.ts';
import { destinationList } from '../../admin/views/destinations.ts';
import { readTextFile } from '../../config/text-file.ts';
import { UsageError } from '../usage-error.ts';
import { describeAttempt, listAttempts } from './attempts.ts';
import type { AdminClient } from './client.ts';
import { facts } from './layout.ts';
import { filtered, showList } from './list-commands.ts';
import type { Query, Show } from './options.ts';

interface Options {
  readonly tenant?: string;
  readonly settings?: string;
  readonly unsent?: boolean;
  readonly hours?: string;
  readonly recordsToken?: boolean;
}

/** Names of the actions. */
const names = destinationActions.map(({ path }) => path.slice(path.lastIndexOf('/') + 1));

/** Adds the commands of destinations. */
export function addDestinationCommands(admin: Command, client: AdminClient, show: Show): void {
  const destinations = admin
    .command('destinations')
    .description('list who gets the announcements of each warehouse, with what waits for them');
  filtered(destinations, destinationList).action((query: Query) =>
    showList({ client, show, list: destinationList }, query),
  );

  admin
    .command('destination <name> [action]')
    .description(`show a destination, or ${names.join(', ')} it`)
    .option('--tenant <id>', 'its warehouse, if there are several')
    .addOption(
      new Option(
        '--settings <file>',
        'for add and change: a JSON file with url and, as wanted, the other keys of a destination in the file of warehouses; - reads standard input, so that no secret is in the list of processes',
      ),
    )
    .option(
      '--unsent',
      'for remove: also with what it has not acknowledged; for change: also takes out what it would no longer want',
    )
    .option('--hours <number>', 'for rotate: how long the secret before is valid as well (default: 24)')
    .option('--records-token', 'for rotate: the token that fetches records, not the secret that signs')
    .action(async (name: string, action: string | undefined, options: Options) => {
      const path = `/destinations/${encodeURIComponent(await tenantOf(client, name, options))}/${encodeURIComponent(name)}`;
      if (action === undefined) return show(await client.get(path), describeShown);
      if (!names.includes(action)) throw new UsageError(`action must be one of ${names.join(', ')}`);
      show(await client.post(`${path}/${action}`, await bodyOf(action, options)), describeDestination);
    });
}

/** Returns the tenant of a destination: the one that is given, that of the only destination of this name, or the only one. */
export async function tenantOf(
  client: AdminClient,
  name: string,
  { tenant }: Pick<Options, 'tenant'>,
): Promise<string> {
  if (tenant !== undefined) return tenant;
  const tenantsOf = async (query: Query) => {
    const { items } = (await client.get('/destinations', { ...query, limit: PAGE_LIMIT })) as {
      readonly items: readonly { readonly tenant: string }[];
    };
    return [...new Set(items.map((it) => it.tenant))];
  };
  const named = await tenantsOf({ name });
  const tenants = named.length > 0 ? named : await tenantsOf({});
  const [only, other] = tenants;
  if (only === undefined || other !== undefined)
    throw new UsageError(`choose a warehouse with --tenant${other === undefined ? '' : `: ${tenants.join(', ')}`}`);
  return only;
}

async function bodyOf(action: string, { settings, unsent, hours, recordsToken }: Options): Promise<object | undefined> {
  if (action === 'remove') return { unsent: unsent ?? false };
  if (action === 'rotate')
    return { ...(hours !== undefined && { hours: Number(hours) }), ...(recordsToken && { of: 'recordsToken' }) };
  if (action !== 'add' && action !== 'change') return undefined;
  if (settings === undefined) throw new UsageError(`${action} needs --settings`);
  const json = settings === '-' ? await readAll(process.stdin) : readTextFile(settings);
  try {
    return { ...JSON.parse(json), ...(action === 'change' && unsent && { unsent }) };
  } catch {
    throw new UsageError('--settings is not JSON');
  }
}

/** Formats a destination with what it has answered. */
function describeShown({ results: _, lastFailure, lastAttempts, ...row }: z.input<typeof shownDestination>): string {
  const parts = [
    describeDestination(row),
    lastFailure && `Last failure\n${lastFailure.announcement}\n${describeAttempt(lastFailure)}`,
    lastAttempts.length > 0 && `Latest attempts\n${listAttempts(lastAttempts)}`,
  ];
  return parts.filter(Boolean).join('\n\n');
}

/** Formats a destination, or the result of an action. */
const describeDestination = (answer: object): string =>
  facts(Object.entries(answer).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]));
