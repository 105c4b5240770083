import { setTimeout as wait } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import type { BulkName } from '../../admin/bulk/filters.ts';
import { bulkList } from '../../admin/views/bulk/list.ts';
import type { ShownBulk } from '../../admin/views/bulk/row.ts';
import { subjectKinds } from '../../domain/catalogue/subject.ts';
import { attentions } from '../../domain/lifecycle/attention.ts';
import { stages } from '../../domain/lifecycle/stage.ts';
import { createProgress } from '../output.ts';
import { momentOption, sinceOption } from '../since.ts';
import type { AdminClient } from './client.ts';
import { filtered, showList } from './list-commands.ts';
import { type Query, type Show, withIsoSince } from './options.ts';
import { describeBulk, listBulk } from './tables.ts';

/** Bulk action, as far as its progress matters. */
type Bulk = Pick<ShownBulk, 'id' | 'state' | 'total' | 'done' | 'asked' | 'failed' | 'trouble'>;

/** Options that say what is meant. */
export type Filter = Query & { readonly since?: number };

/** Time between two looks at the progress, in milliseconds. */
const LOOK_MS = 500;

/** Adds `bulk` with its subcommands: actions on everything that a filter names, each with a preview. */
export function addBulkCommands(admin: Command, client: AdminClient, show: Show): void {
  const bulk = admin
    .command('bulk')
    .description('refresh, resend, repeat or replay everything that a filter names')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true });

  const action = (name: BulkName, description: string) =>
    bulk
      .command(name)
      .description(`${description}; shows first what it would do`)
      .option('--yes', 'do it, and wait for the end')
      .action(async ({ yes = false, ...filter }: Filter & { readonly yes?: boolean }) =>
        show(await actOnAll(client, name, filter, yes), describeBulk),
      );

  action('refresh', 'fetch subjects from the warehouse: those that are open, or that the options name')
    .addOption(new Option('--kind <kind>', 'only this kind').choices(subjectKinds))
    .addOption(new Option('--stage <stage>', 'only this stage').choices(stages))
    .option('--customer <id>', 'only this customer')
    .option('--facility <id>', 'only this facility')
    .addOption(momentOption('older-than', 'only those in their stage since before this time or age'))
    .addOption(momentOption('created-since', 'only those that Dockline has known since this time or age'))
    .addOption(momentOption('confirmed-since', 'only those closed since this time or age'))
    .addOption(new Option('--attention <reason>', 'only what needs attention').choices(['any', ...attentions]))
    .option('--taken-by <name>', 'only those that somebody of this name has taken, or nobody')
    .option('--tenant <id>', 'only this tenant');
  action('resend', 'send dead-lettered announcements again').addOption(
    sinceOption('only announcements dead-lettered since this time or age'),
  );
  action(
    'repeat',
    'send a destination announcements again, also those that it has acknowledged, or never got but wants',
  )
    .requiredOption('--tenant <id>', 'its warehouse')
    .requiredOption('--destination <name>', 'its name')
    .addOption(sinceOption('announcements made since this time or age').makeOptionMandatory())
    .addOption(momentOption('until', 'announcements made until this time or age'))
    .addOption(new Option('--kind <kind>', 'only this kind').choices(subjectKinds))
    .option('--milestone <name>', 'only this milestone, such as packed')
    .option('--customer <id>', 'only this customer')
    .option('--id <id>', 'only the subject with this id');
  action('replay', 'read quarantined events again, and ingest those that are now understood')
    .option('--reason <text>', 'only reasons that begin with this text')
    .option('--tenant <id>', 'only this tenant')
    .addOption(sinceOption('only events received since this time or age'));

  filtered(bulk.command('list').description('list bulk actions, the newest first'), bulkList).action((query: Query) =>
    showList({ client, show, list: bulkList, describe: listBulk }, query),
  );
  bulk
    .command('show <id>')
    .description('show a bulk action with its progress and failures')
    .action(async (id: string) => show(await client.get(pathOf(id)), describeBulk));
  bulk
    .command('confirm <id>')
    .description('do what was previewed, and wait for the end')
    .action(async (id: string) => show(await follow(client, await client.post(`${pathOf(id)}/confirm`)), describeBulk));
  bulk
    .command('cancel <id>')
    .description('end a bulk action after the items in progress')
    .action(async (id: string) => show(await client.post(`${pathOf(id)}/cancel`), describeBulk));
}

/** Previews an action on everything that a filter names; if confirmed, does it and waits for the end. */
export async function actOnAll(client: AdminClient, action: BulkName, filter: Filter, isConfirmed: boolean) {
  const previewed: Bulk = await client.post('/bulk', { action, filter: withIsoSince(filter) });
  if (!isConfirmed || previewed.total === 0) return previewed;
  return await follow(client, await client.post(`/bulk/${previewed.id}/confirm`));
}

const pathOf = (id: string): string => `/bulk/${encodeURIComponent(id)}`;

/** Waits until a bulk action is over, with its progress on standard error. It goes on without the command. */
async function follow(client: AdminClient, started: Bulk): Promise<Bulk> {
  const progress = createProgress(process.stderr);
  let bulk = started;
  while (bulk.state === 'running') {
    const trouble = bulk.trouble === null ? '' : `; ${bulk.trouble}`;
    progress.show(`${bulk.done + bulk.asked + bulk.failed} of ${bulk.total} tried, ${bulk.failed} failed${trouble}`);
    await wait(LOOK_MS);
    bulk = await client.get(pathOf(String(bulk.id)));
  }
  progress.end();
  if (bulk.asked + bulk.failed > 0) process.exitCode = 1;
  return bulk;
}
