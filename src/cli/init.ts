import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { runChecks } from '../app/doctor/run-checks.ts';
import { loadConfig } from '../config/config.ts';
import { messageOf } from '../domain/errors.ts';
import { createCommand, openStopSignal } from './command.ts';
import { describeChecks } from './doctor-report.ts';
import { openTerminal, type Person } from './init/ask.ts';
import { formatEnvFile } from './init/env-file.ts';
import { type Answers, type Group, groups, optionOf, type Question, questions } from './init/questions.ts';
import { RECEIVER } from './init/receiver.ts';
import { type Output, openOutput } from './output.ts';
import { UsageError } from './usage-error.ts';

const FILE = '.env';

/** With these, orders have carriers and tracking numbers. */
const DETAIL = 'orderItems,savedElements,smallParcel,packages';

interface InitOptions {
  readonly host?: string;
  readonly unchecked?: boolean;
  readonly json?: boolean;
}

const definition = createCommand(
  'dockline init',
  `Asks what a real warehouse needs, tries each answer at once, as the doctor does, and writes ${FILE} for this user alone.`,
)
  .option('--host <name>', 'name under which the warehouse reaches Dockline, for the address of its webhooks')
  .option('--unchecked', 'try nothing');
for (const option of questions.flatMap((question) => optionOf(question) ?? [])) definition.addOption(option);

/** `dockline init`. */
export const command = definition
  .addHelpText(
    'after',
    `
What an option or a variable of the environment says is not asked. The secret is WAREHOUSE_CLIENT_SECRET; without ANNOUNCE_SECRET one is
made. Without a terminal nothing is asked, and nothing is written unless every answer stands its test.`,
  )
  .action(async (options: InitOptions) => {
    if (existsSync(FILE)) throw new Error(`${FILE} exists, and is left as it is: move it away to write another`);
    const output = openOutput(options);
    const stop = openStopSignal('Nothing is written');
    const person = process.stdin.isTTY && !options.json ? openTerminal(stop) : undefined;
    try {
      const values = await answerAll({ given: givenAnswers(), options, output, person, stop });
      await writeFile(FILE, formatEnvFile(values), { flag: 'wx', mode: 0o600 });
      output.say(await nextSteps(options.host ?? 'your.host'));
      if (options.json) output.print(JSON.stringify({ file: FILE, variables: Object.keys(values) }));
    } finally {
      person?.close();
    }
  });

/** Returns what options say, and otherwise the environment. */
function givenAnswers(): Answers {
  const found = questions.flatMap((question) => {
    const option = optionOf(question);
    const value = (option && definition.getOptionValue(option.attributeName())) ?? process.env[question.variable];
    return value ? [[question.variable, String(value)] as const] : [];
  });
  return Object.fromEntries(found);
}

interface Dialog {
  readonly given: Answers;
  readonly options: InitOptions;
  readonly output: Output;
  /** Undefined where nobody can be asked. */
  readonly person: Person | undefined;
  readonly stop: AbortSignal;
}

/** Asks each group until its answers stand their test, or are kept as they are. Resolves with all variables. */
async function answerAll({ given, options, output, person, stop }: Dialog): Promise<Answers> {
  const secret = process.env.ANNOUNCE_SECRET || `whsec_${randomBytes(32).toString('base64')}`;
  let values: Answers = {};
  for (const group of groups) {
    const isLast = group === groups.at(-1);
    if (isLast && person) output.say(introduceReceiver(secret));
    const also = isLast ? { ANNOUNCE_SECRET: secret } : { WAREHOUSE_ORDER_DETAIL: DETAIL };
    for (let known = given; ; known = {}) {
      const tried = { ...values, ...(await answer(group, known, person)), ...also };
      const problem = options.unchecked ? undefined : await tryOut(group, tried, { output, stop });
      if (problem === undefined || (await isKept(problem, output, person))) {
        values = tried;
        break;
      }
    }
  }
  return values;
}

const introduceReceiver = (secret: string): string => `
Announcements are signed with a secret: start your receiver with
  ANNOUNCE_SECRET=${secret}
One to begin with, receiver.mjs (npm install standardwebhooks):

${RECEIVER}`;

/** Asks what is not known of a group. */
async function answer({ questions: asked }: Group, known: Answers, person: Person | undefined): Promise<Answers> {
  let answers: Answers = {};
  for (const question of asked) {
    const value = known[question.variable] ?? (await askFor(question, answers, person));
    if (value !== '') answers = { ...answers, [question.variable]: value };
  }
  return answers;
}

async function askFor(question: Question, answers: Answers, person: Person | undefined): Promise<string> {
  const { text, variable, flag, isOptional } = question;
  const usual = question.usual?.(answers);
  if (!person) {
    if (usual !== undefined) return usual;
    if (isOptional) return '';
    throw new UsageError(`say ${flag ?? `${variable} in the environment`}; without a terminal nothing is asked`);
  }
  for (;;) {
    const hint = usual === undefined ? '' : ` [${usual}]`;
    const typed = await person.ask(`${text}${hint}: `, { isHidden: flag === undefined });
    if (typed !== '' || isOptional) return typed;
    if (usual !== undefined) return usual;
  }
}

/** Checks answers as the doctor does. Resolves with what is wrong, or with undefined. */
async function tryOut(
  { areas: chosen }: Group,
  values: Answers,
  { output, stop }: Pick<Dialog, 'output' | 'stop'>,
): Promise<string | undefined> {
  try {
    // What is not answered yet, and what the environment has beside, such as a proxy.
    const env = { ...process.env, ANNOUNCE_TO_SANDBOX: 'yes', ...values };
    const config = loadConfig(env);
    const startedAt = performance.now();
    output.progress.show('checking');
    const checks = await runChecks({ config, tenants: config.tenants, areas: chosen, stop });
    output.progress.end();
    output.say(`\n${describeChecks(checks, Math.round(performance.now() - startedAt))}\n`);
    return checks.some(({ verdict }) => verdict === 'failed') ? 'some answers did not stand their test' : undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Asks whether answers that did not stand their test are kept. */
async function isKept(problem: string, output: Output, person: Person | undefined): Promise<boolean> {
  if (!person) throw new Error(`${problem}; nothing is written (--unchecked writes it all the same)`);
  output.say(problem);
  return /^y(es)?$/i.test(await person.ask('Keep these answers all the same? [y/N]: '));
}

/** Says what remains to be done, with what has to be pasted. */
async function nextSteps(host: string): Promise<string> {
  const { eventTypeNames } = await import('../sandbox/simulator/webhooks/event-types.ts');
  return `${FILE} is written; only you can read it. What remains:

1. npx dockline doctor checks everything, and npx dockline start runs it.
2. Put a proxy with a certificate in front of port 3000: the warehouse sends to https only.
3. In the warehouse, under Customers > Event Notifications, add a webhook for each event type, with all its events:
     destination  https://${host}/webhooks/warehouse
     event types  ${eventTypeNames.join(', ')}
4. npx dockline backfill --open makes known the orders that are under way.`;
}
