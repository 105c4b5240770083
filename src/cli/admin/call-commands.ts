import { setTimeout as wait } from 'node:timers/promises';
import { Argument, type Command, type Option } from 'commander';
import { z } from 'zod';
import { actions } from '../../app/operations.ts';
import type { shownBulk } from '../../bulk/views/row.ts';
import { createProgress } from '../output.ts';
import { UsageError } from '../usage-error.ts';
import { type CallLine, callLines, shapeOf } from './calls.ts';
import type { AdminClient } from './client.ts';
import { describeAnswer, NOTHING, page, type Show, type ShownPage } from './layout.ts';
import { bodyOf, type Given, givenBy, isOfBulk, optionsOf, phraseOf } from './options.ts';
import { fillPath } from './places.ts';

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
    progress.show(`${bulk.done + bulk.asked + bulk.failed} of ${bulk.total} tried, ${bulk.failed} failed${trouble}`);
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

/** Calls with the same words are one command; arguments and verb tell them apart. */
export function addCallCommands(admin: Command, deps: Deps): void {
  const byWords = Map.groupBy(callLines, ({ words }) => words.join(' '));
  for (const [words, calls] of byWords) addCommand(parentOf(admin, words), calls, deps);
}

/** `bulk` for `bulk show`. */
function parentOf(admin: Command, words: string): Command {
  const [first = '', second] = words.split(' ');
  if (second === undefined) return admin;
  return admin.commands.find((command) => command.name() === first) ?? admin;
}

function addCommand(parent: Command, calls: readonly CallLine[], deps: Deps): void {
  const longest = calls.reduce((a, b) => (b.args.length > a.args.length ? b : a));
  const verbs = calls.map(({ verb }) => verb).filter(Boolean);
  const least = Math.min(...calls.map(({ args }) => args.length));
  const command = parent.command(longest.words.at(-1) ?? '');
  for (const [index, { name, key, isOptional }] of longest.args.entries())
    command.addArgument(argumentOf(name, longest.forms[key], isOptional || index >= least));
  if (verbs.length > 0) command.addArgument(new Argument('[action]').choices(verbs));
  if (longest.words.length === 1)
    command.helpGroup(calls.every(({ method }) => method === 'GET') ? groups.see : groups.act);
  const optionsBy = new Map(calls.map((call) => [call, optionsOf(call)]));
  for (const option of merged(optionsBy)) command.addOption(option);
  command
    .description(summaryOf(calls, verbs))
    .addHelpText('after', afterHelp(calls))
    .action(async (...all: readonly unknown[]) => {
      const texts = all.slice(0, longest.args.length) as readonly (string | undefined)[];
      const verb = verbs.length > 0 ? (all[longest.args.length] ?? '') : '';
      const count = texts.filter((text) => text !== undefined).length;
      const values = all.at(-2) as Given;
      const call = calls.find((one) => one.verb === verb && fits(one, count));
      if (call === undefined) throw new UsageError(`${verb} takes other arguments`);
      const named = call.args.flatMap(({ key }, index) => (texts[index] === undefined ? [] : [[key, texts[index]]]));
      await makeCall(
        call,
        { ...givenBy(optionsBy.get(call) ?? new Map(), values), ...Object.fromEntries(named) },
        values,
        deps,
      );
    });
}

const fits = ({ args }: CallLine, count: number): boolean =>
  count <= args.length && count >= args.filter(({ isOptional }) => !isOptional).length;

function argumentOf(name: string, form: z.ZodType | undefined, isOptional: boolean): Argument {
  const { enum: values, description = '' } = form ? z.toJSONSchema(form, { io: 'input', unrepresentable: 'any' }) : {};
  const argument = new Argument(isOptional ? `[${name}]` : `<${name}>`, phraseOf(description));
  if (values) return argument.choices(values.map(String));
  return argument.argParser((text) => {
    if (text !== '') return text;
    throw new UsageError(`${name} must not be empty`);
  });
}

/** Each once; names its verbs if not all have it. */
function merged(optionsBy: ReadonlyMap<CallLine, ReadonlyMap<string, Option>>): readonly Option[] {
  const given = [...optionsBy].flatMap(([{ verb }, options]) =>
    [...options.values()].map((option) => ({ option, verb })),
  );
  return [...Map.groupBy(given, ({ option }) => option.long).values()].flatMap((same) => {
    const [first] = same;
    const verbs = same.map(({ verb }) => verb).filter(Boolean);
    if (first && verbs.length > 0 && same.length < optionsBy.size)
      first.option.description = `for ${verbs.join(' and ')}: ${first.option.description}`;
    return first?.option ?? [];
  });
}

function summaryOf([first, ...others]: readonly CallLine[], verbs: readonly string[]): string {
  if (verbs.length > 0) return `${first?.summary}; or does what an action says: ${verbs.join(', ')}`;
  const rest = others.map(({ summary }) => summary.replace(/^./, (letter) => letter.toLowerCase()));
  return [first?.summary, ...rest].join('; or ');
}

function afterHelp(calls: readonly CallLine[]): string {
  const named = calls.filter(({ verb }) => verb !== '');
  const width = Math.max(...named.map(({ verb }) => verb.length));
  const lines = calls.map(({ example }) => `  dockline admin ${example}`);
  return [
    ...(named.length > 0
      ? ['\nActions:', ...named.map(({ verb, summary }) => `  ${verb.padEnd(width)}  ${summary}`)]
      : []),
    `\n${lines.length === 1 ? 'Example' : 'Examples'}:`,
    ...lines,
  ].join('\n');
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
  const tests: readonly { readonly isDelivered?: boolean }[] = [answer, ...(answer.results ?? [])];
  if (tests.some(({ isDelivered }) => isDelivered === false)) process.exitCode = 1;
}

function describeDone(id: string, answer: object): string {
  const action = actions.find((it) => it.id === id);
  const notice = action?.notices[action.noticeOf(answer)];
  const shown = describeAnswer(answer);
  if (notice === undefined) return shown;
  return shown === NOTHING ? notice : `${notice}\n\n${shown}`;
}
