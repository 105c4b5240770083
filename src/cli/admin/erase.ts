import { Argument, type Command } from 'commander';
import { subjectKinds } from '../../domain/catalogue/subject.ts';
import type { Erasable } from '../../subjects/tables/erasures.ts';
import { UsageError } from '../command.ts';
import { groups } from './call-commands.ts';
import { type AdminClient, addressOf, findSubject } from './client.ts';
import { describeAnswer, type Show } from './layout.ts';

interface Options {
  readonly customer?: string;
  readonly tenant?: string;
  readonly unsent?: boolean;
  readonly yes?: boolean;
}

export function addEraseCommand(admin: Command, client: AdminClient, show: Show): void {
  admin
    .command('erase')
    .addArgument(new Argument('[kind]', 'kind of the subject').choices(subjectKinds))
    .argument('[id]')
    .description('Counts what is stored of a subject, or of all subjects of a customer, and with --yes erases it')
    .helpGroup(groups.act)
    .option('--customer <id>', 'all subjects of this customer')
    .option('--tenant <id>', 'only this tenant')
    .option('--unsent', 'also announcements that the destination has not acknowledged')
    .option('--yes', 'erase it for good')
    .addHelpText('after', '\nExample:\n  dockline admin erase order 31004581')
    .action(async (kind: string | undefined, id: string | undefined, { yes = false, ...options }: Options) => {
      if ((id === undefined) === (options.customer === undefined))
        throw new UsageError('erase takes either a kind and an id, or --customer');
      const paths =
        id === undefined
          ? await allSubjects(client, options)
          : [await findSubject(client, { ...options, kind: kind ?? '', id })];
      const body = { dryRun: !yes, unsent: options.unsent ?? false };
      const results: ErasedSubject[] = [];
      for (const path of paths) results.push({ path, ...(await client.post(`${path}/erase`, body).catch(toProblem)) });
      const hint = yes ? '' : '\n\nNothing was erased. Repeat it with --yes.';
      show({ results }, (answer) => describeAnswer(answer) + hint);
      process.exitCode = results.some(({ problem }) => problem) ? 1 : 0;
    });
}

/** A subject that cannot be erased now does not stop the others. */
const toProblem = (error: Error): { readonly problem: string } => ({ problem: error.message });

async function allSubjects(client: AdminClient, { customer, tenant }: Options): Promise<readonly string[]> {
  const paths: string[] = [];
  let after: string | undefined;
  do {
    const { items, next } = await client.get('/subjects', { customer, tenant, limit: 500, after });
    for (const it of items) paths.push(addressOf(it));
    after = next ?? undefined;
  } while (after);
  return paths;
}

interface ErasedSubject extends Partial<Erasable> {
  readonly path: string;
  readonly isErased?: boolean;
  readonly problem?: string;
}
