import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { sandbox } from '../../sandbox/entry.ts';
import { loadConfig } from '../config/config.ts';
import { messageOf } from '../domain/errors.ts';
import { createCommand, openStopSignal, UsageError } from './command.ts';
import { describeChecks } from './doctor.ts';
import { type Answers, type Group, groups, optionOf, type Question, questions } from './init/questions.ts';
import { type Output, openOutput } from './output.ts';
import { openTerminal, type Person, UnansweredError } from './terminal.ts';

const FILE = '.env';
const RECEIVER_FILE = 'receiver.mjs';

interface InitOptions {
  readonly host?: string;
  readonly unchecked?: boolean;
  readonly json?: boolean;
}

const definition = createCommand(
  'dockline init',
  `Asks for the settings of a real warehouse, checks each answer at once as the doctor does, and writes ${FILE}, readable only by you.`,
)
  .option('--host <name>', 'public host name of Dockline, for the address of the webhooks')
  .option('--unchecked', 'check nothing');
for (const option of questions.flatMap((question) => optionOf(question) ?? [])) definition.addOption(option);

export const command = definition
  .addHelpText(
    'after',
    `
It asks only for what no option or environment variable sets. The client secret is WAREHOUSE_CLIENT_SECRET. Without ANNOUNCE_SECRET a
new secret is generated. Without a terminal every answer must be given, and nothing is written unless all checks pass.`,
  )
  .action(async (options: InitOptions) => {
    if (existsSync(FILE)) throw new Error(`${FILE} exists and was not changed: move it away first`);
    const output = openOutput(options);
    const stop = openStopSignal('Stopping: nothing is written');
    const person = process.stdin.isTTY && process.stdout.isTTY && !options.json ? openTerminal(stop) : undefined;
    const given = givenAnswers();
    if (!person) demandAll(given);
    const values = await answerAll({ given, options, output, person, stop })
      .catch(refuseUnanswered)
      .finally(() => person?.close());
    await writeFile(FILE, formatEnvFile(values), { flag: 'wx', mode: 0o600 });
    output.say(await nextSteps(options.host ?? 'your.host'));
    if (options.json) output.print(JSON.stringify({ file: FILE, variables: Object.keys(values) }));
  });

function demandAll(given: Answers): void {
  const missing = questions.filter(({ variable, usual }) => !(variable in given) && usual === undefined);
  const names = missing.map(({ flag, variable }) => flag ?? `${variable} (in the environment)`);
  if (names.length > 0)
    throw new UsageError(`there is no terminal to ask at; missing:\n${names.map((name) => `  ${name}`).join('\n')}`);
}

function refuseUnanswered(error: unknown): never {
  throw error instanceof UnansweredError ? new Error('stopped before the last question; nothing is written') : error;
}

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
  readonly person: Person | undefined;
  readonly stop: AbortSignal;
}

/** Asks a group again until its answers pass their checks, or are kept. */
async function answerAll({ given, options, output, person, stop }: Dialog): Promise<Answers> {
  const secret = process.env.ANNOUNCE_SECRET || `whsec_${randomBytes(32).toString('base64')}`;
  let values: Answers = {};
  for (const group of groups) {
    const isLast = group === groups.at(-1);
    if (isLast && person) await introduceReceiver(secret, output, person);
    const also = isLast && { ANNOUNCE_SECRET: secret };
    let answers: Answers = {};
    for (let known = given; ; known = {}) {
      answers = await answer(group, { known, before: answers }, person);
      const tried = { ...values, ...answers, ...also };
      const problem = options.unchecked ? undefined : await tryOut(group, tried, output);
      if (stop.aborted) throw new UnansweredError('stopped');
      if (problem === undefined || (await isKept(problem, output, person))) {
        values = tried;
        break;
      }
    }
  }
  return values;
}

async function introduceReceiver(secret: string, output: Output, person: Person): Promise<void> {
  output.say(`\nAnnouncements are signed with a secret. Start your receiver with\n  ANNOUNCE_SECRET=${secret}`);
  if (existsSync(RECEIVER_FILE)) return;
  if (!(await person.confirm(`Write a receiver to begin with, ${RECEIVER_FILE}?`))) return;
  await writeFile(RECEIVER_FILE, RECEIVER, { flag: 'wx' });
  output.say(`Wrote ${RECEIVER_FILE}. In another terminal, here, run
  npm install standardwebhooks
  ANNOUNCE_SECRET=${secret} node ${RECEIVER_FILE}
It listens on http://127.0.0.1:8090.`);
}

