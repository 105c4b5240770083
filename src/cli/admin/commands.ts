import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Argument, type Command } from 'commander';
import { actions } from '../../admin/actions.ts';
import { announcementList } from '../../admin/views/announcements.ts';
import { auditList } from '../../admin/views/audit.ts';
import { quarantineList } from '../../admin/views/quarantine.ts';
import { subjectList } from '../../admin/views/subjects.ts';
import { webhookList } from '../../admin/views/webhooks.ts';
import { subjectKinds } from '../../domain/catalogue/subject.ts';
import { createCommand } from '../command.ts';
import { sinceOption } from '../since.ts';
import type { Person } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { addAlertCommands } from './alert-commands.ts';
import { actOnAll, addBulkCommands, type Filter } from './bulk-commands.ts';
import { type AdminClient, unlessMissing } from './client.ts';
import { addDestinationCommands } from './destination-commands.ts';
import { describeList, filtered, showList } from './list-commands.ts';
import { addNameCommands } from './name-commands.ts';
import type { Query, Show } from './options.ts';
import { addSendNowCommand } from './send-now.ts';
import * as tables from './tables.ts';

interface TenantOption {
  readonly tenant?: string;
}

/** Creates `dockline admin` with its subcommands. Without a person, nothing is asked. */
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
    .description('show what waits, fails or is quarantined, and the number of subjects in each stage')
    .action(async () => show(await client.get('/status'), tables.describeStatus));
  addSubjectCommands(admin, client, show);
  addEraseCommand(admin, client, show, person);
  addQuarantineCommands(admin, client, show);
  addNameCommands(admin, client, show);
  addWebhookCommands(admin, client, show);
  addAnnouncementCommands(admin, client, show);
  addSendNowCommand(admin, client, show);
  addBulkCommands(admin, client, show);
  addDestinationCommands(admin, client, show);
  addAlertCommands(admin, client, show);
  filtered(admin.command('audit').description('list what people changed, the newest first'), auditList).action(
    (query: Query) => showList({ client, show, list: auditList }, query),
  );
  admin
    .command('backup')
    .description('copy the SQLite store to a new file in the data folder of the running Dockline')
    .action(async () => show(await client.post('/backup'), tables.describeBackup));
  return admin;
}

function addSubjectCommands(admin: Command, client: AdminClient, show: Show): void {
  filtered(admin.command('subjects').description('list orders, receipts and other subjects'), subjectList).action(
    (query: Query) => showList({ client, show, list: subjectList }, query),
  );

  admin
    .command('search')
    .argument('<text>', 'whole id or number', (text: string) => {
      if (text) return text;
      throw new UsageError('text must not be empty');
    })
    .description('find subjects by the beginning of a number, a name, a SKU or an id')
    .action(async (q: string) =>
      show({ ...(await client.get('/search', { q })), next: null }, describeList(subjectList)),
    );

  const subjectCommand = (name: string, description: string) =>
    admin
      .command(name)
      .addArgument(new Argument('<kind>', 'kind of the subject').choices(subjectKinds))
      .argument('<id>')
      .description(description)
      .option('--tenant <id>', 'tenant, if several have a subject with this ID');

  subjectCommand('show', 'show a subject with its timeline and announcements').action(
    async (kind: string, id: string, options: TenantOption) =>
      show(await client.get(await findSubject(client, { kind, id, ...options })), tables.describeSubject),
  );

  subjectCommand('note', 'leave a note on a subject')
    .argument('<text>')
    .action(async (kind: string, id: string, text: string, options: TenantOption) => {
      const address = await findSubject(client, { kind, id, ...options });
      show(await client.post(`${address}/notes`, { text }), tables.describeNote);
    });
  subjectCommand('remove-note', 'remove a note from a subject')
    .argument('<note>', 'its number, which show prints')
    .action(async (kind: string, id: string, note: string, options: TenantOption) => {
      const address = await findSubject(client, { kind, id, ...options });
      show(await client.post(`${address}/notes/${encodeURIComponent(note)}/remove`), () => 'Removed.');
    });

  for (const { path, command } of actions) {
    if (command === undefined) continue;
    const name = path.slice(path.lastIndexOf('/') + 1);
    subjectCommand(name, command).action(async (kind: string, id: string, options: TenantOption) => {
      const address = await findSubject(client, { kind, id, ...options });
      show(await client.post(`${address}/${name}`), tables.describeView);
    });
  }
}

function addEraseCommand(admin: Command, client: AdminClient, show: Show, person: Person | undefined): void {
  admin
    .command('erase')
    .addArgument(new Argument('[kind]', 'kind of the subject').choices(subjectKinds))
    .argument('[id]')
    .description('count what is stored of a subject, or of all subjects of a customer, and erase it if you confirm')
    .option('--customer <id>', 'all subjects of this customer')
    .option('--tenant <id>', 'only this tenant')
    .option('--unsent', 'also announcements that the destination has not acknowledged')
    .option('--yes', 'erase without asking; without a terminal, nothing is erased otherwise')
    .action(async (kind: string | undefined, id: string | undefined, { yes = false, ...options }: EraseOptions) => {
      if ((id === undefined) === (options.customer === undefined))
        throw new UsageError('erase takes either a kind and an id, or --customer');
      const paths =
        id === undefined
          ? await allSubjects(client, options)
          : [await findSubject(client, { kind: kind ?? '', id, ...options })];
      const erase = async (dryRun: boolean, isAsked: boolean) => {
        const body = { dryRun, unsent: options.unsent ?? false };
        const results = [];
        for (const path of paths)
          results.push({ path, ...(await client.post(`${path}/erase`, body).catch(toProblem)) });
        show({ results }, (answer) => tables.describeErasures(answer, isAsked));
        process.exitCode = results.some(({ problem }) => problem) ? 1 : 0;
      };
      const isAsked = !yes && person !== undefined && !admin.opts().json;
      await erase(!yes, isAsked);
      if (!isAsked || paths.length === 0) return;
      if (await person.confirm('Erase this for good?')) await erase(false, false);
      else show({ erased: 0 }, () => 'Nothing was erased.');
    });
}

