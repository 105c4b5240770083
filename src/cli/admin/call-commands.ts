import { setTimeout as wait } from 'node:timers/promises';
import { Argument, type Command } from 'commander';
import type { z } from 'zod';
import { triedOf } from '../../admin/board/list-forms.ts';
import { actions } from '../../app/operations.ts';
import type { shownBulk } from '../../bulk/views/row.ts';
import { schemaOf } from '../../forms/section.ts';
import { UsageError } from '../command.ts';
import { createProgress } from '../output.ts';
import { type CallLine, callLines, shapeOf } from './calls.ts';
import { type AdminClient, fillPath } from './client.ts';
import { describeAnswer, NOTHING, page, type Show, type ShownPage } from './layout.ts';
import { bodyOf, type Given, givenBy, isOfBulk, optionsOf, phraseOf } from './options.ts';

type Bulk = z.input<typeof shownBulk>;

const POLL_MS = 500;

/** Confirms a preview if asked for, and follows what runs on standard error; it goes on if the command is ended. */
async function carryOut(client: AdminClient, begun: Bulk, isConfirmed: boolean): Promise<Bulk> {
  const path = `/bulk/${begun.id}`;
  const progress = createProgress(process.stderr);
  const isToDo = isConfirmed && begun.state === 'previewed' && begun.total > 0;
  let bulk: Bulk = isToDo ? await client.post(`${path}/confirm`) : begun;
  while (bulk.state === 'running') {
    const trouble = bulk.trouble === null ? '' : `; ${bulk.trouble}`;
    progress.show(`${triedOf(bulk)} of ${bulk.total} tried, ${bulk.failed} failed${trouble}`);
    await wait(POLL_MS);
    bulk = await client.get(path);
  }
  progress.end();
  if (bulk !== begun && bulk.asked + bulk.failed > 0) process.exitCode = 1;
  return bulk;
}

function describeBulk(bulk: Bulk): string {
  if (bulk.state !== 'previewed') return describeAnswer(bulk);
  const next =
    bulk.total === 0
      ? 'Nothing matches: there is nothing to do.'
      : `Nothing was done yet. To do it, run this before ${bulk.expiresAt}: dockline admin bulk confirm ${bulk.id}`;
  return `${describeAnswer(bulk)}\n\n${next}`;
}

interface Deps {
  readonly client: AdminClient;
  readonly show: Show;
  /** For answers that say more than their members; by the id of the call. */
  // biome-ignore lint/suspicious/noExplicitAny: each format declares the answer that it takes
  readonly formats: Readonly<Record<string, (answer: any) => string>>;
}

export const groups = { see: 'See:', act: 'Act:' } as const;

export function addCallCommands(admin: Command, deps: Deps): void {
  for (const call of callLines) {
    const [first = '', second] = call.words;
    const list = admin.commands.find((command) => command.name() === first);
    if (second === undefined) addCommand(admin.command(first), call, deps);
    else addCommand((list ?? admin).command(second), call, deps);
  }
}

function addCommand(command: Command, call: CallLine, deps: Deps): void {
  const { args, forms, words, method, summary, example } = call;
  for (const { name, key, isOptional } of args) command.addArgument(argumentOf(name, forms[key], isOptional));
  const options = optionsOf(call);
  for (const option of options.values()) command.addOption(option);
  if (words.length === 1) command.helpGroup(method === 'GET' ? groups.see : groups.act);
  command
    .description(summary)
    .addHelpText('after', `\nExample:\n  dockline admin ${example}`)
    .action(async (...all: readonly unknown[]) => {
      const values = all.at(-2) as Given;
      const named = args.flatMap(({ key }, index) => (all[index] === undefined ? [] : [[key, all[index]]]));
      await makeCall(call, { ...givenBy(options, values), ...Object.fromEntries(named) }, values, deps);
    });
}

function argumentOf(name: string, form: z.ZodType | undefined, isOptional: boolean): Argument {
  const { enum: values, description = '' } = form ? schemaOf(form) : {};
  const argument = new Argument(isOptional ? `[${name}]` : `<${name}>`, phraseOf(description));
  if (values) return argument.choices(values.map(String));
  return argument.argParser((text) => {
    if (text !== '') return text;
    throw new UsageError(`${name} must not be empty`);
  });
}

async function makeCall(
  call: CallLine,
  given: Given,
  { csv, yes }: Given,
  { client, show, formats }: Deps,
): Promise<void> {
  const { id, method, query, columns } = call;
  const path = await fillPath(client, call.path, given);
  const asked = Object.fromEntries(Object.entries(given).filter(([key]) => key in shapeOf(query)));
  if (csv) return await show.pass(await client.csv(path, asked));
  const answer = method === 'GET' ? await client.get(path, asked) : await client.post(path, await bodyOf(call, given));
  if (isOfBulk(call))
    return show(method === 'GET' ? answer : await carryOut(client, answer, yes === true), describeBulk);
  if (columns) return show(answer, (it: ShownPage) => page(it, asked.summary ? undefined : columns));
  show(answer, formats[id] ?? ((it: object) => describeDone(id, it)));
  if (answer.isDelivered === false) process.exitCode = 1;
}

function describeDone(id: string, answer: object): string {
  const action = actions.find((it) => it.id === id);
  const notice = action?.notices[action.noticeOf(answer)];
  const shown = describeAnswer(answer);
  if (notice === undefined) return shown;
  return shown === NOTHING ? notice : `${notice}\n\n${shown}`;
}