async function answer(
  { questions: asked }: Group,
  { known, before }: { readonly known: Answers; readonly before: Answers },
  person: Person | undefined,
): Promise<Answers> {
  let answers: Answers = {};
  for (const question of asked) {
    const value =
      known[question.variable] ??
      (await askFor(question, before[question.variable] ?? question.usual?.(answers), person));
    if (value !== '') answers = { ...answers, [question.variable]: value };
  }
  return answers;
}

async function askFor(
  { text, flag }: Question,
  usual: string | undefined,
  person: Person | undefined,
): Promise<string> {
  if (!person) return usual ?? '';
  const isHidden = flag === undefined;
  const hints = [
    usual === undefined ? '' : ` [${isHidden ? 'as before' : usual}]`,
    isHidden ? ' (not shown while you type)' : '',
  ];
  for (;;) {
    const typed = await person.ask(`${text}${hints.join('')}`, { hides: isHidden });
    if (typed !== '') return typed;
    if (usual !== undefined) return usual;
  }
}

async function tryOut({ check }: Group, values: Answers, output: Output): Promise<string | undefined> {
  try {
    // The environment has the rest, such as a proxy.
    const env = { ...process.env, ANNOUNCE_TO_SANDBOX: 'yes', ...values };
    const config = loadConfig(env);
    output.progress.show('checking');
    const checks = (await Promise.all(config.tenants.map((tenant) => check(tenant, config)))).flat();
    output.say(`\n${describeChecks(checks, output)}\n`);
    return checks.some(({ verdict }) => verdict === 'failed') ? 'some checks failed' : undefined;
  } catch (error) {
    return messageOf(error);
  }
}

async function isKept(problem: string, output: Output, person: Person | undefined): Promise<boolean> {
  if (!person) throw new Error(`${problem}; nothing is written (--unchecked writes it anyway)`);
  output.say(problem);
  return await person.confirm('Keep these answers anyway?');
}

async function nextSteps(host: string): Promise<string> {
  const { eventTypeNames } = await sandbox.eventTypes();
  return `Wrote ${FILE}, readable by you only. Next steps:

1. Check everything, then run it:
     npx dockline doctor
     npx dockline start
2. Put a proxy with a certificate in front of port 3000: the warehouse sends to https only.
3. In the warehouse, under Customers > Event Notifications, add a webhook for each event type, with all its events:
     destination  https://${host}/webhooks/warehouse
     event types  ${eventTypeNames.join(', ')}
4. Import the orders that are already in progress:
     npx dockline backfill --open`;
}

/** @throws Error if a value cannot be written so that every reader of such files takes it alike */
export function formatEnvFile(values: Answers): string {
  const lines = Object.entries(values).flatMap(([name, value]) => [
    `# ${sentenceOf(name)}.`,
    `${name}=${quote(name, value)}`,
  ]);
  return ['# Written by `dockline init`. .env.example lists every variable with its default.', ...lines, ''].join('\n');
}

const sentenceOf = (name: string): string =>
  name === 'ANNOUNCE_SECRET'
    ? 'Signs the announcements; your receiver verifies them with it'
    : (questions.find(({ variable }) => variable === name)?.text ?? name);

function quote(name: string, value: string): string {
  const written = ['', '"', "'"].map((mark) => `${mark}${value}${mark}`);
  const fits = written.find((text) => parseEnv(`${name}=${text}`)[name] === value);
  if (fits === undefined || /[\r\n]/.test(value))
    throw new Error(`${name} has quotes or line breaks that no file .env can have`);
  return fits;
}

/** The receiver of the README. */
export const RECEIVER = `import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.ANNOUNCE_SECRET);
const port = Number(process.env.PORT ?? 8090);

createServer(async (request, response) => {
  try {
    const { type, subject } = webhook.verify(await text(request), request.headers);
    // Store it here, once for each id: Dockline sends it again until you answer 2xx.
    console.log(request.headers['webhook-id'], type, subject ?? '');
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end();
  }
}).listen(port, () => console.log('Listening on port', port));
`;