interface EraseOptions extends TenantOption {
  readonly customer?: string;
  readonly unsent?: boolean;
  readonly yes?: boolean;
}

/** One subject that cannot be erased now does not keep the others. */
const toProblem = (error: Error): { readonly problem: string } => ({ problem: error.message });

/** Returns the paths of all subjects of a customer. */
async function allSubjects(client: AdminClient, { customer, tenant }: EraseOptions): Promise<readonly string[]> {
  const paths: string[] = [];
  let after: string | undefined;
  do {
    const { items, next } = await client.get('/subjects', { customer, tenant, limit: 500, after });
    for (const it of items) paths.push(pathOf(it));
    after = next ?? undefined;
  } while (after);
  return paths;
}

const pathOf = ({ tenant, kind, id }: { readonly tenant: string; readonly kind: string; readonly id: string }) =>
  `/subjects/${[tenant, kind, id].map(encodeURIComponent).join('/')}`;

function addQuarantineCommands(admin: Command, client: AdminClient, show: Show): void {
  const quarantine = admin.command('quarantine [id]').description('list quarantined events, or show one with its body');
  filtered(quarantine, quarantineList).action(async (id: string | undefined, query: Query) =>
    id === undefined
      ? await showList({ client, show, list: quarantineList }, query)
      : show(await client.get(`/quarantine/${encodeURIComponent(id)}`), tables.describeBody),
  );

  admin
    .command('replay [id]')
    .description(
      'read a quarantined event again, and ingest it if it is now understood; without an id as bulk replay --yes',
    )
    .option('--reason <text>', 'only reasons that begin with this text')
    .addOption(sinceOption('only events received since this time or age'))
    .action(async (id: string | undefined, filter: Filter) => {
      if (id === undefined) return show(await actOnAll(client, 'replay', filter, true), tables.describeBulk);
      const answer = await client.post(`/quarantine/${encodeURIComponent(id)}/replay`);
      show(answer, ({ ingested }) => (ingested > 0 ? 'Ingested.' : 'Still not understood; it stays quarantined.'));
    });
}

function addWebhookCommands(admin: Command, client: AdminClient, show: Show): void {
  const webhooks = admin
    .command('webhooks [id]')
    .description('list what the warehouse sent, or show one with its body');
  filtered(webhooks, webhookList).action(async (id: string | undefined, query: Query) =>
    id === undefined
      ? await showList({ client, show, list: webhookList }, query)
      : show(await client.get(`/webhooks/${encodeURIComponent(id)}`), tables.describeBody),
  );
}

function addAnnouncementCommands(admin: Command, client: AdminClient, show: Show): void {
  const announcements = admin
    .command('announcements [id]')
    .description('list announcements, or show one with its body');
  filtered(announcements, announcementList).action(async (id: string | undefined, query: Query) =>
    id === undefined
      ? await showList({ client, show, list: announcementList }, query)
      : show(await client.get(`/announcements/${encodeURI(id)}`).catch(unlessMissing(id)), tables.describeAnnouncement),
  );

  admin
    .command('resend [id]')
    .description('send a dead-lettered announcement again; with --since as bulk resend --yes')
    .addOption(sinceOption('announcements dead-lettered since this time or age'))
    .action(async (id: string | undefined, filter: Filter) => {
      if ((id === undefined) === (filter.since === undefined)) {
        throw new UsageError('resend takes either an id or --since');
      }
      if (id === undefined) return show(await actOnAll(client, 'resend', filter, true), tables.describeBulk);
      const answer = await client.post(`/announcements/${encodeURI(id)}/resend`).catch(unlessMissing(id));
      show(answer, () => 'Queued for sending; if it fails again, it is dead-lettered again.');
    });
}

/** Returns the path of a subject; its tenant is needed only if several tenants have a subject with this ID. */
async function findSubject(
  client: AdminClient,
  subject: TenantOption & { readonly kind: string; readonly id: string },
): Promise<string> {
  const { kind, id, tenant } = subject;
  const { items } = (await client.get('/subjects', { kind, id, tenant })) as {
    items: readonly { readonly tenant: string }[];
  };
  const [only, other] = items;
  if (!only) throw new Error(`there is no ${kind} ${id}`);
  if (other) {
    const tenants = items.map(({ tenant }) => tenant).join(', ');
    throw new UsageError(`several tenants have a ${kind} ${id}; choose one with --tenant: ${tenants}`);
  }
  return pathOf({ tenant: only.tenant, kind, id });
}
