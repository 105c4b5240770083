import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command, Option } from 'commander';
import { z } from 'zod';
import { plural } from '../../base/text.ts';
import { bulkActions } from '../../bulk/filters.ts';
import type { BulkName } from '../../store/schema.ts';
import { createCommand } from '../command.ts';
import type { Person } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { actOnAll, confirm, describeBulk } from './bulk.ts';
import { addCallCommands, type Extra, groups } from './call-commands.ts';
import { shapeOf } from './calls.ts';
import type { AdminClient } from './client.ts';
import { addEraseCommand } from './erase.ts';
import { type Given, givenBy, optionOf } from './options.ts';
import { tenantOf } from './places.ts';
import type { Show } from './show.ts';
import { describeAlerts, describeDestination, describeHealth, describeNames, describeStatus } from './status.ts';
import { describeNote, describeSubject } from './subject.ts';

/** Creates `dockline admin` with its subcommands: one for each call of the API, and a few made by hand. Without a person, nothing is asked. */
export function createAdminCommand(client: AdminClient, output: Writable, person?: Person): Command {
  const admin = createCommand('dockline admin', 'Inspects and controls a running Dockline.')
    .usage('<command> [options]')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText(
      'after',
      `
Lists contain no bodies. A single event or announcement is shown with its body, which may contain personal data.
ADMIN_URL sets the address of Dockline (default http://127.0.0.1:ADMIN_PORT), ADMIN_TOKEN its token.
Exits with 0 on success, 1 on failure and 2 if the command line is invalid.`,
    );
  const print = (answer: unknown, describe: (answer: unknown) => string) =>
    void output.write(`${admin.opts().json ? JSON.stringify(answer) : describe(answer)}\n`);
  const pass = (bytes: AsyncIterable<Uint8Array>) => pipeline(bytes, output, { end: false });
  const show: Show = Object.assign(print, { pass });
  admin
    .command('status')
    .description('Shows what is waiting, failing or quarantined, and the number of subjects in each stage')
    .helpGroup(groups.see)
    .addHelpText('after', '\nExample:\n  dockline admin status')
    .action(async () => show(await client.get('/status'), describeStatus));
  addBulkCommands(admin, client, show);
  addCallCommands(admin, {
    client,
    show,
    formats: {
      getSubject: describeSubject,
      addNote: describeNote,
      getBulk: describeBulk,
      cancelBulk: describeBulk,
      getHealth: describeHealth,
      getDestination: describeDestination,
      listAlerts: describeAlerts,
      getEventNames: describeNames,
    },
    extras: extrasOf(client, show),
  });
  addEraseCommand(admin, client, show, person);
  return admin;
}

/** Returns the options that name what a bulk action is for. */
function filterOptions(name: BulkName): ReadonlyMap<string, Option> {
  const { filter } = bulkActions[name];
  const { required = [] } = z.toJSONSchema(filter, { io: 'input' });
  const options = Object.entries(shapeOf(filter)).map(([key, form]) => [key, optionOf(key, form)] as const);
  for (const [key, option] of options) option.makeOptionMandatory(required.includes(key));
  return new Map(options);
}

/** Adds `bulk`: actions on everything that a filter names, each with a preview. */
function addBulkCommands(admin: Command, client: AdminClient, show: Show): void {
  const bulk = admin
    .command('bulk')
    .description('Refreshes, resends, repeats or replays everything that a filter names')
    .helpGroup(groups.act)
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true });
  for (const [name, { summary, example }] of Object.entries(bulkActions)) {
    const options = filterOptions(name as BulkName);
    const command = bulk.command(name).description(`${summary}; shows a preview first`);
    for (const option of options.values()) command.addOption(option);
    command
      .option('--yes', 'do it, and wait for the end')
      .addHelpText('after', `\nExample:\n  dockline admin bulk ${example}`)
      .action(async ({ yes = false, ...values }: Given & { readonly yes?: boolean }) =>
        show(await actOnAll(client, name as BulkName, givenBy(options, values), yes), describeBulk),
      );
  }
  bulk
    .command('confirm <id>')
    .description('Does what was previewed, and waits for the end')
    .addHelpText('after', '\nExample:\n  dockline admin bulk confirm 17')
    .action(async (id: string) => show(await confirm(client, id), describeBulk));
}

/** Commands that act on one thing, or without its id on many. */
function extrasOf(client: AdminClient, show: Show): Readonly<Record<string, Extra>> {
  const options = { replay: filterOptions('replay'), resend: filterOptions('resend') };
  const all = async (name: BulkName, filter: Given) => show(await actOnAll(client, name, filter, true), describeBulk);
  const { destination, tenant } = bulkActions.repeat.filter.shape;
  return {
    replay: {
      summary: 'without an id, as bulk replay --yes',
      example: 'replay --since 2h',
      options: options.replay,
      run: (filter) => all('replay', filter),
    },
    resend: {
      summary: 'with --since, as bulk resend --yes',
      example: 'resend --since 3d',
      options: options.resend,
      async run(filter) {
        if (filter.since === undefined) throw new UsageError('resend takes either an id or --since');
        await all('resend', filter);
      },
    },
    'send-now': {
      summary: 'without an id, everything that waits for a destination',
      example: 'send-now --destination alder',
      options: new Map([
        ['name', optionOf('destination', destination)],
        ['tenant', optionOf('tenant', tenant)],
      ]),
      async run(given) {
        if (given.name === undefined) throw new UsageError('send-now takes either an id or --destination');
        const path = [await tenantOf(client, given), String(given.name)].map(encodeURIComponent).join('/');
        const { waiting } = await client.post(`/destinations/${path}/send-now`);
        show({ waiting }, () => `Sending ${plural(waiting, 'announcement')} now.`);
      },
    },
  };
}
